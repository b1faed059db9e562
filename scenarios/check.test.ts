import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** `earshot check` as a person runs it: a process, real files, exit codes. */
const EARSHOT = resolve("packages/cli/bin/earshot.cjs");
const VALID = readFileSync("conformance/aaep/valid/whole-session.jsonl", "utf8");
const INVALID = readFileSync("conformance/aaep/invalid/appendix-a8-5.jsonl", "utf8");
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "earshot-check-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function earshot(args: readonly string[], input?: string | Buffer) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [EARSHOT, ...args], {
    cwd: folder,
    encoding: "utf8",
    input: input ?? "",
    maxBuffer: 1 << 28,
  });
  return { status, stdout, stderr };
}

interface Report {
  readonly ok: boolean;
  readonly protocol: string;
  readonly files: readonly {
    readonly file: string;
    readonly ok: boolean;
    readonly events: number;
    readonly sessions: number;
    readonly problems: readonly Record<string, unknown>[];
  }[];
  readonly coverage: readonly { readonly notExercised: readonly string[]; readonly liveOnly: readonly string[] }[];
}
function report(args: readonly string[], input?: string | Buffer) {
  const run = earshot(["check", "--json", ...args], input);
  return { ...run, report: JSON.parse(run.stdout) as Report };
}
function write(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return name;
}
const codes = (found: Report) =>
  found.files[0]?.problems.filter((problem) => problem["severity"] === "error").map((problem) => `${problem["line"]} ${problem["code"]}`);

describe("exit codes", () => {
  it("0 when a recording conforms", () => expect(earshot(["check", write("valid.jsonl", VALID)]).status).toBe(0));
  it("1 when there is an error", () => expect(earshot(["check", write("invalid.jsonl", INVALID)]).status).toBe(1));
  it("0 with warnings, 1 with warnings and --strict", () => {
    const warned = write("warned.jsonl", VALID.replace('"urgency":"critical"', '"urgency":"critical","ticket":"T-1"'));
    expect(earshot(["check", warned]).status).toBe(0);
    expect(earshot(["check", "--strict", warned]).status).toBe(1);
  });
  it("2 when a file is not there, and says so", () => {
    const run = earshot(["check", "nowhere.jsonl"]);
    expect(run.status).toBe(2);
    expect(run.stdout).toContain("There is no such file.");
  });
  it("2 when one of several files is not there, and the others are still checked", () => {
    const run = report([write("valid.jsonl", VALID), "nowhere.jsonl"]);
    expect(run.status).toBe(2);
    expect(run.report.files.map((file) => file.ok)).toEqual([true, false]);
  });
  for (const args of [
    ["check"],
    ["check", "--level", "4", "x"],
    ["check", "--format", "pdf", "x"],
    ["check", "--protocol", "http", "x"],
    ["check", "--nonsense", "x"],
    ["check", "--require-coverage", "x"],
    ["check", "*.none"],
    ["chekc"],
    ["explain"],
    ["explain", "aaep/none"],
    ["rules", "--protocol", "x"],
  ]) {
    it(`2 for "earshot ${args.join(" ")}", with a hint and no stack trace`, () => {
      const run = earshot(args);
      expect(run.status).toBe(2);
      expect(run.stderr).toMatch(/^earshot: .+\n.+\n$/);
      expect(run.stderr).not.toMatch(/at .*\.ts:\d+/);
    });
  }
});

