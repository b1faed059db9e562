import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONFORMANCE_CASES, conformanceRecording } from "../../../protocol/testing/conformance.ts";
import { main } from "../main.ts";

/** `earshot check` with real files and its exit codes; `scenarios/check.scenario.ts` runs the built command. */
const VALID = conformanceRecording("aaep/valid/whole-session");
const INVALID = conformanceRecording("aaep/invalid/appendix-a8-5");
let folder = "";

const repository = process.cwd();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "earshot-check-"));
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(repository);
  rmSync(folder, { recursive: true, force: true });
});

async function earshot(args: readonly string[], input: string | Buffer = "") {
  let [stdout, stderr] = ["", ""];
  const status = await main(args, {
    stdin: Readable.from([Buffer.from(input)]),
    out: (text) => {
      stdout += text;
    },
    err: (text) => {
      stderr += text;
    },
    terminal: { out: false, err: false, colour: false, width: 0 },
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
async function report(args: readonly string[], input?: string | Buffer) {
  const run = await earshot(["check", "--json", ...args], input);
  return { ...run, report: JSON.parse(run.stdout) as Report };
}
function write(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return name;
}
const codes = (found: Report) =>
  found.files[0]?.problems.filter((problem) => problem["severity"] === "error").map((problem) => `${problem["line"]} ${problem["code"]}`);

describe("exit codes", () => {
  it("0 when a recording conforms", async () => expect((await earshot(["check", write("valid.jsonl", VALID)])).status).toBe(0));
  it("1 when there is an error", async () => expect((await earshot(["check", write("invalid.jsonl", INVALID)])).status).toBe(1));
  it("0 with warnings, 1 with warnings and --strict", async () => {
    const warned = write("warned.jsonl", conformanceRecording("aep/invalid/version-known"));
    expect((await earshot(["check", warned])).status).toBe(0);
    expect((await earshot(["check", "--strict", warned])).status).toBe(1);
  });
  it("2 when a file is not there, and says so", async () => {
    const run = await earshot(["check", "nowhere.jsonl"]);
    expect(run.status).toBe(2);
    expect(run.stdout).toContain("There is no such file.");
  });
  it("2 when one of several files is not there, and the others are still checked", async () => {
    const run = await report([write("valid.jsonl", VALID), "nowhere.jsonl"]);
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
    ["check", "explain"],
    ["check", "explain", "aaep/none"],
    ["check", "rules", "--protocol", "x"],
  ]) {
    it(`2 for "earshot ${args.join(" ")}", with a hint and no stack trace`, async () => {
      const run = await earshot(args);
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
    it(name, async () => {
      const run = await report([write("input", content)]);
      expect(run.report.files[0]).toMatchObject({ ok: true, events: events.length - 1, sessions: 1 });
      expect(run.status).toBe(0);
    });
    it(`${name}, from standard input`, async () => {
      const run = await report(["-"], content);
      expect(run.report).toMatchObject({ ok: true, protocol: "aaep", files: [{ file: "(standard input)" }] });
    });
  }

  it("a single event by itself: valid, and not a complete session", async () => {
    const event = JSON.stringify({
      "@context": "https://aaep-protocol.org/context/v1",
      type: "aaep:agent.tool.invoked",
      event_id: "evt_1",
      session_id: "sess_1",
      timestamp: "2026-07-01T09:00:00.000Z",
      producer: { agent_id: "a" },
      localization_hints: { primary_language: "en" },
      tool: "grep",
      summary_normal: "Searching.",
    });
    const valid = await earshot(["check", "-"], event);
    expect(valid).toMatchObject({ status: 0 });
    expect(valid.stdout).toContain("Valid, not a complete session");
    const broken = await earshot(["check", "-"], event.replace("evt_1", "evt-1"));
    expect(broken).toMatchObject({ status: 1 });
    expect(broken.stdout).not.toContain("Valid");
  });

  it("a single event over several lines", async () => {
    const run = await report([write("one.json", JSON.stringify(events[1], null, 2))]);
    expect(run.report.files[0]?.events).toBe(1);
  });

  it("folders and patterns", async () => {
    mkdirSync(join(folder, "deep/er"), { recursive: true });
    write("deep/a.jsonl", VALID);
    write("deep/er/b.jsonl.gz", gzipSync(VALID));
    write("deep/er/notes.txt", "not a recording");
    expect((await report(["deep"])).report.files.map((file) => file.file)).toEqual([
      join("deep", "a.jsonl"),
      join("deep", "er", "b.jsonl.gz"),
    ]);
    expect((await report(["deep/**/*.jsonl"])).report.files.map((file) => file.file)).toEqual([join("deep", "a.jsonl")]);
  });

  it("all three protocols in one file, line by line", async () => {
    const aep = conformanceRecording("aep/valid/generated-1");
    const aop = conformanceRecording("aop/valid/generated-1");
    const lines = [VALID, aep, aop].map((text) => text.trimEnd().split("\n"));
    const mixed = Array.from({ length: 100 }, (_, index) => lines.flatMap((file) => file[index] ?? [])).flat();
    const run = await report([write("mixed.jsonl", mixed.join("\n"))]);
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
    it(`${name}: a problem at that line, and the rest is still checked`, async () => {
      const content = Buffer.concat([Buffer.from(first), Buffer.from(line), Buffer.from(`\n${rest}`)]);
      const run = await report([write("bad.jsonl", content)]);
      expect(codes(run.report)).toEqual([`2 ${code}`]);
      expect(run.status).toBe(1);
    });
    it(`${name}: the same when it is the first line`, async () => {
      const run = await report([write("bad.jsonl", Buffer.concat([Buffer.from(line), Buffer.from(`\n${VALID}`)]))]);
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
    it(`${name}: a problem there, and the rest is still checked`, async () => {
      const bytes = Buffer.from(text);
      bytes[bytes.indexOf(0)] = 0xff;
      const run = await report([write("bad.json", bytes)]);
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
    it(`an array or layout with ${name}`, async () => {
      const lines = JSON.stringify(events[0], null, 1).split("\n").length;
      const found = codes((await report([write("odd.json", text)])).report)?.filter((code) => !code.endsWith("SEQUENCE_BROKEN"));
      expect(found).toEqual(expected.map((code) => code.replace("15 ", `${lines + 1} `)));
    });
  }

  it("an event that is cut off in the middle does not hide the others", async () => {
    const lines = events.map((event) => JSON.stringify(event));
    lines[2] = (lines[2] ?? "").slice(0, 60);
    for (const text of [
      `[\n${lines.join(",\n")}\n]`,
      lines.join("\n"),
      events.map((event, index) => (index === 2 ? JSON.stringify(event, null, 2).slice(0, 90) : JSON.stringify(event, null, 2))).join("\n"),
    ]) {
      const run = await report([write("cut.json", text)]);
      expect(codes(run.report)?.filter((code) => code.endsWith("NOT_JSON"))).toHaveLength(1);
      expect(run.report.files[0]?.events).toBe(events.length - 2);
    }
  });

  it("a first line that is cut off does not hide the others", async () => {
    const run = await report([write("cut.jsonl", `{"aep_version":\nlog: restarted\n${VALID}`)]);
    expect(run.report.files[0]?.events).toBe(events.length - 1);
    expect(codes(run.report)?.[0]).toBe("1 NOT_JSON");
    expect(codes((await report([write("cut.jsonl", `[1,2\n${VALID}`)])).report)).toEqual(["1 NOT_JSON"]);
  });

  it("an array that is cut off: what is there is checked", async () => {
    const text = JSON.stringify(
      VALID.trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
      null,
      1,
    );
    const run = await report([write("cut.json", text.slice(0, -200))]);
    expect(codes(run.report)?.some((code) => code.endsWith("NOT_JSON"))).toBe(true);
    expect(run.report.files[0]?.events).toBeGreaterThan(10);
    expect(run.status).toBe(1);
  });

  it("an empty file, and one of white space", async () => {
    for (const content of ["", " \n\n\t\n"]) {
      const run = await report([write("empty.jsonl", content)]);
      expect(codes(run.report)).toEqual(["0 FILE_EMPTY"]);
      expect(run.status).toBe(2);
    }
  });

  it("damaged gzip", async () => {
    const packed = gzipSync(VALID);
    for (const content of [
      packed.subarray(0, packed.length - 20),
      Buffer.concat([packed.subarray(0, 30), Buffer.from("garbage garbage garbage")]),
    ]) {
      const run = await report([write("damaged.jsonl.gz", content)]);
      expect(run.status).toBe(2);
      expect(codes(run.report)).toContain("0 FILE_UNREADABLE");
    }
  });

  it("a file that may not be read", { skip: process.getuid?.() === 0 || process.platform === "win32" }, async () => {
    const name = write("secret.jsonl", VALID);
    chmodSync(join(folder, name), 0);
    expect((await earshot(["check", name])).status).toBe(2);
  });
});

describe("reports", () => {
  it("name file, line, event, rule, place, what was found and what to do", async () => {
    const { stdout } = await earshot(["check", write("invalid.jsonl", INVALID)]);
    for (const part of ["invalid.jsonl:5", "evt_0005", "aaep/rejected-action-not-invoked", "transfer_funds", "To do:", "not a certificate"])
      expect(stdout).toContain(part);
    expect(stdout).not.toContain("\u001b");
  });

  it("as JSON have exactly the documented members in each problem", async () => {
    const [problem] = (await report([write("invalid.jsonl", INVALID)])).report.files[0]?.problems ?? [];
    expect(Object.keys(problem ?? {})).toEqual(["severity", "code", "rule", "line", "eventId", "sessionId", "pointer", "message", "hint"]);
  });

  for (const [format, sign] of [
    ["junit", "<testsuites"],
    ["sarif", '"2.1.0"'],
    ["html", "<!doctype html>"],
    ["json", '"files"'],
    ["text", "does not conform"],
  ] as const) {
    it(`can be written to a file as ${format}`, async () => {
      const run = await earshot(["check", "--format", format, "--out", `report.${format}`, write("invalid.jsonl", INVALID)]);
      expect(run.status).toBe(1);
      expect(run.stdout).toContain(`Report written to report.${format}`);
      expect(readFileSync(join(folder, `report.${format}`), "utf8")).toContain(sign);
    });
  }

  it("strip what could act on a terminal", async () => {
    const hostile = INVALID.replaceAll("transfer_funds", "\\u001b[2Jboo\\u202e");
    expect((await earshot(["check", write("hostile.jsonl", hostile)])).stdout).not.toMatch(/\p{Cc}(?<!\n)|\p{Cf}/u);
  });
});

describe("levels", () => {
  it("list what was never put to the test and what only a live drive can decide", async () => {
    const { report: found, status } = await report(["--level", "3", write("valid.jsonl", VALID)]);
    expect(found.coverage[0]?.notExercised).toContain("aaep/honored-not-looser");
    expect(found.coverage[0]?.liveOnly).toContain("aaep/critical-always-delivered");
    expect(status).toBe(0);
  });

  it("count missing coverage when it is required, so that an empty session does not pass level 3", async () => {
    const bare = VALID.split("\n")
      .filter((line) => line.includes("session.started") || line.includes("session.completed"))
      .join("\n");
    expect((await earshot(["check", "--level", "3", write("bare.jsonl", bare)])).status).toBe(0);
    expect((await earshot(["check", "--level", "3", "--require-coverage", "bare.jsonl"])).status).toBe(1);
  });

  it("can be covered by several recordings together", async () => {
    mkdirSync(join(folder, "aaep/valid"), { recursive: true });
    for (const { id, lines } of CONFORMANCE_CASES) if (id.startsWith("aaep/valid/")) write(`${id}.jsonl`, lines.join("\n"));
    const run = await report(["--level", "1", "aaep"]);
    expect(run.report.coverage[0]?.notExercised).toEqual([]);
    expect((await earshot(["check", "--level", "3", "--require-coverage", "aaep"])).status).toBe(0);
  });

  it("say that AOP has none", async () => {
    expect((await earshot(["check", "--level", "1", write("aop.jsonl", conformanceRecording("aop/valid/generated-1"))])).stdout).toContain(
      "AOP defines no conformance levels",
    );
  });

  it("let warnings count at AEP level 3 only", async () => {
    const warned = write("warned.jsonl", conformanceRecording("aep/invalid/version-known"));
    expect((await earshot(["check", "--level", "2", warned])).status).toBe(0);
    expect((await earshot(["check", "--level", "3", warned])).status).toBe(1);
  });

  it("let nulls count at every AEP level, and missing advised members at level 3", async () => {
    const nulls = write("nulls.jsonl", conformanceRecording("aep/invalid/no-null"));
    const bare = write("bare.jsonl", conformanceRecording("aep/invalid/should-carry"));
    expect((await earshot(["check", nulls])).status).toBe(0);
    expect((await earshot(["check", "--level", "1", nulls])).status).toBe(1);
    expect((await earshot(["check", "--level", "2", bare])).status).toBe(0);
    expect((await earshot(["check", "--level", "3", bare])).status).toBe(1);
  });
});

describe("a baseline", () => {
  const entry = { rule: "aaep/rejected-action-not-invoked", reason: "Known in the old bot; goes away with release 9." };

  it("accepts known problems, each with its reason", async () => {
    write("baseline.json", JSON.stringify({ accept: [entry] }));
    const run = await earshot(["check", "--baseline", "baseline.json", write("invalid.jsonl", INVALID)]);
    expect(run.stdout).toContain(entry.reason);
    expect(run.status).toBe(0);
  });

  it("does not accept others, and says which entries are not needed", async () => {
    write("baseline.json", JSON.stringify({ accept: [{ ...entry, eventId: "evt_9999" }] }));
    const run = await earshot(["check", "--baseline", "baseline.json", write("invalid.jsonl", INVALID)]);
    expect(run.status).toBe(1);
    expect(run.stdout).toContain("the entry can be deleted");
  });

  for (const [name, content] of [
    ["no reason", { accept: [{ rule: "x" }] }],
    ["an unknown member", { accept: [{ ...entry, line: "3" }] }],
    ["no list", {}],
  ] as const) {
    it(`with ${name} is refused`, async () => {
      write("baseline.json", JSON.stringify(content));
      expect((await earshot(["check", "--baseline", "baseline.json", write("valid.jsonl", VALID)])).status).toBe(2);
    });
  }
});

describe("conformance documents", () => {
  it("pass when every case is judged as it expects", async () => {
    const run = await earshot(["check", resolve(repository, "conformance/aop")]);
    expect(run.stdout).toContain("10 of 10 cases judged as expected");
    expect(run.status).toBe(0);
  });

  it("fail with the name of each case that is not", async () => {
    const text = readFileSync(resolve(repository, "conformance/aop/cognition.json"), "utf8");
    const run = await earshot([
      "check",
      write("changed.json", text.replace('"findings": []', '"findings": [{"rule":"aop/tool-ends","severity":"warning"}]')),
    ]);
    expect(run.stdout).toContain("Case valid/thought-payload: aop/tool-ends is expected (warning), but was not found.");
    expect(run.status).toBe(1);
  });
});

describe("the other commands", () => {
  it("explain every rule and every code", async () => {
    const listed = JSON.parse((await earshot(["check", "rules", "--json"])).stdout) as {
      readonly rules: readonly { readonly rule: string }[];
    };
    expect(listed.rules.length).toBeGreaterThan(200);
    const run = await earshot(["check", "explain", ...listed.rules.map((rule) => rule.rule), "NOT_JSON", "event_invalid"]);
    expect(run.status).toBe(0);
    expect(run.stdout).not.toContain("undefined");
  });
  it("help themselves", async () => {
    for (const args of [
      ["--help"],
      ["check", "--help"],
      ["check", "explain", "--help"],
      ["check", "rules", "--help"],
      ["start", "--help"],
    ]) {
      const run = await earshot(args);
      expect(run.status).toBe(0);
      expect(run.stdout).toMatch(/^Usage: earshot/);
    }
  });
  it("tell the version of the package", async () => {
    const { version } = JSON.parse(readFileSync(resolve(repository, "packages/cli/package.json"), "utf8")) as { readonly version: string };
    expect((await earshot(["--version"])).stdout.trim()).toBe(version);
  });
});
