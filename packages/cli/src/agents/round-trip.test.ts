import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentCard, JsonFormat, SettingsFormat } from "@earshot/agents";
import { agentCards } from "@earshot/agents/files";
import { describe, expect, it } from "vitest";
import { carryOut, carryOutRemoval, inRemovalOrder, planRemoval } from "./carry-out.ts";
import { readRoot } from "./edit/edit-json.ts";
import { type InstallPlace, type InstallScope, settingsFile } from "./place.ts";
import { type FilePlan, type InstallTarget, planFile, targetsFor } from "./plan.ts";
import { Record } from "./record.ts";
import { cardOf } from "./testing/card-of.ts";
import { temporaryPlace } from "./testing/temporary-place.ts";

const [claude, cline, opencode] = ["claude", "cline", "opencode"].map(cardOf) as [AgentCard, AgentCard, AgentCard];
const NOW = new Date("2026-11-15T12:00:00Z");

/** Registers the hooks and returns the result for each file. */
function init(targets: readonly InstallTarget[], place: InstallPlace): readonly FilePlan["kind"][] {
  const record = new Record(place.earshotHome);
  return targets.map((target) => {
    const plan = planFile(target, record);
    if (plan.kind === "write") carryOut(plan, place, record, { now: NOW, http: false });
    return plan.kind;
  });
}

function remove(targets: readonly InstallTarget[], place: InstallPlace): readonly string[] {
  const record = new Record(place.earshotHome);
  return inRemovalOrder(targets).map((target) => {
    const plan = planRemoval(target, record);
    carryOutRemoval(target, plan, record);
    return plan.kind;
  });
}

/** All paths and contents in a folder except Earshot's. */
function snapshot(folder: string): Readonly<{ [path: string]: string }> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.parentPath.includes(".earshot"));
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, entry.isFile() ? readFileSync(path, "latin1") : "folder"];
    }),
  );
}

const OTHER = { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "/usr/bin/mine" }] }] };

/** Realistic files. Null means no file. */
const JSON_FILES: Readonly<{ [name: string]: string | null }> = {
  missing: null,
  empty: "",
  blank: "  \n\n",
  "an empty object": "{}",
  "an empty object with a line": "{}\n",
  "an empty object over lines": "{\n}\n",
  "other settings": '{\n  "model": "x",\n  "permissions": { "allow": ["Bash(ls)"] }\n}\n',
  "other hooks": `${JSON.stringify({ version: 1, hooks: OTHER, ...OTHER, earshot: OTHER }, null, 2)}\n`,
  "an empty list of hooks": '{ "version": 1, "hooks": { "PreToolUse": [] }, "PreToolUse": [] }\n',
  "one line": `{"version":1,"hooks":${JSON.stringify(OTHER)},"PreToolUse":[{"hooks":[]}]}`,
  "four blanks": JSON.stringify({ a: { b: [1, 2] }, hooks: OTHER }, null, 4),
  tabs: `${JSON.stringify({ a: { b: [1, 2] }, hooks: OTHER }, null, "\t")}\n`,
  "lines ending in CRLF": `${JSON.stringify({ a: 1, hooks: OTHER }, null, 2).replaceAll("\n", "\r\n")}\r\n`,
  "a byte-order mark": `\uFEFF${JSON.stringify({ a: 1, hooks: OTHER }, null, 2)}\n`,
  comments: `// mine\n{\n  // before\n  "a": 1, // beside\n  /* in between */\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "X", "hooks": [ /* none */ ] } // last\n      // after\n    ]\n    // end of hooks\n  } // hooks\n  // end\n}\n// after all\n`,
  "commas at the end": '{\n  "a": [1, 2,],\n  "hooks": {\n    "PreToolUse": [\n      {"hooks": [],},\n    ],\n  },\n}\n',
  "an empty object with a comment": "{\n  // nothing yet\n}\n",
  "signs beyond ASCII": '{ "név": "árvíztűrő 😀", "a": "\\u00e9\\n\\"" }',
};

