import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorsIn, mapAt } from "../testing/agent-folders.ts";
import type { Strictness } from "../text/read-yaml.ts";
import { checkExpects } from "./check-expects.ts";
import { compileMapping } from "./compile-mapping.ts";
import { readMapping } from "./read-mapping.ts";

/** The mapping file example of the AEP draft. */
const PUBLISHED = `schema_version: aep.mapping/v1
agent: cursor
display_name: Cursor
events:
  - id: cursor.shell_approval
    source_event: beforeShellExecution
    when:
      /event_name: beforeShellExecution
    canonical_event: action.requested
    fields:
      action.id:
        source: /tool_call_id
      action.input:
        source: /tool_input
        display_style: indented_json
      tool.name:
        source: /tool_name
        display_style: plain_text
      workspace.cwd:
        source: /cwd
        display_style: path
    content:
      - type: prompt
        text:
          source: /prompt
        style: markdown
`;

const HEAD = "schema_version: aep.mapping/v1\nagent: test\n";

/** Problems of a file as severity, line, column and message. */
function said(text: string, strictness: Strictness = "strict"): readonly string[] {
  const read = readMapping(text, strictness);
  const troubles = read.ok ? read.warnings : read.troubles;
  for (const { hint, message } of troubles) expect([hint, message].every((words) => /\S/.test(words))).toBe(true);
  return troubles.map(({ severity, line, column, message }) => `${severity} ${line}:${column} ${message}`);
}

const entry = (lines: string) => `${HEAD}events:\n  - id: a\n    canonical_event: agent.start\n    ${lines.replaceAll("\n", "\n    ")}\n`;

describe("the draft's own example", () => {
  it("is read as it stands, and as JSON", () => {
    expect(said(PUBLISHED)).toEqual([]);
    const json = JSON.stringify({ schema_version: "aep.mapping/v1", agent: "a", events: [{ id: "x", canonical_event: "agent.start" }] });
    expect(said(json)).toEqual([]);
  });

  it("maps a payload of its shape", () => {
    const read = readMapping(PUBLISHED);
    if (!read.ok) throw new Error("not read");
    const payload = {
      event_name: "beforeShellExecution",
      tool_call_id: "call_1",
      tool_input: { command: "ls" },
      tool_name: "Shell",
      cwd: "/w",
      prompt: "List.",
    };
    const [mapped] = mapAt(compileMapping(read.value.mapping), payload).events;
    expect(mapped?.event).toEqual({
      aep_version: "0.1",
      id: "evt_1",
      type: "action.requested",
      time: "2026-09-01T00:00:00.000Z",
      hook: "beforeShellExecution",
      agent: { slug: "cursor", display_name: "Cursor" },
      action: { type: "tool_call", id: "call_1", input: { command: "ls" } },
      tool: { name: "Shell", type: "native" },
      workspace: { cwd: "/w" },
      content: [{ type: "prompt", text: "List.", style: "markdown" }],
    });
    expect(mapped === undefined ? ["none"] : errorsIn(mapped.event)).toEqual([]);
  });
});

describe("a mapping file with mistakes", () => {
  it.each<[string, string]>([
    ["agent: a\nevents: []", "error 1:1 `schema_version` is missing."],
    ["schema_version: aep.mapping/v2\nagent: a\nevents: []", 'error 1:1 "aep.mapping/v2" is not read here.'],
    ["schema_version: aep.mapping/v1\nagent: Big Name\nevents: []", "error 2:1 The agent's name is a short word in lower case."],
    [HEAD, "error 1:1 `events` is missing."],
    [`${HEAD}events: {}`, "error 3:1 A list is asked for here."],
    [`${HEAD}events: []\nevnts: []`, "error 4:1 `evnts` is not known here."],
    [`${HEAD}events:\n  - id: a\n`, "error 4:5 `canonical_event` is missing."],
    [
      `${HEAD}events:\n  - { id: a, canonical_event: agent.start }\n  - { id: a, canonical_event: agent.stop }`,
      'error 5:5 The id "a" was there before.',
    ],
    [entry("source_event: 1e3"), "error 6:5 A text is asked for here."],
    [entry("first: yes"), "error 6:5 true or false is asked for here."],
    [entry("fields: { sesion.id: { source: /a } }"), 'error 6:15 There is no field "sesion.id".'],
    [entry("fields: { action.input.command: { source: /a } }"), 'error 6:15 There is no field "action.input.command".'],
    [entry("fields: { session.id: /a }"), "error 6:15 A rule is asked for here."],
    [entry("fields: { session.id: {} }"), "error 6:15 The rule says nowhere where its value comes from."],
    [entry("fields: { session.id: { source: /a, value: b } }"), "error 6:15 The rule has both source and value."],
    [entry("fields: { session.id: { source: a } }"), 'error 6:29 "a" is not a source.'],
    [entry("fields: { session.id: { source: /a~b } }"), 'error 6:29 "/a~b" is not a source.'],
    [entry("fields: { session.id: { source: /__proto__/a } }"), 'error 6:29 "/__proto__/a" is not a source.'],
    [entry("fields: { session.id: { source: env:A-B } }"), 'error 6:29 "env:A-B" is not a source.'],
    [entry("fields: { session.id: { value: null } }"), "error 6:29 A value that is not null is asked for here."],
    [entry("fields: { session.id: { source: /a, map: { b: null } } }"), "error 6:48 A value that is not null is asked for here."],
    [entry("fields: { session.id: { source: /a, transform: json_pars } }"), "error 6:41 This is not a transform."],
    [entry("fields: { session.id: { source: /a, transform: { truncate: many } } }"), "error 6:41 `truncate` takes a number of characters."],
    [entry("when: { a: 1 }"), 'error 6:13 "a" is not a JSON Pointer.'],
    [entry("when: { /a: { in: 1 } }"), "error 6:19 `in` takes a list."],
    [entry("when: { /a: { exists: yes } }"), "error 6:19 `exists` takes true or false."],
    [entry("when: { /a: { matches: '(?=x)' } }"), "error 6:19 This pattern is not read here."],
    [entry("use: [none]"), 'error 6:11 There is no group "none".'],
    [entry("content: [{ type: words, text: { source: /a } }]"), 'error 6:17 "words" is not a type of content.'],
    [entry("attachments: [{ each: files, name: { source: /a } }]"), "error 6:21 A JSON Pointer is asked for here."],
    [entry("attachments: [{ colour: { source: /a } }]"), 'error 6:21 An attachment has no "colour".'],
    [
      entry("fields: { session.id: { source: /a } }\ngaps: [{ field: session, reason: no }]"),
      "error 4:5 `session.id` is filled and is said to be a gap.",
    ],
    [
      `${HEAD}gaps: [{ field: session.id, reason: no }]\nevents: [{ id: a, canonical_event: agent.start, fields: { session.id: { source: /a } } }]`,
      "error 4:10 `session.id` is filled and is said to be a gap.",
    ],
    [`${HEAD}events: []\nexpect: [{ payload: {} }]`, "error 4:10 An expectation has a `payload` and a list `emits`."],
    [entry("canonical_event: agent.stop"), 'error 6:5 The key "canonical_event" was there before.'],
  ])("%s\nis told: %s", (text, expected) => {
    expect(said(text)).toContain(expected);
    expect(readMapping(text).ok).toBe(false);
  });

  it("is told about all of them at once", () => {
    expect(said(entry("first: 1\nwhen: { a: 1 }\nuse: [x]")).length).toBe(3);
  });

  it("is warned about types and styles that nobody knows, and used all the same", () => {
    const text = `${HEAD}events: [{ id: a, canonical_event: agent.vanished, fields: { tool.name: { source: /a, display_style: blinking } } }]`;
    expect(said(text)).toEqual([
      'warning 3:87 "blinking" is not a display style.',
      'warning 3:19 "agent.vanished" is not one of the 21 types.',
    ]);
    expect(readMapping(text).ok).toBe(true);
  });

  it("may have members of its own under x-", () => {
    expect(said(`${HEAD}x-note: mine\nevents: [{ id: a, canonical_event: agent.start, x-note: 1 }]`)).toEqual([]);
  });
});

