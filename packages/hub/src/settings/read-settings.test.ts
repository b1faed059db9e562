import { readFileSync } from "node:fs";
import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { parseSettings } from "./read-settings.ts";
import { settingsSchema } from "./settings.ts";

const EVERYTHING = `# all there is
port: 5000
aop: true
strict: false
open: false
notify: false
capture:
  all: summary
  aop/local: minimal
keepSecrets: [aep, aop/local]
retention:
  days: 90
  bytes: 1000000000
limits: { eventBytes: 2097152, queueBytes: 33554432, listeners: 50 }
alerts:
  loopRule: aop-collector
  loopCalls: 4
  stallSeconds: 0
  violations: false
allowOrigins: [https://app.example, "http://localhost:3000"]
publicUrl: https://earshot.example.org
`;

/** The problems of a text: line:column message | hint. */
function told(text: string): readonly string[] {
  const read = parseSettings(text);
  return read.ok ? [] : read.troubles.map(({ line, column, message, hint }) => `${line}:${column} ${message} | ${hint}`);
}

describe("the file of settings", () => {
  it("may hold everything there is, and what is read fits the schema", () => {
    const read = parseSettings(EVERYTHING);
    expect(read).toEqual({
      ok: true,
      value: {
        port: 5000,
        aop: true,
        strict: false,
        open: false,
        notify: false,
        capture: { all: "summary", "aop/local": "minimal" },
        keepSecrets: ["aep", "aop/local"],
        retention: { days: 90, bytes: 1_000_000_000 },
        limits: { eventBytes: 2_097_152, queueBytes: 33_554_432, listeners: 50 },
        alerts: { loopRule: "aop-collector", loopCalls: 4, stallSeconds: 0, violations: false },
        allowOrigins: ["https://app.example", "http://localhost:3000"],
        publicUrl: "https://earshot.example.org",
      },
    });
    if (read.ok) expect(Compile(settingsSchema).Check(read.value)).toBe(true);
  });

  it.each(["", "\n\n", "# nothing yet\n", "---\n", "{}"])("may hold nothing: %j", (text) => {
    expect(parseSettings(text)).toEqual({ ok: true, value: {} });
  });

  it("takes 0 for no limit", () => {
    expect(parseSettings("retention: { days: 0, bytes: 0 }")).toEqual({ ok: true, value: { retention: { days: 0, bytes: 0 } } });
    expect(told("retention: { bytes: 0x0 }")).toHaveLength(1);
  });

  it("documents an example that is read without a word", () => {
    const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(readFileSync("docs/config.md", "utf8")) ?? [];
    expect(example).toContain("port:");
    expect(told(example)).toEqual([]);
  });

  it.each([
    ["prot: 1", "1:1 There is no setting `prot`. | Did you mean `port`?"],
    ["\n\nkeep-secrets: [aop]", "3:1 There is no setting `keep-secrets`. | Did you mean `keepSecrets`?"],
    ["limits:\n  eventBites: 5000", "2:3 There is no setting `limits.eventBites`. | Did you mean `eventBytes`?"],
    ["__proto__: {}", "1:1 There is no setting `__proto__`. | There are port"],
    ["capture: { aob: full }", "1:12 There is no setting `capture.aob`. | A source is all, a protocol"],
    ["capture: { all: ful }", "1:17 `capture.all` cannot be `ful`. | Did you mean full?"],
    ["capture: full", "1:10 `capture` takes settings of its own. | On lines of their own"],
    ["keepSecrets: all", "1:14 `keepSecrets` takes a list. | In brackets"],
    ["keepSecrets: [smtp]", "1:15 `keepSecrets` cannot be `smtp`. | A source is all"],
    ["port: 70000", "1:7 `port` is 70000, which is out of range. | A whole number from 0 to 65535."],
    ["port: -1", "1:7 `port` is -1, which is out of range."],
    ["retention: { bytes: 500 }", "1:21 `retention.bytes` is 500, which is out of range. | A whole number from 1048576 to"],
    ["alerts: { loopCalls: 1 }", "1:22 `alerts.loopCalls` is 1, which is out of range. | A whole number from 2 to 1000."],
    ["alerts: { loopRule: aop }", "1:21 `alerts.loopRule` cannot be `aop`. | One of no-new-result, aop-collector."],
    ["alerts: { stallSecond: 9 }", "1:11 There is no setting `alerts.stallSecond`. | Did you mean `stallSeconds`?"],
    ["port:", "1:6 `port` has no value. | Give it one, or remove the line."],
    ["port: [1]", "1:7 `port` takes a single value. | Write a whole number."],
    ["publicUrl: http://x.example", "1:12 `publicUrl` cannot be `http://x.example`. | An address that begins with https://"],
    ["publicUrl: https://[oops", "1:12 `publicUrl` cannot be `https://[oops`."],
    ["publicUrl: 7", "1:12 `publicUrl` takes a text; YAML reads `7` as a number."],
    ["- port", "1:1 The file is no list of settings. | Each line is `key: value`."],
    ["just words", "1:1 The file is no list of settings."],
  ])("says what is wrong with %j, where, and what to do", (text, expected) => {
    expect(told(text)).toEqual([expect.stringContaining(expected)]);
  });

  it.each([
    ["aop: no", "`no` does not mean false in YAML 1.2. | Write false."],
    ["aop: on", "`on` does not mean true in YAML 1.2. | Write true."],
    ["aop: Yes", "`Yes` does not mean true in YAML 1.2. | Write true."],
    ['aop: "true"', '"true" is a text, because of the quotes. | Write true.'],
    ["port: 1e3", "`port` is written as 1e3, which YAML reads as 1000. | If that is meant, write 1000."],
    ["port: 0x1F", "written as 0x1F, which YAML reads as 31."],
    ["port: 0o17", "written as 0o17, which YAML reads as 15."],
    ["port: 007", "written as 007, which YAML reads as 7."],
    ["port: 4747.0", "written as 4747.0, which YAML reads as 4747."],
    ["port: 4_747", "`4_747` is no whole number. | Digits only"],
    ["port: 47:47", "`47:47` is no whole number."],
    ["port: .inf", "`.inf` is no whole number."],
    ["port: '4747'", '"4747" is a text, because of the quotes.'],
    ["limits: { eventBytes: 1MiB }", "`1MiB` is no whole number. | Digits only"],
  ])("names the surprise in %j", (text, expected) => {
    expect(told(text)).toEqual([expect.stringContaining(expected)]);
  });

  it.each([
    ["port: 1\nport: 2", "2:1 This key was there before."],
    ["limits: &a { listeners: 1 }", "1:12 Anchors (&name) are not read here."],
    ["port: &a 1\nstrict: *a", "2:9 References (*name) are not read here."],
    ["port: !!int 1", "Tags such as"],
    ["aop: !mine x", "Tags such as"],
    ["limits:\n  <<: {}", "2:3 Merge keys (<<) are not read here."],
    ["%YAML 1.1\n---\naop: no", "1:1 YAML directives are not read here."],
    ["port: 1\n---\nport: 2", "There is more than one document in the file."],
    ["limits:\n\tlisteners: 5", "2:1"],
    ["port: 1 aop: true", "1:"],
    ["port: [1", "Is a bracket left open?"],
    ['port: "1', "This is not YAML"],
    ["port: 5\n  aop: true", "keys of one level begin at the same column"],
  ])("reads no part of YAML that means more than it says: %j", (text, expected) => {
    expect(told(text).join("\n")).toContain(expected);
  });

  it.each([
    ["brackets", "[".repeat(60_000)],
    ["braces", "{a: ".repeat(15_000)],
    ["list marks", `${"- ".repeat(30_000)}x`],
    ["question marks", `${"? ".repeat(30_000)}x`],
    ["indentation", Array.from({ length: 300 }, (_, level) => `${" ".repeat(level)}a:`).join("\n")],
    ["bytes", `# ${"x".repeat(70_000)}`],
  ])("refuses too many %s before it is parsed", (_what, text) => {
    expect(told(text)).toHaveLength(1);
    expect(told(text)[0]).toMatch(/nested too deeply|more than 65,536 characters/);
  });

  it("lists several things that are wrong at once", () => {
    expect(told("prot: 1\naop: no\nlimits: { listeners: 0 }")).toHaveLength(3);
  });
});
