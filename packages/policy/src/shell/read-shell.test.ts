import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SHELL_COMMANDS } from "../../testing/shell-commands/shell-commands.ts";
import { MAX_SHELL_CHARACTERS, readShell } from "./read-shell.ts";
import { joinWords, printCommand } from "./shell-command.ts";

const read = (text: string) => readShell(text, { cwd: "/home/ann/app", home: "/home/ann" });

describe("reading a shell text", () => {
  it("tells what a command was wrapped in, outermost first", () => {
    const [command] = read("sudo -u bob timeout 5 bash -c 'npx eslint src'").commands;
    expect(command?.via.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      "sudo privileged",
      "timeout transparent",
      "bash text",
      "npx runner",
    ]);
    expect(command?.via.map(({ words }) => joinWords(words))[0]).toBe("sudo -u bob timeout 5 bash -c npx eslint src");
    expect(command?.name).toBe("eslint");
  });

  it("follows the folder that commands run in, and says where that is not sure", () => {
    const folders = (text: string) => read(text).commands.map(({ cwd }) => `${cwd.path ?? "?"}${cwd.sure ? "" : " perhaps"}`);
    expect(folders("ls; cd src && ls")).toEqual(["/home/ann/app", "/home/ann/app", "/home/ann/app/src"]);
    expect(folders("cd src; ls")[1]).toBe("/home/ann/app/src perhaps");
    expect(folders("cd src || exit 1; ls")[2]).toBe("/home/ann/app/src");
    expect(folders("cd src || true; ls")[2]).toBe("/home/ann/app/src perhaps");
    expect(folders("(cd src && ls); ls")).toEqual(["/home/ann/app", "/home/ann/app/src", "/home/ann/app"]);
    expect(folders("cd && ls")[1]).toBe("/home/ann");
    expect(folders("cd - && ls")[1]).toBe("? perhaps");
    expect(folders("cd ../.. && ls")[1]).toBe("/home");
    expect(folders('cd "$X" && ls')[1]).toBe("? perhaps");
    expect(folders("if true; then cd src; fi; ls")[2]).toBe("? perhaps");
    expect(folders("for d in a b; do cd $d; ls; done; ls").slice(-1)).toEqual(["? perhaps"]);
    expect(folders("bash -c 'cd src && ls'; ls").slice(-1)).toEqual(["/home/ann/app"]);
    expect(readShell("ls").commands[0]?.cwd).toEqual({ path: undefined, sure: true });
  });

  it("tells what flows into a command", () => {
    const inputs = (text: string) => read(text).commands.map(({ input }) => input?.kind);
    expect(inputs("cat a | tr x y | sort < b")).toEqual([undefined, "pipe", "file"]);
    expect(inputs("cat <<< hi")).toEqual(["text"]);
    const { input } = read("curl x | tee y | wc").commands[2] ?? {};
    expect(input?.kind === "pipe" && input.from.map(({ name }) => name)).toEqual(["curl", "tee"]);
  });

  it("keeps programs in other languages apart", () => {
    const code = (text: string) => read(text).commands.map((command) => command.code)[0];
    expect(code("python3 -c 'print(1)'")).toEqual({ language: "python", text: "print(1)" });
    expect(code("perl -ne 'print' x")).toEqual({ language: "perl", text: "print" });
    expect(code("psql db <<'E'\nselect 1\nE")).toEqual({ language: "sql", text: "select 1\n" });
    expect(code("sqlite3 a.db 'select 1' 'select 2'")).toEqual({ language: "sql", text: "select 1\nselect 2" });
    expect(code("awk '{ print }' x")).toEqual({ language: "awk", text: "{ print }" });
    expect(code("python3 script.py")).toBeUndefined();
    expect(code("node --eval=1")).toEqual({ language: "javascript", text: "1" });
  });

  it.each([
    "[[ 'a[$(touch x)]' -eq 1 ]]",
    "[[ -v 'a[$(touch x)]' ]]",
    "[[ -R 'a[`touch x`]' ]]",
    "x='a[$(touch x)]'; (( x ))",
    "x='a[$(touch x)]'; echo $(( x + 1 ))",
    "x='a[$(touch x)]'; echo $\u007by:x}",
    "x='$(touch x)'; echo $\u007bx@P}",
  ])("cannot inspect %s, where evaluating a text runs a command", (text) => {
    expect(read(text).inspectable).toBe(false);
  });

  it.each(["[[ $x -eq 1 ]]", "[[ -v HOME ]]", "x=1; (( x ))", "x=1; echo $(( x + 1 ))", "x=a; echo $\u007bx@Q}"])(
    "inspects %s, where nothing is run",
    (text) => {
      expect(read(text).inspectable).toBe(true);
    },
  );

  it("knows home folders only when it is told", () => {
    expect(readShell("ls ~ $HOME").commands[0]?.words).toEqual([
      { text: "ls" },
      { text: "~", shape: "\0" },
      { text: "$HOME", shape: "\0" },
    ]);
    expect(read("ls ~bob/x").commands[0]?.words[1]).toEqual({ text: "~bob/x", shape: "\0/x" });
  });

  it("marks patterns and holes in words", () => {
    expect(read('cat src/*.ts "$D/x" a$b').commands[0]?.words).toEqual([
      { text: "cat" },
      { text: "src/*.ts", shape: "src/\u0001.ts" },
      { text: "$D/x", shape: "\0/x" },
      { text: "a$b", shape: "a\0" },
    ]);
  });

  it.each([
    ["length", `echo ${"x".repeat(MAX_SHELL_CHARACTERS)}`, /more than 65,536 characters/],
    ["commands", "ls;".repeat(600), /more than 500 commands/],
    ["depth", `${"echo $(".repeat(40)}ls${")".repeat(40)}`, /nested too deeply/],
    ["wrappers", `${"sudo ".repeat(50)}ls`, /nested too deeply/],
    ["texts", `${"echo $(ls) ".repeat(300)}`, /too many parts/],
    ["rounds", `${"for i in 1 2 3 4 5 6 7; do ".repeat(9)}ls${"; done".repeat(9)}`, /more than 500 commands|too many parts/],
    ["braces", "{a,".repeat(3000), /too many braces/],
  ])("is bounded in %s, and says so", (_what, text, why) => {
    const reading = read(text);
    expect(reading.inspectable).toBe(false);
    expect(reading.why).toMatch(why);
    expect(reading.commands.length).toBeLessThanOrEqual(500);
  });

  it("does not follow constants that double", () => {
    const reading = read(`a=xx; ${"a=$a$a; ".repeat(60)} echo $a`);
    expect(reading.inspectable).toBe(true);
    expect(reading.commands.map(printCommand).join("").length).toBeLessThan(100_000);
  });

  it("never throws, whatever it is given, and always gives a reason", () => {
    const pieces = fc.constantFrom(
      "rm",
      " ",
      "-rf",
      "$(",
      ")",
      "`",
      '"',
      "'",
      "\\",
      "|",
      "&&",
      ";",
      "\n",
      "{",
      "}",
      "(",
      "<<E",
      "E",
      "<(",
      ">",
      "$x",
      "x=",
      "if",
      "then",
      "fi",
      "for",
      "in",
      "do",
      "done",
      "case",
      "esac",
      "eval",
      "bash -c",
      "sudo",
      "*",
      "[[",
      "]]",
      "((",
      "))",
      "\0",
      "é",
      "\u202e",
      "${",
      ":-",
      "!",
      "#",
      "~",
      "=",
      "alias",
      "function",
      "&",
      "find . -exec",
      "xargs",
      "trap",
    );
    const texts = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.string({ unit: "binary", maxLength: 100 }),
      fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
      fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(" ")),
      fc
        .tuple(fc.constantFrom(...SHELL_COMMANDS), fc.nat(60), fc.nat(20), pieces)
        .map(([{ command }, at, cut, piece]) => command.slice(0, at) + piece + command.slice(at + cut)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const { commands, inspectable, why } = read(text);
        expect(inspectable).toBe(why === undefined);
        for (const command of commands) expect(printCommand(command)).not.toBe("");
        for (const { name, words } of commands)
          if (inspectable && words.length > 0) expect(name === "" && words[0]?.text !== "" && words[0]?.text !== "/").toBe(false);
      }),
      { numRuns: 5000 },
    );
  });

  it("finds a command wherever it is put", () => {
    const around = fc.constantFrom<(inner: string) => string>(
      (inner) => `( ${inner} )`,
      (inner) => `{ ${inner}; }`,
      (inner) => `ls && { ${inner}; }`,
      (inner) => `ls; ${inner}`,
      (inner) => `ls | { ${inner}; }`,
      (inner) => `if true; then ${inner}; fi`,
      (inner) => `while false; do ${inner}; done`,
      (inner) => `for i in 1 2; do ${inner}; done`,
      (inner) => `case x in *) ${inner};; esac`,
      (inner) => `f() { ${inner}; }; f`,
      (inner) => `echo "$( ${inner} )"`,
      (inner) => `cat <( ${inner} )`,
      (inner) => `x=$( ${inner} )`,
      (inner) => `! { ${inner}; }`,
      (inner) => `{ ${inner}; } &`,
      (inner) => `bash -c '${inner.replaceAll("'", `'\\''`)}'`,
      (inner) => `eval '${inner.replaceAll("'", `'\\''`)}'`,
    );
    fc.assert(
      fc.property(fc.array(around, { maxLength: 5 }), (wraps) => {
        const text = wraps.reduce((inner, wrap) => wrap(inner), "git push --force");
        expect(read(text).commands.map(printCommand), text).toContain("git push --force");
      }),
      { numRuns: 1000 },
    );
  });
});