describe("somebody else's file", () => {
  it("may have equal keys, of which the last counts, and unknown members: both are told", () => {
    const text = `${HEAD}author: somebody\nevents:\n  - id: a\n    canonical_event: agent.start\n    canonical_event: agent.stop\n`;
    expect(said(text, "lenient")).toEqual([
      'warning 7:5 The key "canonical_event" was there before; this one counts.',
      "warning 3:1 `author` is not known here.",
    ]);
    const read = readMapping(text, "lenient");
    expect(read.ok && read.value.mapping.entries[0]?.type).toBe("agent.stop");
  });

  it("may write content as dotted fields", () => {
    expect(said(entry("fields: { content.0.type: { value: prompt }, content.0.text: { source: /p } }"), "lenient")).toEqual([]);
  });
});

describe("a damaged file", () => {
  it("is read or refused, and nothing else", () => {
    const damage = fc.array(
      fc.record({
        at: fc.nat(PUBLISHED.length),
        remove: fc.nat(30),
        insert: fc.oneof(fc.string(), fc.constantFrom("&a ", "*a", "!!x ", "- ", "{", "[", "\n  ", ": ", "#", "\t", "|")),
      }),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(damage, fc.constantFrom<Strictness>("strict", "lenient"), (edits, strictness) => {
        const text = edits.reduce((now, { at, remove, insert }) => now.slice(0, at) + insert + now.slice(at + remove), PUBLISHED);
        const read = readMapping(text, strictness);
        if (read.ok)
          expect(() => mapAt(compileMapping(read.value.mapping), { event_name: "beforeShellExecution", tool_input: {} })).not.toThrow();
        else expect(read.troubles.some(({ severity, line, column }) => severity === "error" && line > 0 && column > 0)).toBe(true);
      }),
    );
  });
});

describe("expectations", () => {
  const check = (emits: string) => {
    const read = readMapping(
      `${HEAD}events: [{ id: a, canonical_event: agent.start, fields: { session.id: { source: /s } } }]\nexpect:\n  - payload: { s: x }\n    emits: ${emits}\n`,
    );
    return read.ok ? checkExpects(read.value).map(({ line, message }) => `${line} ${message}`) : ["not read"];
  };

  it("are met by events that hold at least what they say", () => {
    expect(check("[agent.start]")).toEqual([]);
    expect(check("[{ session: { id: x }, workspace: null }]")).toEqual([]);
  });

  it("say what is different, and on which line", () => {
    expect(check("[]")).toEqual(["5 0 events are expected, and there are 1: agent.start"]);
    expect(check("[agent.stop]")).toEqual(['5 Event 1: /type is "agent.start", and "agent.stop" is expected.']);
    expect(check("[{ session: { id: y } }]")).toEqual(['5 Event 1: /session/id is "x", and "y" is expected.']);
    expect(check("[{ session: null }]")).toEqual(['5 Event 1: /session is {"id":"x"}, and should not be there.']);
    expect(check("[{ content: [{}] }]")).toEqual(["5 Event 1: /content is missing, and [{}] is expected."]);
  });
});