describe("what can be read", () => {
  const events = VALID.trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  for (const [name, content] of [
    ["a JSON array", JSON.stringify(events)],
    ["an indented JSON array", JSON.stringify(events, null, 2)],
    ["objects over several lines", events.map((event) => JSON.stringify(event, null, 2)).join("\n")],
    ["Windows line ends", VALID.replaceAll("\n", "\r\n")],
    ["a byte order mark", `\ufeff${VALID}`],
    ["empty lines and spaces", `\n\n${VALID.replaceAll("\n", "  \n\n")}\n`],
    ["no newline at the end", VALID.trimEnd()],
    ["gzip", gzipSync(VALID)],
  ] as const) {
    it(name, () => {
      const run = report([write("input", content)]);
      expect(run.report.files[0]).toMatchObject({ ok: true, events: events.length - 1, sessions: 1 });
      expect(run.status).toBe(0);
    });
    it(`${name}, from standard input`, () => {
      const run = report(["-"], content);
      expect(run.report).toMatchObject({ ok: true, protocol: "aaep", files: [{ file: "(standard input)" }] });
    });
  }

  it("a single event over several lines", () => {
    const run = report([write("one.json", JSON.stringify(events[1], null, 2))]);
    expect(run.report.files[0]?.events).toBe(1);
  });

  it("folders and patterns", () => {
    mkdirSync(join(folder, "deep/er"), { recursive: true });
    write("deep/a.jsonl", VALID);
    write("deep/er/b.jsonl.gz", gzipSync(VALID));
    write("deep/er/notes.txt", "not a recording");
    expect(report(["deep"]).report.files.map((file) => file.file)).toEqual([join("deep", "a.jsonl"), join("deep", "er", "b.jsonl.gz")]);
    expect(report(["deep/**/*.jsonl"]).report.files.map((file) => file.file)).toEqual([join("deep", "a.jsonl")]);
  });

  it("all three protocols in one file, line by line", () => {
    const aep = readFileSync("conformance/aep/valid/generated-1.jsonl", "utf8");
    const aop = readFileSync("conformance/aop/valid/generated-1.jsonl", "utf8");
    const lines = [VALID, aep, aop].map((text) => text.trimEnd().split("\n"));
    const mixed = Array.from({ length: 100 }, (_, index) => lines.flatMap((file) => file[index] ?? [])).flat();
    const run = report([write("mixed.jsonl", mixed.join("\n"))]);
    expect(run.report).toMatchObject({ ok: true, protocol: "mixed" });
  });
});