/** For an agent with one list of all hooks. */
const LIST_FILES: Readonly<{ [name: string]: string | null }> = {
  ...Object.fromEntries(Object.entries(JSON_FILES).filter(([, text]) => text?.includes('"hooks"') !== true)),
  "a list of other hooks": '{\n  "version": "v1",\n  "hooks": [\n    { "name": "mine", "trigger": "Stop" } // mine\n  ]\n}\n',
};

const filesFor = (format: JsonFormat) => (format.shape === "list" ? LIST_FILES : JSON_FILES);

const UNREADABLE: Readonly<{ [name: string]: string | Buffer }> = {
  "half an object": '{ "a": ',
  "no JSON": "hooks: yes",
  "two values": "{} {}",
  "a list": "[]",
  "a number": "1",
  "a comment without an end": "{ /* ",
  "single quotes": "{ 'a': 1 }",
  "not UTF-8": Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
  "UTF-16": Buffer.from("\uFEFF{}", "utf16le"),
};

const TOML_FILES: Readonly<{ [name: string]: string | null }> = {
  missing: null,
  empty: "",
  "other settings": 'model = "x" # mine\n\n[a.b]\nc = [1, 2,\n  3] # three\n',
  "no line at the end": 'a = "b"',
  "other hooks": '[[hooks]]\nevent = "PreToolUse"\ncommand = """\nmine "quoted"\n"""\n\n[other]\nx = { y = 1 }\n',
  "lines ending in CRLF": "a = 1\r\n[b]\r\nc = 'd'\r\n",
  "a byte-order mark": "\uFEFFa = 1\n",
};

const YAML_FILES: Readonly<{ [name: string]: string | null }> = {
  missing: null,
  empty: "",
  "other settings": "# mine\nmodel: x # beside\nlist:\n- 1\n- 2\n",
  "no line at the end": "a: b",
  "no hooks yet": "a: 1\nhooks: {}\nb: 2\n",
  "nothing under hooks": "a: 1\nhooks:\nb: 2\n",
  "other hooks": "hooks:\n  pre_tool_call:\n    - matcher: x # mine\n      command: /usr/bin/mine\n  # between\n  other: []\nlast: 1\n",
  "hooks at the end": "a: 1\nhooks:\n    pre_tool_call:\n    - command: mine",
  "lines ending in CRLF": "a: 1\r\nb:\r\n  - 2\r\n",
};

const REFUSED: Readonly<{ [kind: string]: readonly string[] }> = {
  toml: ["a = ", "hooks = []", "[hooks]\na = 1", "= 1", "a = 1 b = 2", 'a = "x'],
  yaml: ["a: [", "a: 1\na: 2", "- 1", "hooks: [1]", "hooks: { a: [] }", "hooks:\n  pre_tool_call: x"],
};

function formatOf(card: AgentCard, place: InstallPlace): SettingsFormat | undefined {
  return settingsFile(card, place)?.format;
}

function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const CASES = agentCards().flatMap((card) =>
  (["user", "project"] as const).flatMap((scope: InstallScope) => {
    using place = temporaryPlace(scope);
    const format = formatOf(card, place);
    const files =
      format?.kind === "toml"
        ? TOML_FILES
        : format?.kind === "yaml"
          ? YAML_FILES
          : format?.kind === "json"
            ? filesFor(format)
            : { missing: null };
    return format === undefined
      ? []
      : Object.entries(files).map(([name, text]) => ({ card, scope, name, text, title: `${card.slug}, ${scope}, ${name}` }));
  }),
);

