import { EVENT_TYPE_NAMES } from "@earshot/protocol/aep";
import type { JsonValue } from "@earshot/protocol/json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorsIn } from "../testing/agent-folders.ts";
import { compileMapping } from "./compile-mapping.ts";
import { FIELD_KINDS } from "./field-kinds.ts";
import { type MapOptions, type MappedPayload, mapPayload } from "./map-payload.ts";
import { readMapping } from "./read-mapping.ts";

/** Maps one payload with a mapping file made of these lines. */
function map(lines: string, payload: JsonValue, options: Partial<MapOptions> = {}): MappedPayload {
  const read = readMapping(`schema_version: aep.mapping/v1\nagent: test\n${lines}`);
  if (!read.ok) throw new Error(JSON.stringify(read.troubles));
  let count = 0;
  return mapPayload(compileMapping(read.value.mapping), payload, { now: Date.UTC(2026, 8, 1), ids: () => `evt_${++count}`, ...options });
}

/** The first event that one entry with these fields produces from a payload. */
function event(
  fields: string,
  payload: JsonValue,
  { type = "prompt.submitted", ...options }: Partial<MapOptions> & { type?: string } = {},
): Readonly<Record<string, unknown>> {
  const { events, warnings } = map(
    `events:\n  - id: one\n    canonical_event: ${type}\n    ${fields.replaceAll("\n", "\n    ")}\n`,
    payload,
    options,
  );
  return { ...(events[0]?.event as unknown as Record<string, JsonValue>), warnings: warnings.map(({ field }) => field) };
}

const types = (mapped: MappedPayload) => mapped.events.map(({ event: { type } }) => type);

describe("the name of the hook", () => {
  const lines = "events: [{ id: one, source_event: Pre, canonical_event: agent.start }]";

  it.each(["hook_event_name", "hookEventName", "hookName", "agent_action_name", "event", "event_type", "event_name"])(
    "is found at /%s",
    (name) => {
      expect(types(map(lines, { [name]: "Pre" }))).toEqual(["agent.start"]);
    },
  );

  it("is found inside an event, or beside the payload; the payload counts first", () => {
    expect(types(map(lines, { event: { type: "Pre" } }))).toEqual(["agent.start"]);
    expect(types(map(lines, {}, { hook: "Pre" }))).toEqual(["agent.start"]);
    expect(types(map(lines, { hook_event_name: "Post" }, { hook: "Pre" }))).toEqual([]);
    expect(types(map(lines, { hook_event_name: "" }, { hook: "Pre" }))).toEqual(["agent.start"]);
  });

  it("may be looked for elsewhere, in the environment too, and be known by what the payload looks like", () => {
    const elsewhere = `event_name: { source: [/kind, env:HOOK], infer: [{ hook: Pre, when: { /a: { exists: true } } }] }\n${lines}`;
    expect(types(map(elsewhere, { kind: "Pre" }))).toEqual(["agent.start"]);
    expect(types(map(elsewhere, {}, { env: { HOOK: "Pre" } }))).toEqual(["agent.start"]);
    expect(types(map(elsewhere, { a: 1 }))).toEqual(["agent.start"]);
    expect(map(elsewhere, {}).nothing?.why).toBe("no-hook-name");
  });

  it("counts also where it is spelled otherwise, unless that is another hook", () => {
    const both =
      "events: [{ id: a, source_event: PreToolUse, canonical_event: agent.start }, { id: b, source_event: preToolUse, canonical_event: agent.stop }]";
    expect(types(map(both, { event: "preToolUse" }))).toEqual(["agent.stop"]);
    const one = map("events: [{ id: a, source_event: PreToolUse, canonical_event: agent.start }]", { event: "pre_tool_use" });
    expect([one.hook, one.events[0]?.event.hook]).toEqual(["PreToolUse", "PreToolUse"]);
  });
});

