import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface Entry {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
}

describe("the lockfile", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { readonly packages: Readonly<Record<string, Entry>> };
  const names = Object.keys(packages);

  it("lists every platform build, so that npm ci works on every machine", () => {
    const missing = Object.values(packages).flatMap((entry) =>
      Object.keys(entry.optionalDependencies ?? {}).filter((name) => !names.some((path) => path.endsWith(`node_modules/${name}`))),
    );
    expect(missing).toEqual([]);
  });

  it("needs no install script", () => {
    expect(names.filter((name) => packages[name]?.hasInstallScript === true && packages[name]?.optional !== true)).toEqual([]);
  });

  it("gives users few packages", () => {
    // All other code is bundled into the command.
    const users = Object.entries(packages).filter(([name, { dev, link }]) => name.startsWith("node_modules/") && !dev && !link);
    const asked = ["protocol", "aaep", "policy", "agents", "narrate", "announcer", "hub", "cli"].flatMap((name) => {
      const { dependencies } = JSON.parse(readFileSync(`packages/${name}/package.json`, "utf8")) as { dependencies: object };
      return Object.keys(dependencies).filter((one) => !one.startsWith("@earshot/"));
    });
    expect([...new Set(asked)]).toEqual([
      "typebox",
      "jose",
      "ws",
      "re2js",
      "unbash",
      "yaml",
      "diff",
      "fastify",
      "pg",
      "jsonc-parser",
      "uqr",
    ]);
    expect(users.length).toBeLessThan(75);
  });
});