describe("putting hooks in and taking them out again", () => {
  it.each(CASES)("$title: leaves every byte as it was", ({ card, scope, text }) => {
    using place = temporaryPlace(scope);
    const path = settingsFile(card, place)?.path ?? "";
    if (text !== null) put(path, text);
    const before = snapshot(join(place.userHome, ".."));
    const targets = targetsFor(card, place, { version: "9.9.9" });
    const written = init(targets, place);
    expect(new Set(written)).toEqual(new Set(["write"]));
    const after = snapshot(join(place.userHome, ".."));
    expect(after).not.toEqual(before);
    // Repeated, and once more with another version of the agent.
    expect(new Set(init(targets, place))).toEqual(new Set(["same"]));
    expect(snapshot(join(place.userHome, ".."))).toEqual(after);
    init(targetsFor(card, place), place);
    init(targets, place);
    expect(snapshot(join(place.userHome, ".."))).toEqual(after);
    remove(targets, place);
    expect(snapshot(join(place.userHome, ".."))).toEqual(before);
  });

  it.each(CASES.filter(({ card, text }) => text !== null && text.trim() !== "" && !["cline"].includes(card.slug)))(
    "$title: keeps everything else, whichever way it is removed",
    ({ card, scope, text }) => {
      using place = temporaryPlace(scope);
      const path = settingsFile(card, place)?.path ?? "";
      if (text !== null) put(path, text);
      const targets = targetsFor(card, place, { version: "9.9.9" });
      init(targets, place);
      const target = targets.at(-1) as InstallTarget;
      const written = readFileSync(path, "utf8");
      const added = target.part.isIn(written);
      // Without a record, entries are found by their command.
      const removed = target.part.remove(written);
      expect([added, removed.ok, removed.ok && target.part.isTouched(removed.text)]).toEqual([true, true, false]);
      if (!removed.ok) return;
      expect(settingsFile(card, place)?.format.kind === "json" ? withoutEmpty(removed.text) : lines(removed.text)).toEqual(
        settingsFile(card, place)?.format.kind === "json" ? withoutEmpty(text ?? "") : lines(text ?? ""),
      );
      for (const comment of (text ?? "").match(/\/\/ [a-z ]+|\/\* [a-z ]+ \*\/|# (?:mine|beside|three|between)/g) ?? []) {
        expect(written).toContain(comment);
        expect(removed.text).toContain(comment);
      }
    },
  );
});

/** The parsed file without empty containers and an added version. */
function withoutEmpty(text: string): unknown {
  const prune = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(prune);
    if (typeof value !== "object" || value === null) return value;
    const kept = Object.entries(value).flatMap(([key, one]) => {
      const pruned = prune(one);
      const isEmpty = typeof pruned === "object" && pruned !== null && Object.keys(pruned).length === 0;
      return isEmpty || key === "version" ? [] : [[key, pruned] as const];
    });
    return Object.fromEntries(kept);
  };
  return prune(readRoot(text));
}

const lines = (text: string) => text.split(/\r?\n/).filter((line) => line.trim() !== "");

describe("a file that cannot be read", () => {
  const json = agentCards().filter((card) => (["user", "project"] as const).some((scope) => card[scope]?.format.kind === "json"));
  it.each(json.flatMap((card) => Object.entries(UNREADABLE).map(([name, text]) => ({ card, name, text }))))(
    "$card.slug, $name: is refused and not touched",
    ({ card, text }) => {
      using place = temporaryPlace(card.user === undefined ? "project" : "user");
      const path = settingsFile(card, place)?.path ?? "";
      put(path, text);
      const target = targetsFor(card, place).at(-1) as InstallTarget;
      expect(planFile(target, new Record(place.earshotHome))).toMatchObject({ kind: "refused" });
      expect(readFileSync(path)).toEqual(Buffer.from(text));
    },
  );

  it.each(Object.entries(REFUSED).flatMap(([kind, texts]) => texts.map((text) => ({ kind, text }))))("$kind: $text", ({ kind, text }) => {
    using place = temporaryPlace();
    const card = agentCards().find(({ user }) => user?.format.kind === kind) as AgentCard;
    put(settingsFile(card, place)?.path ?? "", text);
    expect(planFile(targetsFor(card, place).at(-1) as InstallTarget, new Record(place.earshotHome)).kind).toBe("refused");
  });

  it("says where, in words", () => {
    using place = temporaryPlace();
    put(join(place.userHome, ".claude/settings.json"), '{\n  "hooks": {\n    "PreToolUse": {}\n  }\n}\n');
    const [target] = targetsFor(claude, place);
    expect(planFile(target as InstallTarget, new Record(place.earshotHome))).toMatchObject({
      kind: "refused",
      why: "hooks.PreToolUse is no list (line 3, column 19)",
    });
    put(join(place.userHome, ".claude/settings.json"), '{\n  "hooks": nope\n}\n');
    expect(planFile(target as InstallTarget, new Record(place.earshotHome))).toMatchObject({
      why: "it is not JSON: an unknown word or character at line 2, column 12",
    });
    put(join(place.userHome, ".claude/settings.json"), '{ "hooks": {}, "hooks": {} }');
    expect(planFile(target as InstallTarget, new Record(place.earshotHome))).toMatchObject({ why: "it holds hooks twice" });
  });

  it("is one that somebody else wrote under the name of ours", () => {
    for (const card of [opencode, cline]) {
      using place = temporaryPlace();
      const [target] = targetsFor(card, place);
      put(target?.path ?? "", "export const Mine = 1\n");
      expect(planFile(target as InstallTarget, new Record(place.earshotHome))).toMatchObject({ kind: "refused" });
    }
  });
});