describe("choosing entries", () => {
  it("takes all that match, in the order of the file, until one says it is the last", () => {
    const lines = (first: boolean) => `events:
  - { id: a, source_event: [X, Stop], canonical_event: model.response${first ? ", first: true" : ""} }
  - { id: b, source_event: Other, canonical_event: session.end }
  - { id: c, canonical_event: agent.stop }`;
    expect(types(map(lines(false), { event: "Stop" }))).toEqual(["model.response", "agent.stop"]);
    expect(types(map(lines(true), { event: "Stop" }))).toEqual(["model.response"]);
    expect(types(map(lines(false), { event: "anything" }))).toEqual(["agent.stop"]);
  });

  it.each<[string, JsonValue, boolean]>([
    ["{ /a: 1, /b: x }", { a: 1, b: "x" }, true],
    ["{ /a: 1, /b: x }", { a: 1, b: "y" }, false],
    ["{ /a: { b: [1, 2] } }", { a: { b: [1, 2] } }, true],
    ["{ /a: { b: [1, 2] } }", { a: { b: [2, 1] } }, false],
    ["{ /a: null }", { a: null }, true],
    ["{ /a: null }", {}, false],
    ["{ /a: { in: [1, null] } }", { a: null }, true],
    ["{ /a: { in: [1, 2] } }", { a: 3 }, false],
    ["{ /a: { in: [1, 2] } }", {}, false],
    ["{ /a: { exists: true } }", { a: 0 }, true],
    ["{ /a: { exists: true } }", { a: null }, false],
    ["{ /a: { exists: false } }", { a: null }, true],
    ["{ /a: { exists: false } }", {}, true],
    ["{ /a: { matches: '^git +(push|pull)' } }", { a: "git  push origin" }, true],
    ["{ /a: { matches: '^git +(push|pull)' } }", { a: 7 }, false],
    ["{ /a: { starts_with: mcp__ } }", { a: "mcp__x" }, true],
    ["{ /a: { starts_with: mcp__ } }", { a: ["mcp__"] }, false],
    ["{ /a: { not: 1 } }", { a: 2 }, true],
    ["{ /a: { not: { in: [1] } } }", {}, true],
    ["{ /a: { not: { not: 1 } } }", { a: 1 }, true],
  ])("%s holds for %j: %s", (when, payload, holds) => {
    expect(types(map(`events: [{ id: a, canonical_event: agent.start, when: ${when} }]`, payload)).length).toBe(holds ? 1 : 0);
  });

  it("says why there is nothing", () => {
    const lines = `events: [{ id: a, source_event: Pre, canonical_event: agent.start, when: { /a: 1 } }]
ignored: [{ event: Quiet, reason: nothing happens }]`;
    expect(map(lines, { event: "Quiet" }).nothing).toEqual({ why: "ignored", message: "Quiet of test is left out: nothing happens" });
    expect(map(lines, { event: "Pre" }).nothing?.why).toBe("no-match");
    expect(map(lines, { event: "Never" }).nothing?.why).toBe("unknown-hook");
    expect(map(lines, {}).nothing?.why).toBe("no-hook-name");
    expect(map(lines, [1]).nothing?.why).toBe("not-an-object");
    expect(map(lines, "x").nothing?.why).toBe("not-an-object");
  });

  it("falls back for hooks that nothing else is for, not for those that are left out", () => {
    const lines = `events: [{ id: a, source_event: Pre, canonical_event: agent.start }]
ignored: [{ event: Quiet, reason: nothing happens }]
fallback: { id: f, canonical_event: notification.sent, content: [{ type: notification, text: { source: meta:hook } }] }`;
    expect(map(lines, { event: "New" }).events[0]?.event).toMatchObject({
      type: "notification.sent",
      hook: "New",
      content: [{ text: "New" }],
    });
    expect(types(map(lines, { event: "Quiet" }))).toEqual([]);
    expect(types(map(lines, { event: "Pre" }))).toEqual(["agent.start"]);
  });

  it("writes canonical names for aliases", () => {
    expect(types(map("events: [{ id: a, canonical_event: session.started }]", {}))).toEqual(["session.start"]);
  });
});

