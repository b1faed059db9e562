import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileRe2 } from "../compile-with-re2.ts";
import { readShell } from "../shell/read-shell.ts";
import { UNKNOWN_PART, UNKNOWN_TEXT } from "../shell/shell-command.ts";
import { compileCommand } from "./command-pattern.ts";
import { readGlob } from "./glob.ts";
import { compilePath } from "./path-pattern.ts";
import { compileText } from "./text-pattern.ts";

describe("a glob", () => {
  it.each([
    ["abc", "abc", true],
    ["abc", "abd", false],
    ["a*", "a", true],
    ["a*c", "abbbc", true],
    ["*a*b*", "xxaxxbxx", true],
    ["*a*b*", "xxbxxaxx", false],
    ["a?c", "abc", true],
    ["a?c", "ac", false],
    ["\\*", "*", true],
    ["\\*", "x", false],
    ["", "", true],
    ["*", "", true],
  ])("%s matches %s: %s", (glob, text, expected) => expect(readGlob(glob).matches(text, false)).toBe(expected));

  it("does the same as a regular expression that says the same", () => {
    const letters = fc.constantFrom("a", "b", "*", "?", ".", "é", "😀");
    const pattern = fc.array(letters, { maxLength: 8 }).map((parts) => parts.join(""));
    const text = fc.array(fc.constantFrom("a", "b", ".", "é", "😀"), { maxLength: 10 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(pattern, text, (glob, subject) => {
        const regex = [...glob].map((letter) => (letter === "*" ? "[^]*" : letter === "?" ? "[^]" : letter.replace(/[.]/, "\\.")));
        expect(readGlob(glob).matches(subject, false)).toBe(new RegExp(`^(?:${regex.join("")})$`, "u").test(subject));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a pattern for texts", () => {
  it("is read broadly by a rule that restricts, and narrowly by one that lets through", () => {
    const glob = compileText(["Bash"], compileRe2);
    expect([glob("bash", true), glob("bash", false), glob("Bash", false)]).toEqual([true, false, true]);
    const regex = compileText([{ regex: "get|list" }], compileRe2);
    expect([regex("forge_get_x", true), regex("forge_get_x", false), regex("list", false)]).toEqual([true, false, true]);
  });

  it("that needs an engine which is not there restricts, and lets nothing through", () => {
    const regex = compileText([{ regex: "x" }], undefined);
    expect([regex("y", true), regex("x", false)]).toEqual([true, false]);
  });

  it("is not stalled by any text", () => {
    expect(compileText([{ regex: "^(a+)+$" }], compileRe2)(`${"a".repeat(5000)}b`, false)).toBe(false);
    expect(compileText(["*a*a*a*a*a*a*b"], compileRe2)("a".repeat(5000), false)).toBe(false);
  });
});

describe("a pattern for paths", () => {
  const places = { home: "/home/ann", earshot: "/data/earshot" };
  const roots = ["/home/ann/app", "/srv/lib"];
  const matches = (pattern: string, path: string, reading: "narrow" | "broad" | "may" = "narrow") => {
    const isShape = path.includes(UNKNOWN_PART) || path.includes(UNKNOWN_TEXT);
    return compilePath([pattern], places, compileRe2)(isShape ? { path, shape: path } : { path }, roots, reading);
  };

  it.each([
    ["/etc/passwd", "/etc/passwd", true],
    ["/etc/*", "/etc/passwd", true],
    ["/etc/*", "/etc/ssh/config", false],
    ["/etc/**", "/etc/ssh/config", true],
    ["/etc/**", "/etc", true],
    ["/etc/**", "/etcetera", false],
    ["**/.env", "/a/b/.env", true],
    ["**/.env", "/.env", true],
    ["**/.env*", "/a/.env.local", true],
    ["**/src/**/x.ts", "/a/src/b/c/x.ts", true],
    ["**/src/**/x.ts", "/a/src/x.ts", true],
    ["~/x", "/home/ann/x", true],
    ["~", "/home/ann", true],
    ["~/**", "/home/bob/x", false],
    ["{earshot}/**", "/data/earshot/policy.yaml", true],
    ["{workspace}/**", "/home/ann/app/a", true],
    ["{workspace}/**", "/srv/lib/a", true],
    ["{workspace}/**", "/srv/a", false],
    ["{workspace}", "/srv/lib", true],
    ["{secret}", "/home/ann/app/.env", true],
    ["{secret}", "/home/ann/app/.env.example", false],
    ["{secret}", "/home/ann/.ssh/config", true],
    ["{secret}", "/home/ann/app/main.ts", false],
    ["C:/Users/**", "C:/Users/ann/x", true],
  ] as const)("%s matches %s: %s", (pattern, path, expected) => expect(matches(pattern, path)).toBe(expected));

  it("ignores case where it restricts", () => {
    expect([matches("**/.env", "/a/.ENV", "broad"), matches("**/.env", "/a/.ENV", "narrow")]).toEqual([true, false]);
  });

  it.each([
    ["**/.claude/settings.json", `${UNKNOWN_PART}/.claude/settings.json`, true],
    ["**/.claude/settings.json", `${UNKNOWN_PART}/settings.json`, true],
    ["**/.claude/settings.json", `/a/.claude/${UNKNOWN_PART}`, false],
    ["**/.claude/settings.json", UNKNOWN_PART, false],
    ["~/.earshot/**", `/home/ann/.ears${UNKNOWN_TEXT}/x`, true],
    ["~/.earshot/**", `/home/ann/${UNKNOWN_TEXT}/x`, false],
    ["~/.earshot/**", `/home/ann/.earshot/${UNKNOWN_PART}`, true],
    ["~/.earshot/**", `${UNKNOWN_PART}/.earshot/policy.yaml`, true],
    ["**/.cursor/hooks.json", `/a/.cursor/${UNKNOWN_TEXT}`, true],
    ["**/.cursor/hooks.json", `/a/b/${UNKNOWN_TEXT}`, false],
    ["{workspace}/**", `/home/ann/app/${UNKNOWN_PART}`, true],
  ] as const)("that restricts asks a path which is not exactly known for a sign: %s, %j: %s", (pattern, path, expected) =>
    expect(matches(pattern, path, "broad")).toBe(expected),
  );

  it.each([
    ["{workspace}/**", `/home/ann/app/src/${UNKNOWN_TEXT}.ts`, true],
    ["{workspace}/src/*.ts", `/home/ann/app/src/${UNKNOWN_TEXT}.ts`, false],
    ["{workspace}/**", `/home/ann/app/${UNKNOWN_PART}`, false],
    ["{workspace}/**", `/home/ann/${UNKNOWN_TEXT}`, false],
  ] as const)("that lets through takes a shell's pattern only with its whole folder: %s, %j: %s", (pattern, path, expected) =>
    expect(matches(pattern, path, "narrow")).toBe(expected),
  );

  it.each([
    ["**/.env", `/a/${UNKNOWN_TEXT}`, false],
    ["**/.env", `/a/.${UNKNOWN_TEXT}`, true],
    ["**/.env", `/a/${UNKNOWN_PART}`, true],
    ["**/id_rsa", `/a/${UNKNOWN_TEXT}`, true],
    ["**/id_rsa", `/a/${UNKNOWN_TEXT}.ts`, false],
    ["{secret}", `/a/${UNKNOWN_TEXT}.pem`, true],
    ["{secret}", `/a/${UNKNOWN_TEXT}.ts`, false],
    ["{secret}", `/a/${UNKNOWN_PART}`, true],
  ] as const)("that excepts takes whatever it may be: %s, %j: %s", (pattern, path, expected) =>
    expect(matches(pattern, path, "may")).toBe(expected),
  );

  it("finds, with many patterns, whatever each of them would find alone", () => {
    const segment = fc.constantFrom("a", "b", ".env", "*", "**", "a*", "B");
    const pattern = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join("/")}`);
    const part = fc.constantFrom("a", "b", ".env", "ab", UNKNOWN_PART, UNKNOWN_TEXT, `a${UNKNOWN_TEXT}`, "A");
    const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join("/")}`);
    fc.assert(
      fc.property(
        fc.array(pattern, { minLength: 1, maxLength: 6 }),
        path,
        fc.constantFrom("narrow" as const, "broad" as const, "may" as const),
        (patterns, text, reading) => {
          const isShape = text.includes(UNKNOWN_PART) || text.includes(UNKNOWN_TEXT);
          const touched = isShape ? { path: text, shape: text } : { path: text };
          const alone = patterns.some((one) => compilePath([one], places, compileRe2)(touched, roots, reading));
          expect(compilePath(patterns, places, compileRe2)(touched, roots, reading)).toBe(alone);
          if (reading === "narrow" && alone) expect(compilePath(patterns, places, compileRe2)(touched, roots, "may")).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe("a pattern for commands", () => {
  const roots = ["/home/ann/app"];
  const matches = (pattern: string, command: string, broad: boolean) => {
    const [simple] = readShell(command, { cwd: "/home/ann/app", home: "/home/ann" }).commands;
    return simple !== undefined && compileCommand([pattern], compileRe2)(simple, roots, broad);
  };

  it.each([
    ["git push", "git push", true, true],
    ["git push", "git push origin", false, true],
    ["git push *", "git push", true, true],
    ["git push *", "git push origin main", true, true],
    ["git * --force", "git push origin --force", true, true],
    ["git * --force", "git push origin", false, false],
    ["git push", "git -C x push", false, true],
    ["git push", "/usr/bin/git push", false, true],
    ["/usr/bin/git push", "/usr/bin/git push", true, true],
    ["npm run test:*", "npm run test:unit", true, true],
    ["npm run test:*", "npm run test:unit --x", false, true],
    ["*", "anything at all", true, true],
    ["pytest <words>", "pytest tests/a.py", true, true],
    ["pytest <words>", "pytest", true, true],
    ["pytest <words>", "pytest -p evil", false, true],
    ["pytest <words>", "pytest /etc", false, true],
    ["pytest <words>", "pytest .env", false, true],
    ["pytest <words>", "pytest $X", false, true],
    ["pytest <words>", "pytest A=1", false, true],
    ["pytest <words>", "pytest https://x", false, true],
    ["git commit -m 'a b'", "git commit -m 'a b'", true, true],
    ['git commit -m "a b"', "git commit -m 'a b'", true, true],
    ["echo \\*", "echo '*'", true, true],
    ["echo \\*", "echo x", false, false],
    ["echo x", "echo $X", false, true],
    ["rm", "sudo rm x", false, true],
    ["sudo rm x", "sudo rm x", true, true],
    ["nice npm test", "nice npm test", true, true],
    ["npm test", "nice npm test", true, true],
    ["npm test", "NPM test", false, true],
  ] as const)("%s: %s, let through %s, restricted %s", (pattern, command, passed, held) => {
    expect([matches(pattern, command, false), matches(pattern, command, true)]).toEqual([passed, held]);
  });

  it("may be a regular expression over the words", () => {
    const regex = compileCommand([{ regex: "kubectl .*--context[ =]prod" }], compileRe2);
    const [command] = readShell("kubectl get pods --context prod -o wide").commands;
    expect(command !== undefined && [regex(command, [], true), regex(command, [], false)]).toEqual([true, false]);
  });

  it("looks, in too many words, at the program alone, and lets nothing through", () => {
    const long = `git add ${"x ".repeat(600)}--force`;
    expect([matches("git add *", long, false), matches("git push", long, true), matches("npm", long, true)]).toEqual([false, true, false]);
  });

  it("that lets a command through also holds it", () => {
    const word = fc.constantFrom("git", "push", "-f", "a", "x/y", "--force");
    const token = fc.constantFrom("git", "push", "*", "<words>", "-f", "a*", "x/y");
    fc.assert(
      fc.property(fc.array(token, { minLength: 1, maxLength: 5 }), fc.array(word, { minLength: 1, maxLength: 5 }), (tokens, words) => {
        if (matches(tokens.join(" "), words.join(" "), false)) expect(matches(tokens.join(" "), words.join(" "), true)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
