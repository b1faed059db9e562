import { describe, expect, it } from "vitest";
import { hearAll, hearOne } from "../../testing/aep.ts";
import { NO_FINDINGS } from "../finding.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { createJudge } from "../judge.ts";
import { AEP } from "./aep.ts";
import { event, inSession, part, requested, response, without } from "./example-events.ts";
import { BEHAVIORS, DISPLAY_STYLES, EVENT_TYPE_NAMES, EVENT_TYPES, resolveAgent, resolveToolType, resolveType } from "./types.ts";

const rulesOf = (item: JsonObject) => hearOne(item).reading.findings.map((finding) => finding.rule);
const errorsOf = (item: JsonObject) =>
  hearOne(item)
    .reading.findings.filter(({ rule }) => AEP.rules[rule]?.severity === "error")
    .map(({ rule, pointer }) => [rule, pointer]);

describe("the vocabulary", () => {
  it("has 21 types in families of 5, 5, 4, 4 and 3, eight behaviours and twelve styles", () => {
    const sizes = new Map<string, number>();
    for (const type of EVENT_TYPE_NAMES) sizes.set(EVENT_TYPES[type].family, (sizes.get(EVENT_TYPES[type].family) ?? 0) + 1);
    expect([...sizes.values()]).toEqual([5, 5, 4, 4, 3]);
    expect(BEHAVIORS.length).toBe(8);
    expect(DISPLAY_STYLES.length).toBe(12);
  });

  it("resolves every alias to one type", () => {
    const spellings = EVENT_TYPE_NAMES.flatMap((type) => [type, ...EVENT_TYPES[type].aliases]);
    expect(new Set(spellings).size).toBe(spellings.length);
    for (const type of EVENT_TYPE_NAMES) for (const alias of EVENT_TYPES[type].aliases) expect(resolveType(alias)).toBe(type);
    expect(resolveType("toString")).toBeUndefined();
    expect(resolveToolType("custom")).toBe("other");
    expect(resolveAgent("claude-code")).toBe("claude");
  });
});

describe("recognising", () => {
  it("knows an event and a response that lack any one core member", () => {
    for (const member of ["aep_version", "id", "type", "time", "agent"]) {
      expect(AEP.recognise(without(event(1, "session.start"), member)), member).toBeGreaterThanOrEqual(40);
      expect(hearOne(without(event(1, "session.start"), member)).reading.kind).toBe("event");
    }
    for (const member of ["aep_version", "id", "request_event_id", "action_id", "time", "control", "decision"]) {
      expect(AEP.recognise(without(response(2, 1, "allow"), member)), member).toBeGreaterThanOrEqual(40);
      expect(hearOne(without(response(2, 1, "allow"), member)).reading.kind, member).toBe("message");
    }
  });

  it("does not take the other protocols' events, or anything else, for AEP", () => {
    expect(
      AEP.recognise({ "@context": "https://aaep-protocol.org/context/v1", type: "agent.state.changed", event_id: "1", session_id: "2" }),
    ).toBeLessThan(20);
    expect(AEP.recognise({ spec: "aop/1", id: "1", type: "session.started", time: "2026-01-01T00:00:00Z", payload: {} })).toBeLessThan(40);
    expect(AEP.recognise({})).toBe(0);
  });
});