describe("filling fields", () => {
  it("takes the first source that is there and not null, from whatever place", () => {
    expect(event("fields: { session.id: { source: [/a, /b] } }", { a: null, b: "x" })).toMatchObject({ session: { id: "x" } });
    expect(event("fields: { session.id: { source: env:ID } }", {}, { env: { ID: "e" } })).toMatchObject({ session: { id: "e" } });
    expect(event("fields: { session.id: { source: arg:1 } }", {}, { args: ["a", "b"] })).toMatchObject({ session: { id: "b" } });
    expect(event("fields: { extensions.x-at: { source: meta:received_at } }", {})).toMatchObject({
      extensions: { "x-at": "2026-09-01T00:00:00.000Z" },
    });
    expect(event("fields: { session.id: { source: [/a] } }", { a: null })["session"]).toBeUndefined();
    expect(event("fields: { session.id: { concat: [/a, /b] } }", { a: "x", b: 4 })).toMatchObject({ session: { id: "x:4" } });
    expect(event("fields: { session.id: { concat: [/a, /b] } }", { a: "x" })["session"]).toBeUndefined();
  });

  it("uses constants, defaults, maps and lists of rules", () => {
    expect(event("fields: { session.id: { value: fixed } }", {})).toMatchObject({ session: { id: "fixed" } });
    expect(event("fields: { session.id: { source: /a, default: none } }", {})).toMatchObject({ session: { id: "none" } });
    const mapped = "fields: { lifecycle.reason: { source: /a, map: { 'true': yes, 1: one, '*': other } } }";
    expect(event(mapped, { a: true })).toMatchObject({ lifecycle: { reason: "yes" } });
    expect(event(mapped, { a: 1 })).toMatchObject({ lifecycle: { reason: "one" } });
    expect(event(mapped, { a: "z" })).toMatchObject({ lifecycle: { reason: "other" } });
    expect(event("fields: { lifecycle.reason: { source: /a, map: { b: c } } }", { a: "z" })).toMatchObject({
      warnings: ["lifecycle.reason"],
    });
    const list = "fields: { session.id: [{ source: /a, when: { /kind: 1 } }, { source: /b, transform: json_parse }, { value: last }] }";
    expect(event(list, { kind: 1, a: "first" })).toMatchObject({ session: { id: "first" } });
    expect(event(list, { kind: 2, a: "first", b: '"second"' })).toMatchObject({ session: { id: "second" } });
    expect(event(list, { b: "{" })).toMatchObject({ session: { id: "last" }, warnings: ["session.id"] });
  });

  it("leaves out what does not fit a field, and says so", () => {
    const fields =
      "fields: { session.id: { source: /id }, session.turn_id: { source: /turn }, metrics.cost_usd: { source: /cost }, workspace.roots: { source: /roots } }";
    expect(event(fields, { id: 7, turn: { a: 1 }, cost: "3", roots: ["a", 1, "b"] })).toMatchObject({
      session: { id: "7" },
      workspace: { roots: ["a", "b"] },
      warnings: ["session.turn_id", "metrics.cost_usd"],
    });
    for (const id of ["", "a\nb", "\u2028", "half \ud800", "x".repeat(1001)]) expect(event(fields, { id })["session"]).toBeUndefined();
  });

  it("keeps data that cannot be written as it is as JSON text, so that a gate sees all of it", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(60)}1${"}".repeat(60)}`) as JsonValue;
    const hostile = JSON.parse('{"command":"rm","__proto__":{"x":1}}') as JsonValue;
    for (const input of [deep, hostile]) {
      const made = event(
        "fields: { action.input: { source: /input }, tool.name: { value: Bash } }",
        { input },
        { type: "action.requested" },
      );
      expect(made).toMatchObject({ action: { input: JSON.stringify(input) } });
    }
  });

  it("takes the later of two rules for a field, and lets a gap take a shared one away", () => {
    const lines = `fields: { session.id: { source: /a }, session.turn_id: { source: /t } }
groups: { more: { session.id: { source: /b } } }
events:
  - { id: one, canonical_event: agent.start, use: [more], fields: { session.turn_id: { value: own } } }
  - { id: two, canonical_event: agent.stop, gaps: [{ field: session, reason: not told here }] }`;
    const [one, two] = map(lines, { a: "a", b: "b", t: "t" }).events;
    expect([one?.event.session, two?.event.session]).toEqual([{ id: "b", turn_id: "own" }, undefined]);
  });

  it("converts times to UTC, and takes the time of receipt when there is none", () => {
    expect(event("fields: { time: { source: /at } }", { at: "2026-01-01T01:00:00+01:00" })).toMatchObject({
      time: "2026-01-01T00:00:00.000Z",
    });
    expect(event("fields: { time: { source: /at } }", { at: "never" })).toMatchObject({
      time: "2026-09-01T00:00:00.000Z",
      warnings: ["time"],
    });
    expect(event("fields: {}", {}, { now: Number.NaN })).toMatchObject({ time: "1970-01-01T00:00:00.000Z" });
  });

  it("sends a display style along only where it is not the usual one", () => {
    const fields = "fields: { tool.name: { value: x, display_style: badge }, action.input: { source: /i, display_style: indented_json } }";
    expect(event(fields, { i: {} }, { type: "action.requested" })).toMatchObject({ extensions: { "x-display": { "tool.name": "badge" } } });
  });
});

describe("content and attachments", () => {
  it("drops parts without text, and puts those of fields first", () => {
    const fields = `fields: { content.0.type: { value: thought }, content.0.text: { source: /t }, content.1.type: { value: plan } }
content:
  - { type: prompt, text: { source: /p }, style: markdown }
  - { type: prompt, text: { source: /missing } }
  - { type: response, text: { source: /empty } }`;
    expect(event(fields, { t: "hm", p: "do it", empty: "" })).toMatchObject({
      content: [
        { type: "thought", text: "hm" },
        { type: "prompt", text: "do it", style: "markdown" },
      ],
    });
    expect(event(fields, {})["content"]).toBeUndefined();
  });

  it("says when a text was cut", () => {
    const content = "content: [{ type: prompt, text: { source: /p, transform: { truncate: 3 } } }, { type: prompt, text: { source: /q } }]";
    expect(event(content, { p: "abcdef", q: "ab" })).toMatchObject({
      content: [{ text: "abc", truncated: true, original_length: 6 }, { text: "ab" }],
    });
    expect(JSON.stringify(event(content, { p: "ab", q: "cd" }))).not.toContain("truncated");
  });

  it("makes an attachment of each element", () => {
    const attachments =
      "attachments: [{ each: /files, type: { source: /kind, map: { png: image, '*': file } }, name: { source: [/name, ''] }, size_bytes: { source: /size } }]";
    const payload = { files: [{ kind: "png", name: "a", size: 3 }, { kind: "x" }, "path.txt", 7, { name: { no: 1 } }] };
    expect(event(attachments, payload)).toMatchObject({
      attachments: [{ type: "image", name: "a", size_bytes: 3 }, { name: "path.txt" }, { name: "7" }],
    });
    expect(event(attachments, { files: "none" })["attachments"]).toBeUndefined();
  });
});

describe("what a type needs", () => {
  it.each<[string, string, object]>([
    ["action.requested", "fields: {}", { action: { type: "other" } }],
    [
      "action.requested",
      "fields: { tool.name: { value: Bash } }",
      { action: { type: "tool_call" }, tool: { name: "Bash", type: "native" } },
    ],
    [
      "action.requested",
      "fields: { tool.name: { value: mcp__a__b } }",
      { tool: { name: "mcp__a__b", type: "mcp" }, server: { name: "a" } },
    ],
    [
      "action.requested",
      "fields: { action.type: { value: tool_call }, tool.type: { value: native } }",
      { action: { type: "other" }, warnings: ["tool.name"] },
    ],
    ["action.requested", "fields: { tool.name: { value: x }, tool.type: { value: mcp } }", { server: {}, warnings: ["server"] }],
    ["action.requested", "fields: { action.type: { value: skill_use } }", { action: { type: "other" }, warnings: ["skill.name"] }],
    ["action.requested", "fields: { skill.name: { value: pdf } }", { action: { type: "skill_use" }, skill: { name: "pdf" } }],
    ["action.completed", "fields: { action.status: { value: failure } }", { action: { status: "success" } }],
    ["action.failed", "fields: { action.status: { value: success } }", { action: { status: "failure" } }],
    ["action.failed", "fields: { action.status: { value: timeout } }", { action: { status: "timeout" } }],
    ["action.denied", "fields: { decision.reason: { value: no } }", { decision: { outcome: "denied", reason: "no" } }],
    ["session.start", "fields: { decision.reason: { value: no } }", { warnings: ["decision.outcome"] }],
    ["workspace.changed", "fields: {}", { workspace: {} }],
    ["notification.sent", "fields: {}", { content: [{ type: "notification" }], warnings: ["content[notification]"] }],
    ["question.asked", "fields: { action.input: { value: { a: 1 } } }", { content: [{ type: "question" }], action: { input: { a: 1 } } }],
    ["agent.error", "fields: {}", { lifecycle: { reason: "unknown" }, warnings: ["lifecycle.reason"] }],
    ["x-own.type", "fields: {}", { type: "x-own.type" }],
  ])("%s with %s is completed", (type, fields, expected) => {
    const { warnings, ...made } = event(fields, {}, { type });
    expect({ warnings, ...made }).toMatchObject(expected);
    expect(errorsIn(made as never)).toEqual([]);
  });
});

describe("an action without an id", () => {
  const lines = `events:
  - { id: a, source_event: Pre, canonical_event: action.requested, fields: { session.id: { source: /s }, tool.name: { source: /tool }, action.input: { source: /input } } }
  - { id: b, source_event: Shell, canonical_event: action.requested, fields: { session.id: { source: /s } }, correlate: [{ value: shell }, { source: /command }] }
  - { id: c, source_event: Other, canonical_event: action.requested, fields: { session.id: { source: /s } }, correlate: [{ value: shell }, { source: /command }] }`;
  const keyOf = (payload: JsonValue) => map(lines, payload).events[0]?.call?.key;

  it("gets one of its own, and says that it stands alone", () => {
    const { events } = map(lines, { event: "Pre", s: "1", tool: "Bash", input: { a: 1, b: 2 } });
    expect(events[0]?.event).toMatchObject({ action: { id: `act_${events[0]?.call?.key}_evt_1` }, extensions: { "x-unjoined": true } });
    expect(events[0]?.call?.derived).toBe(true);
  });

  it("has the same key for the same session, tool and input, and no other", () => {
    const base = { event: "Pre", s: "1", tool: "Bash", input: { a: 1, b: 2 } };
    expect(keyOf({ ...base, input: { b: 2, a: 1 } })).toBe(keyOf(base));
    for (const other of [{ s: "2" }, { tool: "Read" }, { input: { a: 1 } }]) expect(keyOf({ ...base, ...other })).not.toBe(keyOf(base));
  });

  it("is known by what the file says its hooks have in common", () => {
    expect(keyOf({ event: "Shell", s: "1", command: "ls" })).toBe(keyOf({ event: "Other", s: "1", command: "ls" }));
    expect(keyOf({ event: "Shell", s: "1", command: "ls" })).not.toBe(keyOf({ event: "Shell", s: "1", command: "pwd" }));
  });
});

describe("whatever a file and a payload say", () => {
  const paths = Object.keys(FIELD_KINDS).map((path) =>
    path.replace(".N.", ".0.").replace("metrics.*", "metrics.a").replace("extensions.*", "extensions.x-a"),
  );
  const likely = ["mcp", "tool_call", "skill_use", "success", "denied", "prompt", "2026-01-01T00:00:00Z", "", "x", 1, true, null];
  const values = fc.oneof(fc.constantFrom(...likely), fc.jsonValue());
  const cases = fc.record({
    type: fc.constantFrom(...EVENT_TYPE_NAMES, "x-own.type"),
    fields: fc.uniqueArray(fc.record({ path: fc.constantFrom(...paths), value: values }), { selector: ({ path }) => path, maxLength: 30 }),
  });

  it("the event is one that readers take", () => {
    fc.assert(
      fc.property(cases, ({ type, fields }) => {
        const rules = Object.fromEntries(fields.map(({ path }, index) => [path, { source: `/${index}` }]));
        const file = JSON.stringify({ events: [{ id: "a", canonical_event: type, fields: rules }] }).slice(1, -1);
        const payload = Object.fromEntries(fields.map(({ value }, index) => [String(index), value])) as JsonValue;
        const read = readMapping(`{"schema_version":"aep.mapping/v1","agent":"test",${file}}`);
        if (!read.ok) throw new Error(JSON.stringify(read.troubles));
        const [made] = mapPayload(compileMapping(read.value.mapping), payload, { now: 0, ids: () => "evt_1" }).events;
        expect(made === undefined ? ["none"] : errorsIn(made.event)).toEqual([]);
      }),
    );
  });
});
