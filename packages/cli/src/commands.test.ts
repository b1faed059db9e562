import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { EXIT } from "@earshot/terminal/io";
import { describe, expect, it } from "vitest";
import { cliPage } from "../../../tools/generate/cli.ts";
import { ALL_COMMANDS, FIRST_COMMANDS, GROUPS, PREFIXES } from "./commands.ts";
import { main } from "./main.ts";

async function earshot(...argv: readonly string[]) {
  let [out, err] = ["", ""];
  const terminal = { out: false, err: false, colour: false, width: 0 };
  const code = await main(argv, {
    stdin: Readable.from([]),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    terminal,
  });
  return { code, out, err };
}

const longest = (text: string) => Math.max(...text.split("\n").map((line) => line.length));

describe("earshot --help", () => {
  it("shows twelve commands on one screen, and all of them with help all", async () => {
    const first = await earshot("--help");
    expect(Object.values(FIRST_COMMANDS).flat()).toHaveLength(12);
    for (const name of Object.values(FIRST_COMMANDS).flat()) expect(first.out).toMatch(new RegExp(`^  ${name} `, "m"));
    expect(first.out.split("\n").length).toBeLessThanOrEqual(24);
    const all = await earshot("help", "all");
    for (const { title, commands } of GROUPS) expect(all.out).toContain([title, ...Object.keys(commands)][0]);
    for (const name of Object.keys(ALL_COMMANDS)) expect(all.out).toMatch(new RegExp(`^  ${name} `, "m"));
    expect([longest(first.out), longest(all.out)].every((width) => width <= 130)).toBe(true);
  });

  it.each(Object.keys(ALL_COMMANDS))("of %s is its declaration", async (name) => {
    const { declaration } = (await ALL_COMMANDS[name]?.load()) ?? {};
    expect(declaration?.name).toBe(name);
    const { code, out, err } = await earshot(...name.split(" "), "--help");
    expect({ code, err }).toEqual({ code: EXIT.ok, err: "" });
    expect(out).toMatch(new RegExp(`^Usage: earshot ${name}\\b`));
    expect(longest(out)).toBeLessThanOrEqual(130);
    for (const { about } of Object.values(declaration?.options ?? {})) expect(about).toMatch(/^(?!TODO)\S../);
    expect(await earshot("help", ...name.split(" "))).toEqual({ code: EXIT.ok, out, err: "" });
  });

  it.each(Object.keys(PREFIXES))("of %s lists the commands that begin with it", async (prefix) => {
    const { code, out } = await earshot(prefix, "--help");
    expect(code).toBe(EXIT.ok);
    for (const name of Object.keys(ALL_COMMANDS).filter((one) => one.startsWith(`${prefix} `))) expect(out).toContain(name);
    expect(await earshot(prefix)).toEqual({ code: EXIT.unusable, out: "", err: out });
  });
});

describe("a name in a file that Earshot wrote into another program's folder", () => {
  it.each([
    [["remove", "--help"], "init"],
    [["service", "install", "--help"], "hub autostart"],
    [["service", "remove", "--help"], "hub autostart"],
  ])("%j is still taken", async (argv, name) => {
    expect((await earshot(...argv)).out).toMatch(new RegExp(`^Usage: earshot ${name}\\b`));
  });
});

describe("what makes no sense", () => {
  it.each([
    [["stauts"], 'There is no command "stauts".', "earshot status"],
    [["approve"], 'There is no command "approve".', "Did you mean earshot allow, earshot inbox"],
    [["stop"], 'There is no command "stop".', "Did you mean earshot session stop, earshot hub stop"],
    [["costs"], 'There is no command "costs".', "Did you mean earshot sessions?"],
    [["hub", "stp"], 'There is no command "hub stp".', "Did you mean earshot hub stop?"],
    [["deny"], "ID is missing.", "earshot deny ID"],
    [["deny", "a", "b"], 'Unexpected argument: "b".', "earshot deny ID"],
    [["deny", "a", "--raeson", "x"], "There is no option --raeson.", "Did you mean --reason?"],
    [["token", "create", "x", "--role", "viewr"], '--role cannot be "viewr".', "Did you mean viewer?"],
    [["tail", "--after", "3", "--from-start"], "--after and --from-start contradict each other.", "Give one of them."],
    [["deny", "a", "--reason"], "--reason", "earshot deny --help"],
  ])("%j is refused with what was meant", async (argv, message, hint) => {
    const { code, out, err } = await earshot(...argv);
    expect({ code, out }).toEqual({ code: EXIT.unusable, out: "" });
    expect(err).toContain(message);
    expect(err).toContain(hint);
  });
});

describe("a value that looks like a request for help", () => {
  it("is a value", async () => {
    expect((await earshot("deny", "x", "--reason", "--help")).out).not.toMatch(/^Usage/);
  });
});

describe("docs/cli.md", () => {
  it("is made from the declarations", async () => {
    expect(readFileSync("docs/cli.md", "utf8")).toBe(await cliPage());
  });
});