describe("reading one record", () => {
  it("says nothing about a clean one, and allocates nothing to say it", () => {
    expect(hearOne(requested(1)).reading.findings).toBe(NO_FINDINGS);
    expect(hearOne(response(2, 1, "allow")).reading.findings).toBe(NO_FINDINGS);
  });

  it("resolves aliases, and keeps what was said as it was said", () => {
    const item = inSession(1, "session.ended");
    const { reading } = hearOne(item);
    expect(reading).toMatchObject({ type: "session.end", eventId: "evt_1", sessionId: "sess_abc", agentId: "claude" });
    expect(reading.value).toEqual(item);
  });

  it("reads a null as absent at the event's own levels, and leaves nulls in data alone", () => {
    expect(rulesOf({ ...requested(1), server: null })).toEqual(["aep/no-null"]);
    expect(rulesOf({ ...requested(1), tool: { name: "Bash", type: "native", icon: { src: null } } })).toEqual(["aep/no-null"]);
    expect(rulesOf({ ...requested(1), tool: null })).toEqual(["aep/no-null", "aep/tool-call-tool", "aep/should-carry"]);
    expect(rulesOf({ ...requested(1), agent: null })).toEqual(["aep/no-null", "aep/agent"]);
    expect(rulesOf({ ...requested(1), metrics: { cost_usd: null } })).toEqual(["aep/no-null"]);
    expect(rulesOf(requested(1, { input: { a: null, b: [null] } }))).toEqual([]);
    expect(rulesOf({ ...requested(1), extensions: { "x-a": null }, future: { a: null } })).toEqual([]);
    expect(rulesOf({ ...requested(1), workspace: { roots: [null] } })).toEqual(["aep/workspace-object"]);
    const pointed = hearOne({ ...requested(1, { input: { a: null } }), content: [part("thought"), { text: null }] }).reading.findings;
    expect(pointed).toMatchObject([{ rule: "aep/no-null", pointer: "/content/1/text" }]);
  });

  it("points at what is wrong", () => {
    const { findings } = hearOne({ ...requested(1), tool: { name: "Bash", type: "builtin" }, extensions: { "a/b": 1 } }).reading;
    expect(findings.map(({ rule, pointer }) => [rule, pointer])).toEqual([
      ["aep/tool-type", "/tool/type"],
      ["aep/extensions", "/extensions/a~1b"],
    ]);
  });

  it("takes versions 0.1 and 0.1.x, wonders at others and refuses what is no version", () => {
    const version = (aep_version: string) => rulesOf({ ...requested(1), aep_version });
    expect(version("0.1.7")).toEqual([]);
    expect(version("0.10")).toEqual(["aep/version-known"]);
    expect(version("1.0.0")).toEqual(["aep/version-known"]);
    expect(version("v0.1")).toEqual(["aep/version"]);
  });

  it("takes a version with a pre-release or build tail for a version", () => {
    const version = (aep_version: string) => rulesOf({ ...requested(1), aep_version });
    for (const tailed of ["0.1.0-draft.2", "0.1-draft", "1.0.0-rc.1", "0.2+build.7", "1.0.0-rc.1+5"]) {
      expect(version(tailed), tailed).toEqual(["aep/version-known"]);
    }
    expect(version("0.1.0+build.7")).toEqual([]);
    for (const none of ["0.1-", "0.1.0+", "0.1 draft", "0.1.0.0", "-draft"]) expect(version(none), none).toEqual(["aep/version"]);
  });

  it("asks for the tool of a tool call and the skill of a skill use in events of every type", () => {
    for (const item of [inSession(1, "model.thought", { content: [part("thought")] }), inSession(1, "weather.changed")]) {
      const acting = (type: string) => errorsOf({ ...item, action: { type, id: "call_1" } });
      expect(acting("tool_call")).toEqual([["aep/tool-call-tool", "/tool"]]);
      expect(acting("skill_use")).toEqual([["aep/skill-use-skill", "/skill"]]);
      expect(acting("other")).toEqual([]);
      expect(errorsOf({ ...item, action: { type: "tool_call", id: "call_1" }, tool: { name: "Bash", type: "native" } })).toEqual([]);
    }
  });

  it("asks for the action in every `action.*` event, known or not", () => {
    expect(errorsOf(inSession(1, "action.progress"))).toEqual([["aep/action-identified", "/action"]]);
    expect(errorsOf(inSession(1, "action.progress", { action: { type: "other" } }))).toEqual([["aep/action-identified", "/action/id"]]);
    expect(errorsOf(inSession(1, "action.progress", { action: "call_1" }))).toEqual([["aep/action-object", "/action"]]);
    expect(rulesOf(inSession(1, "action.progress", { action: { type: "other", id: "call_1" } }))).toEqual(["aep/type-known"]);
    expect(errorsOf(inSession(1, "reaction.progress"))).toEqual([]);
  });

  it("wonders at an action without kind or id elsewhere, and lets a question carry the id alone", () => {
    const bare = (type: string, action: JsonObject) =>
      hearOne(inSession(1, type, { action, content: [part("notification"), part("question"), part("answer")] }))
        .reading.findings.filter(({ rule }) => rule === "aep/action-type-and-id")
        .map(({ message }) => message);
    expect(bare("notification.sent", { id: "call_1" })).toEqual(["`action` has no `type`."]);
    expect(bare("notification.sent", { type: "other" })).toEqual(["`action` has no `id`."]);
    expect(bare("weather.changed", {})).toEqual(["`action` has no `type` and no `id`."]);
    expect(bare("notification.sent", { type: "other", id: "call_1" })).toEqual([]);
    expect(bare("question.asked", { id: "call_1" })).toEqual([]);
    expect(bare("question.answered", { input: "yes" })).toEqual(["`action` has no `id`."]);
  });

  it("tells of a member in camelCase how it is spelled, and does not look into data", () => {
    const told = (item: JsonObject) => hearOne(item).reading.findings.filter(({ rule }) => rule === "aep/snake-case");
    const camel = { ...response(2, 1, "allow"), control: { behavior: "allow", updatedInput: { filePath: "a" } } };
    expect(told(camel)).toEqual([
      {
        rule: "aep/snake-case",
        pointer: "/control/updatedInput",
        message: "`control.updatedInput` is spelled `updated_input` in snake_case.",
      },
    ]);
    const spelling = (item: JsonObject) => told(item).map(({ pointer, message }) => [pointer, /spelled `(.*)` in/.exec(message)?.[1]]);
    expect(spelling({ ...requested(1), sessionID: "a" })).toEqual([["/sessionID", "session_id"]]);
    expect(spelling({ ...requested(1), MCPServer: {} })).toEqual([["/MCPServer", "mcp_server"]]);
    expect(spelling({ ...requested(1), content: [part("thought"), part("thought", { originalLength: 3 })] })).toEqual([
      ["/content/1/originalLength", "original_length"],
    ]);
    expect(spelling({ ...requested(1), session: { id: "a", parent: { conversationId: "b" } } })).toEqual([
      ["/session/parent/conversationId", "conversation_id"],
    ]);
    expect(spelling({ ...requested(1), tool: { name: "Bash", type: "native", icon: { mimeType: "image/png" } } })).toEqual([
      ["/tool/icon/mimeType", "mime_type"],
    ]);
    const data = {
      ...requested(1, { input: { filePath: "a" }, output: { exitCode: 0 } }),
      tool: { name: "Bash", type: "native", schema: { additionalProperties: false } },
      metrics: { durationMs: 1 },
      extensions: { "x-noteText": { someKey: 1 } },
      future: { someKey: 1 },
    };
    expect(told(data)).toEqual([]);
    expect(told({ ...camel, control: { behavior: "allow", updated_input: { filePath: "a" } } })).toEqual([]);
    expect(told({ ...requested(1), ["A".repeat(100_000)]: 1 })[0]?.message.length).toBeLessThan(300);
  });

  it("wonders at a slug that is not lower-case", () => {
    const slug = (text: string) => rulesOf({ ...requested(1), agent: { slug: text } });
    for (const plain of ["claude", "gemini-2.5_cli"]) expect(slug(plain)).toEqual([]);
    for (const odd of ["Claude", "claude code", "claudé", "a/b", "claude\n"]) expect(slug(odd), odd).toEqual(["aep/agent-slug"]);
  });

  it("refuses ids with control characters, line breaks or half characters", () => {
    const bad = ["a\nb", "a\r", "\u0000", "\u007f", "\u0085", "\u2028", "\ud800", "a\udc00b"];
    for (const id of bad) {
      expect(errorsOf({ ...requested(1), id }), JSON.stringify(id)).toEqual([["aep/id-characters", "/id"]]);
      expect(errorsOf({ ...requested(1), session: { id } })).toEqual([["aep/id-characters", "/session/id"]]);
      expect(errorsOf(requested(1, { id }))).toEqual([["aep/id-characters", "/action/id"]]);
      for (const member of ["id", "request_event_id", "action_id"]) {
        expect(errorsOf({ ...response(2, 1, "allow"), [member]: id })).toEqual([["aep/id-characters", `/${member}`]]);
      }
    }
    for (const id of ["evt_é", "\u{1f469}\u200d\u{1f467}", "a b", "\u00a0"]) expect(errorsOf({ ...requested(1), id })).toEqual([]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not reach a terminal
    expect(hearOne({ ...requested(1), id: "a\u001b[31m" }).reading.findings[0]?.message).not.toMatch(/[\u0000-\u001f]/);
  });

  it("wants `agent.error` to say something", () => {
    const error = (members: Record<string, JsonValue>) => errorsOf(inSession(1, "agent.error", members));
    const silent = [["aep/error-says-something", ""]];
    expect(error({})).toEqual(silent);
    expect(error({ lifecycle: { reason: "" } })).toEqual(silent);
    expect(error({ lifecycle: { reason: " " }, content: [] })).toEqual(silent);
    expect(error({ content: [{ type: "response" }, { text: "" }] })).toEqual(silent);
    expect(error({ content: [{ type: "response" }, { text: "No quota." }] })).toEqual([]);
    expect(error({ lifecycle: { reason: "" }, content: [{ text: "No quota." }] })).toEqual([]);
    expect(error({ lifecycle: { reason: "quota" }, content: [] })).toEqual([]);
  });
});

describe("judging responses", () => {
  it("counts the first answer and tells of another", () => {
    const told = (items: readonly JsonObject[]) =>
      hearAll(items)
        .map(({ finding }) => finding.rule)
        .filter((rule) => rule !== "aep/request-needs-outcome");
    expect(told([requested(1), response(2, 1, "allow"), response(3, 1, "allow")])).toEqual([]);
    expect(told([requested(1), response(2, 1, "deny"), response(3, 1, "allow"), response(4, 1, "deny")])).toEqual(["aep/one-response"]);
    expect(told([event(1, "notification.sent", { content: [part("notification")] }), response(2, 1, "continue")])).toEqual([
      "aep/should-carry",
      "aep/response-action-id",
    ]);
  });

  it("keeps equal ids of two agents apart, and does not guess which of them is answered", () => {
    const other = { ...requested(1), agent: { slug: "cursor" }, action: { type: "tool_call", id: "call_9" } };
    const errors = hearAll([requested(1), other, response(2, 1, "allow")]).filter(
      ({ finding }) => AEP.rules[finding.rule]?.severity === "error",
    );
    expect(errors).toEqual([]);
  });

  it("keeps within its bounds and says so", () => {
    let told = 0;
    const judge = createJudge(AEP, { tell: () => told++, idCapacity: 10, sessionCapacity: 3 });
    for (let index = 0; index < 50; index++) {
      const { reading, facts } = hearOne({ ...event(1, "agent.start"), id: `evt_${index}`, session: { id: `sess_${index}` } });
      judge.handle(reading, index, facts);
    }
    judge.end();
    expect(judge.sessions).toBe(50);
    expect(judge.forgotten).toBeGreaterThan(0);
    expect(told).toBe(0);
  });
});
