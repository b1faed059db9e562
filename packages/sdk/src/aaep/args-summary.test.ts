import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { namesSecret, summariseArgs } from "./args-summary.ts";

describe("a summary of arguments", () => {
  it("tells what people can hear", () => {
    const args = { service: "web", lines: 50, force: false, files: ["a", "b"], filter: { level: "error", since: 1 }, nothing: null };
    expect(summariseArgs(args)).toBe("service: web, lines: 50, force: false, files: 2 items, filter: {level, since}, nothing: null");
    expect([summariseArgs("just words"), summariseArgs(7), summariseArgs(undefined), summariseArgs({})]).toEqual([
      "just words",
      "7",
      undefined,
      undefined,
    ]);
    expect(summariseArgs({ text: "x".repeat(500) })).toMatch(/^text: x{120}…$/);
    expect(summariseArgs(Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`n${index}`, index])))).toMatch(
      /n31: 31, and 8 more$/,
    );
  });

  it("leaves out what may be a secret, together with its name", () => {
    const args = {
      account: "main",
      password: "hunter2",
      API_KEY: "x",
      accessToken: "x",
      "x-api-key": "x",
      clientSecret: "x",
      auth: { user: "ana" },
      note: `use sk-${"aB3".repeat(12)}`,
      header: "Authorization: Basic QWxhZGRpbg==",
      nested: { password: "x" },
      author: "Ana",
      monkey: "Bo",
    };
    expect(summariseArgs(args)).toBe("account: main, author: Ana, monkey: Bo");
  });

  it("knows names of secrets however they are written", () => {
    for (const name of [
      "password",
      "userPassword",
      "DB_PASS",
      "api_key",
      "apikey",
      "private-key",
      "GITHUB_TOKEN",
      "credentials",
      "sessionCookie",
    ])
      expect(namesSecret(name), name).toBe(true);
    for (const name of ["author", "keyboard", "monkey", "passenger", "name", "path"]) expect(namesSecret(name), name).toBe(false);
  });

  it("never throws, and never tells a planted secret", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    fc.assert(
      fc.property(fc.anything({ withMap: true, withSet: true, withBigInt: true }), fc.string(), (value, name) => {
        const told = summariseArgs({ [name]: value, [`${name}x`]: `before ${secret} after`, password: secret, deep: { a: [secret] } });
        expect(told ?? "").not.toContain("ghp_");
      }),
    );
  });
});