describe("what cannot be read", () => {
  const bad: readonly (readonly [string, string | Buffer, string])[] = [
    ["half a line", '{"a":', "NOT_JSON"],
    ["plain text", "hello", "NOT_JSON"],
    ["null", "null", "NOT_AN_OBJECT"],
    ["a list", "[]", "NOT_AN_OBJECT"],
    ["a number", "123", "NOT_AN_OBJECT"],
    ["equal keys", '{"@context":"x","type":"a","type":"b"}', "JSON_DUPLICATE_KEY"],
    ["__proto__", '{"@context":"x","__proto__":{"a":1}}', "JSON_FORBIDDEN_KEY"],
    ["deep nesting", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`, "JSON_TOO_DEEP"],
    ["a number past every double", '{"@context":"x","a":1e999}', "JSON_NUMBER_RANGE"],
    ["another kind of object", '{"hello":"world"}', "PROTOCOL_UNKNOWN"],
    ["bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), "NOT_UTF8"],
    ["a line of 17 million characters", `{"@context":"${"x".repeat(17_000_000)}"}`, "TOO_LARGE"],
  ];
  const first = VALID.slice(0, VALID.indexOf("\n") + 1);
  const rest = VALID.slice(first.length);

  for (const [name, line, code] of bad) {
    it(`${name}: a problem at that line, and the rest is still checked`, () => {
      const content = Buffer.concat([Buffer.from(first), Buffer.from(line), Buffer.from(`\n${rest}`)]);
      const run = report([write("bad.jsonl", content)]);
      expect(codes(run.report)).toEqual([`2 ${code}`]);
      expect(run.status).toBe(1);
    });
    it(`${name}: the same when it is the first line`, () => {
      const run = report([write("bad.jsonl", Buffer.concat([Buffer.from(line), Buffer.from(`\n${VALID}`)]))]);
      expect(codes(run.report)).toEqual([`1 ${code}`]);
    });
  }

  const events = VALID.trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  const flawed = [...events.slice(0, 3), { "@context": "x" }, ...events.slice(3)];

  for (const [name, text, line] of [
    [
      "bytes that are not UTF-8 in an array",
      `[\n${flawed.map((event) => JSON.stringify(event)).join(",\n")}\n]`.replace('"x"', '"\u0000"'),
      5,
    ],
    [
      "bytes that are not UTF-8 in objects over several lines",
      flawed
        .map((event) => JSON.stringify(event, null, 1))
        .join("\n")
        .replace('"x"', '"\u0000"'),
      undefined,
    ],
  ] as const) {
    it(`${name}: a problem there, and the rest is still checked`, () => {
      const bytes = Buffer.from(text);
      bytes[bytes.indexOf(0)] = 0xff;
      const run = report([write("bad.json", bytes)]);
      expect(codes(run.report)?.map((code) => code.split(" ")[1])).toEqual(["NOT_UTF8"]);
      if (line !== undefined) expect(codes(run.report)).toEqual([`${line} NOT_UTF8`]);
      expect(run.report.files[0]?.events).toBe(events.length - 1);
    });
  }

  for (const [name, text, expected] of [
    ["a comma before the end", `[\n${JSON.stringify(events[0])},\n]`, ["3 NOT_JSON"]],
    ["two ends", "[\n]\n]", ["3 NOT_JSON"]],
    ["a string between the events", `["a,b]{",\n${JSON.stringify(events[0])}]`, ["1 NOT_AN_OBJECT"]],
    ["null between the events", `[null,\n${JSON.stringify(events[0])}]`, ["1 NOT_AN_OBJECT"]],
    ["no comma", `[${JSON.stringify(events[0])}\n${JSON.stringify(events[0])}]`, ["2 NOT_JSON"]],
    [
      "a word between objects over several lines",
      `${JSON.stringify(events[0], null, 1)}\nnull\n${JSON.stringify(events[0], null, 1)}`,
      ["15 NOT_AN_OBJECT"],
    ],
  ] as const) {
    it(`an array or layout with ${name}`, () => {
      const lines = JSON.stringify(events[0], null, 1).split("\n").length;
      const found = codes(report([write("odd.json", text)]).report)?.filter((code) => !code.endsWith("SEQUENCE_BROKEN"));
      expect(found).toEqual(expected.map((code) => code.replace("15 ", `${lines + 1} `)));
    });
  }

  it("an event that is cut off in the middle does not hide the others", () => {
    const lines = events.map((event) => JSON.stringify(event));
    lines[2] = (lines[2] ?? "").slice(0, 60);
    for (const text of [
      `[\n${lines.join(",\n")}\n]`,
      lines.join("\n"),
      events.map((event, index) => (index === 2 ? JSON.stringify(event, null, 2).slice(0, 90) : JSON.stringify(event, null, 2))).join("\n"),
    ]) {
      const run = report([write("cut.json", text)]);
      expect(codes(run.report)?.filter((code) => code.endsWith("NOT_JSON"))).toHaveLength(1);
      expect(run.report.files[0]?.events).toBe(events.length - 2);
    }
  });

  it("a first line that is cut off does not hide the others", () => {
    const run = report([write("cut.jsonl", `{"aep_version":\nlog: restarted\n${VALID}`)]);
    expect(run.report.files[0]?.events).toBe(events.length - 1);
    expect(codes(run.report)?.[0]).toBe("1 NOT_JSON");
    expect(codes(report([write("cut.jsonl", `[1,2\n${VALID}`)]).report)).toEqual(["1 NOT_JSON"]);
  });

  it("an array that is cut off: what is there is checked", () => {
    const text = JSON.stringify(
      VALID.trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
      null,
      1,
    );
    const run = report([write("cut.json", text.slice(0, -200))]);
    expect(codes(run.report)?.some((code) => code.endsWith("NOT_JSON"))).toBe(true);
    expect(run.report.files[0]?.events).toBeGreaterThan(10);
    expect(run.status).toBe(1);
  });

  it("an empty file, and one of white space", () => {
    for (const content of ["", " \n\n\t\n"]) {
      const run = report([write("empty.jsonl", content)]);
      expect(codes(run.report)).toEqual(["0 FILE_EMPTY"]);
      expect(run.status).toBe(2);
    }
  });

  it("damaged gzip", () => {
    const packed = gzipSync(VALID);
    for (const content of [
      packed.subarray(0, packed.length - 20),
      Buffer.concat([packed.subarray(0, 30), Buffer.from("garbage garbage garbage")]),
    ]) {
      const run = report([write("damaged.jsonl.gz", content)]);
      expect(run.status).toBe(2);
      expect(codes(run.report)).toContain("0 FILE_UNREADABLE");
    }
  });

  it("a file that may not be read", { skip: process.getuid?.() === 0 || process.platform === "win32" }, () => {
    const name = write("secret.jsonl", VALID);
    chmodSync(join(folder, name), 0);
    expect(earshot(["check", name]).status).toBe(2);
  });
});

describe("reports", () => {
  it("name file, line, event, rule, place, what was found and what to do", () => {
    const { stdout } = earshot(["check", write("invalid.jsonl", INVALID)]);
    for (const part of ["invalid.jsonl:5", "evt_0005", "aaep/rejected-action-not-invoked", "transfer_funds", "To do:", "not a certificate"])
      expect(stdout).toContain(part);
    expect(stdout).not.toContain("\u001b");
  });

  it("as JSON have exactly the documented members in each problem", () => {
    const [problem] = report([write("invalid.jsonl", INVALID)]).report.files[0]?.problems ?? [];
    expect(Object.keys(problem ?? {})).toEqual(["severity", "code", "rule", "line", "eventId", "sessionId", "pointer", "message", "hint"]);
  });

  for (const [format, sign] of [
    ["junit", "<testsuites"],
    ["sarif", '"2.1.0"'],
    ["html", "<!doctype html>"],
    ["json", '"files"'],
    ["text", "does not conform"],
  ] as const) {
    it(`can be written to a file as ${format}`, () => {
      const run = earshot(["check", "--format", format, "--out", `report.${format}`, write("invalid.jsonl", INVALID)]);
      expect(run.status).toBe(1);
      expect(run.stdout).toContain(`Report written to report.${format}`);
      expect(readFileSync(join(folder, `report.${format}`), "utf8")).toContain(sign);
    });
  }

  it("strip what could act on a terminal", () => {
    const hostile = INVALID.replaceAll("transfer_funds", "\\u001b[2Jboo\\u202e");
    expect(earshot(["check", write("hostile.jsonl", hostile)]).stdout).not.toMatch(/\p{Cc}(?<!\n)|\p{Cf}/u);
  });
});

describe("levels", () => {
  it("list what was never put to the test and what only a live drive can decide", () => {
    const { report: found, status } = report(["--level", "3", write("valid.jsonl", VALID)]);
    expect(found.coverage[0]?.notExercised).toContain("aaep/honored-not-looser");
    expect(found.coverage[0]?.liveOnly).toContain("aaep/critical-always-delivered");
    expect(status).toBe(0);
  });

  it("count missing coverage when it is required, so that an empty session does not pass level 3", () => {
    const bare = VALID.split("\n")
      .filter((line) => line.includes("session.started") || line.includes("session.completed"))
      .join("\n");
    expect(earshot(["check", "--level", "3", write("bare.jsonl", bare)]).status).toBe(0);
    expect(earshot(["check", "--level", "3", "--require-coverage", "bare.jsonl"]).status).toBe(1);
  });

  it("can be covered by several recordings together", () => {
    const run = report(["--level", "1", resolve("conformance/aaep/valid")]);
    expect(run.report.coverage[0]?.notExercised).toEqual([]);
    expect(earshot(["check", "--level", "3", "--require-coverage", resolve("conformance/aaep/valid")]).status).toBe(0);
  });

  it("say that AOP has none", () => {
    expect(earshot(["check", "--level", "1", resolve("conformance/aop/valid/generated-1.jsonl")]).stdout).toContain(
      "AOP defines no conformance levels",
    );
  });

  it("let warnings count at AEP level 3 only", () => {
    const warned = resolve("conformance/aep/invalid/version-known.jsonl");
    expect(earshot(["check", "--level", "2", warned]).status).toBe(0);
    expect(earshot(["check", "--level", "3", warned]).status).toBe(1);
  });

  it("let nulls count at every AEP level, and missing advised members at level 3", () => {
    const nulls = resolve("conformance/aep/invalid/no-null.jsonl");
    const bare = resolve("conformance/aep/invalid/should-carry.jsonl");
    expect(earshot(["check", nulls]).status).toBe(0);
    expect(earshot(["check", "--level", "1", nulls]).status).toBe(1);
    expect(earshot(["check", "--level", "2", bare]).status).toBe(0);
    expect(earshot(["check", "--level", "3", bare]).status).toBe(1);
  });
});

describe("a baseline", () => {
  const entry = { rule: "aaep/rejected-action-not-invoked", reason: "Known in the old bot; goes away with release 9." };

  it("accepts known problems, each with its reason", () => {
    write("baseline.json", JSON.stringify({ accept: [entry] }));
    const run = earshot(["check", "--baseline", "baseline.json", write("invalid.jsonl", INVALID)]);
    expect(run.stdout).toContain(entry.reason);
    expect(run.status).toBe(0);
  });

  it("does not accept others, and says which entries are not needed", () => {
    write("baseline.json", JSON.stringify({ accept: [{ ...entry, eventId: "evt_9999" }] }));
    const run = earshot(["check", "--baseline", "baseline.json", write("invalid.jsonl", INVALID)]);
    expect(run.status).toBe(1);
    expect(run.stdout).toContain("the entry can be deleted");
  });

  for (const [name, content] of [
    ["no reason", { accept: [{ rule: "x" }] }],
    ["an unknown member", { accept: [{ ...entry, line: "3" }] }],
    ["no list", {}],
  ] as const) {
    it(`with ${name} is refused`, () => {
      write("baseline.json", JSON.stringify(content));
      expect(earshot(["check", "--baseline", "baseline.json", write("valid.jsonl", VALID)]).status).toBe(2);
    });
  }
});

describe("large recordings", () => {
  it("are checked in threads when there are several, with the same result", () => {
    const many = Array.from({ length: 1500 }, (_, index) =>
      VALID.replaceAll("sess_0001", `sess_${index}`).replaceAll("evt_", `evt_${index}x`).replaceAll("rpl_0001", `rpl_${index}`),
    ).join("");
    for (const name of ["one.jsonl", "two.jsonl", "three.jsonl"]) write(name, many);
    write("two.jsonl", many + INVALID);
    const run = report(["one.jsonl", "two.jsonl", "three.jsonl"]);
    expect(run.report.files.map(({ file, ok, sessions }) => ({ file, ok, sessions }))).toEqual([
      { file: "one.jsonl", ok: true, sessions: 1500 },
      { file: "two.jsonl", ok: false, sessions: 1501 },
      { file: "three.jsonl", ok: true, sessions: 1500 },
    ]);
  });
});

describe("the other commands", () => {
  it("explain every rule and every code", () => {
    const listed = JSON.parse(earshot(["rules", "--json"]).stdout) as { readonly rules: readonly { readonly rule: string }[] };
    expect(listed.rules.length).toBeGreaterThan(200);
    const run = earshot(["explain", ...listed.rules.map((rule) => rule.rule), "NOT_JSON", "event_invalid"]);
    expect(run.status).toBe(0);
    expect(run.stdout).not.toContain("undefined");
  });
  it("help themselves", () => {
    for (const args of [["--help"], ["check", "--help"], ["explain", "--help"], ["rules", "--help"], ["start", "--help"]]) {
      const run = earshot(args);
      expect(run.status).toBe(0);
      expect(run.stdout).toMatch(/^Usage: earshot/);
    }
  });
  it("tell the version of the package", () => {
    const { version } = JSON.parse(readFileSync("packages/cli/package.json", "utf8")) as { readonly version: string };
    expect(earshot(["--version"]).stdout.trim()).toBe(version);
  });
});