describe("a file that others change too", () => {
  it("keeps what they put in, and loses only ours", () => {
    using place = temporaryPlace();
    const path = join(place.userHome, ".claude/settings.json");
    put(path, '{\n  "model": "x"\n}\n');
    const targets = targetsFor(claude, place);
    init(targets, place);
    writeFileSync(path, readFileSync(path, "utf8").replace('"model": "x"', '"model": "y"'));
    expect(init(targets, place)).toEqual(["same"]);
    expect(remove(targets, place)).toEqual(["edited"]);
    expect(readFileSync(path, "utf8")).toBe('{\n  "model": "y"\n}\n');
  });

  it("keeps a handler that stands beside ours in one group", () => {
    using place = temporaryPlace();
    const path = join(place.userHome, ".claude/settings.json");
    const targets = targetsFor(claude, place);
    init(targets, place);
    const settings = JSON.parse(readFileSync(path, "utf8")) as { hooks: { PreToolUse: { hooks: unknown[] }[] } };
    settings.hooks.PreToolUse[0]?.hooks.push({ type: "command", command: "mine" });
    writeFileSync(path, JSON.stringify(settings, null, 2));
    expect(remove(targets, place)).toEqual(["edited"]);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      hooks: { PreToolUse: [{ matcher: expect.any(String), hooks: [{ type: "command", command: "mine" }] }] },
    });
  });

  it("is not written when it changed after it was read", () => {
    using place = temporaryPlace();
    const path = join(place.userHome, ".claude/settings.json");
    const record = new Record(place.earshotHome);
    const plan = planFile(targetsFor(claude, place)[0] as InstallTarget, record);
    put(path, '{ "late": true }');
    if (plan.kind !== "write") throw new Error("it should be written");
    expect(() => carryOut(plan, place, record, { now: NOW, http: false })).toThrow("in the meantime");
    expect(readFileSync(path, "utf8")).toBe('{ "late": true }');
  });

  it("is backed up with the time, and what is backed up is what was there", () => {
    using place = temporaryPlace();
    put(join(place.userHome, ".claude/settings.json"), '{"a":1}');
    init(targetsFor(claude, place), place);
    expect(readdirSync(join(place.earshotHome, "backups"))).toEqual(["20261115T120000Z-claude-settings.json"]);
    expect(readFileSync(join(place.earshotHome, "backups/20261115T120000Z-claude-settings.json"), "utf8")).toBe('{"a":1}');
  });

  it("stays a link, and keeps its mode", () => {
    using place = temporaryPlace();
    const real = join(place.userHome, "dotfiles.json");
    put(real, "{}");
    mkdirSync(join(place.userHome, ".claude"));
    const path = join(place.userHome, ".claude/settings.json");
    symlinkSync(real, path);
    const targets = targetsFor(claude, place);
    init(targets, place);
    expect([readFileSync(real, "utf8") === "{}", statSync(real).mode & 0o777, existsSync(path)]).toEqual([false, 0o644, true]);
    remove(targets, place);
    expect(readFileSync(real, "utf8")).toBe("{}");
  });
});
