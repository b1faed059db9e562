import type { RuleExamples } from "../rule.ts";
import { call, completed, denied, event, failed, inSession, part, requested, response, SESSION, TOOL, without } from "./example-events.ts";
import type { AepRuleId } from "./rules.ts";

const THOUGHT = inSession(1, "model.thought", { content: [part("thought")] });
const PROMPT = inSession(1, "prompt.submitted", { content: [part("prompt")] });
const RESULT = completed(2);
const ALLOWED = [requested(1), response(2, 1, "allow"), completed(3)];
const FIRST = requested(1);

/** The members of an object, right and wrong, in an event that is fine otherwise. */
function member(name: string, right: RuleExamples["passes"] | object, wrong: object | string): RuleExamples {
  return {
    passes: [{ ...THOUGHT, [name]: right } as typeof THOUGHT],
    fails: [{ ...THOUGHT, [name]: wrong } as typeof THOUGHT],
  };
}

function spoken(type: string, right: object, wrong: object): RuleExamples {
  return { passes: [{ ...inSession(1, type), ...right }], fails: [{ ...inSession(1, type), ...wrong }] };
}

function live(passes: string, fails: string): RuleExamples {
  return { passes: { told: passes }, fails: { told: fails } };
}

/** For every rule the shortest recording that keeps it and the shortest that breaks it. */
export const AEP_EXAMPLES: Readonly<Record<AepRuleId, RuleExamples>> = {
  "aep/version": { passes: [PROMPT], fails: [without(PROMPT, "aep_version")] },
  "aep/version-known": { passes: [{ ...PROMPT, aep_version: "0.1.2" }], fails: [{ ...PROMPT, aep_version: "0.2" }] },
  "aep/id": { passes: [PROMPT], fails: [without(PROMPT, "id")] },
  "aep/type": { passes: [PROMPT], fails: [without(PROMPT, "type")] },
  "aep/time": { passes: [PROMPT], fails: [{ ...PROMPT, time: "2026-02-30T12:00:00.000Z" }] },
  "aep/time-utc-milliseconds": { passes: [PROMPT], fails: [{ ...PROMPT, time: "2026-05-09T14:00:00+02:00" }] },
  "aep/agent": { passes: [PROMPT], fails: [{ ...PROMPT, agent: { display_name: "Claude Code" } }] },
  "aep/no-null": {
    passes: [requested(1, { input: { command: "ls", timeout: null } })],
    fails: [{ ...PROMPT, model: null }],
  },
  "aep/id-characters": { passes: [PROMPT], fails: [{ ...PROMPT, id: "evt_1\nevent: forged" }] },
  "aep/agent-slug": { passes: [PROMPT], fails: [{ ...PROMPT, agent: { slug: "Claude Code" } }] },
  "aep/snake-case": {
    passes: [FIRST, { ...response(2, 1, "allow"), control: { behavior: "allow", updated_input: { filePath: "a.ts" } } }],
    fails: [FIRST, { ...response(2, 1, "allow"), control: { behavior: "allow", updatedInput: { filePath: "a.ts" } } }],
  },
  "aep/extensions": member("extensions", { "x-earshot-note": 1 }, { note: 1 }),
  "aep/hook": { passes: [{ ...PROMPT, hook: "UserPromptSubmit" }], fails: [{ ...PROMPT, hook: 7 }] },
  "aep/type-known": { passes: [PROMPT], fails: [inSession(1, "weather.changed")] },
  "aep/type-alias": { passes: [inSession(1, "session.start")], fails: [inSession(1, "session.started")] },
  "aep/session-boundary-id": { passes: [inSession(1, "session.start")], fails: [event(1, "session.start")] },
  "aep/content-part": spoken("prompt.submitted", { content: [part("prompt")] }, { content: [part("answer")] }),
  "aep/notification-part": spoken("notification.sent", { content: [part("notification")] }, { content: [part("thought")] }),
  "aep/question-part": spoken("question.asked", { content: [part("question")] }, {}),
  "aep/error-says-something": spoken("agent.error", { lifecycle: { reason: "rate limit" } }, { lifecycle: { reason: "" } }),
  "aep/workspace-changed-workspace": spoken("workspace.changed", { workspace: { cwd: "/project" } }, {}),
  "aep/action-identified": { passes: [FIRST], fails: [inSession(1, "action.requested", { action: { type: "other" } })] },
  "aep/action-type-and-id": member("action", { type: "other", id: "call_1" }, { id: "call_1" }),
  "aep/tool-call-tool": { passes: [FIRST], fails: [without(FIRST, "tool")] },
  "aep/skill-use-skill": {
    passes: [inSession(1, "action.requested", { action: { type: "skill_use", id: "call_1" }, skill: { name: "review" } })],
    fails: [inSession(1, "action.requested", { action: { type: "skill_use", id: "call_1" } })],
  },
  "aep/mcp-server": {
    passes: [{ ...FIRST, tool: { name: "search", type: "mcp" }, server: { name: "docs" } }],
    fails: [{ ...FIRST, tool: { name: "search", type: "mcp" } }],
  },
  "aep/completed-status": { passes: [FIRST, RESULT], fails: [FIRST, call(2, "action.completed", { status: "failure" })] },
  "aep/failed-status": { passes: [FIRST, failed(2)], fails: [FIRST, failed(2, {})] },
  "aep/denied-outcome": { passes: [FIRST, denied(2)], fails: [FIRST, without(denied(2), "decision")] },
  "aep/subagent-spawn-named": {
    passes: [inSession(1, "action.requested", { action: { type: "subagent_spawn", id: "call_1", input: { agent: "tester" } } })],
    fails: [inSession(1, "action.requested", { action: { type: "subagent_spawn", id: "call_1" } })],
  },
  "aep/should-carry": {
    passes: [inSession(1, "agent.start")],
    fails: [event(1, "agent.start")],
  },
  "aep/no-secrets": {
    passes: [requested(1, { input: { command: "deploy --token $TOKEN" } })],
    fails: [requested(1, { input: { command: "deploy --token ghp_a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1" } })],
  },
  "aep/duration-not-negative": member("metrics", { duration_ms: 12.5 }, { duration_ms: -12.5 }),
  "aep/display-style": {
    passes: [{ ...PROMPT, content: [part("prompt", { style: "markdown" })] }],
    fails: [{ ...PROMPT, content: [part("prompt", { style: "comic" })] }],
  },

  "aep/agent-object": member("agent", { slug: "claude", version: "1.4.2" }, { slug: "claude", version: 1 }),
  "aep/session-object": member("session", SESSION, { id: "sess_abc", turn_id: 4 }),
  "aep/user-object": member("user", { email: "user@example.com" }, { email: ["user@example.com"] }),
  "aep/workspace-object": member("workspace", { roots: ["/project"] }, { roots: "/project" }),
  "aep/model-object": member("model", { id: "claude-sonnet-4-6" }, "claude-sonnet-4-6"),
  "aep/action-object": member(
    "action",
    { type: "other", id: "call_1", error: { message: "no such file" } },
    { type: "other", id: "call_1", error: "no such file" },
  ),
  "aep/tool-object": member("tool", TOOL, { type: "native" }),
  "aep/server-object": member("server", { name: "docs" }, { name: 1 }),
  "aep/skill-object": member("skill", { name: "review" }, { path: "skills/review" }),
  "aep/content-object": member("content", [part("thought")], [part("thought", { truncated: "yes" })]),
  "aep/attachments-object": member("attachments", [{ type: "image", width: 64 }], [{ type: "image", width: "64px" }]),
  "aep/decision-object": member("decision", { outcome: "info" }, { by: "user" }),
  "aep/metrics-object": member("metrics", { duration_ms: 12.5 }, { duration_ms: "12.5" }),
  "aep/lifecycle-object": member("lifecycle", { source: "startup" }, { source: 1 }),
  "aep/action-type": member("action", { type: "other", id: "call_1" }, { type: "tool", id: "call_1" }),
  "aep/action-status": { passes: [FIRST, RESULT], fails: [FIRST, failed(2, { status: "crashed" })] },
  "aep/tool-type": member("tool", { name: "Bash", type: "custom" }, { name: "Bash", type: "builtin" }),
  "aep/skill-source": member("skill", { name: "review", source: "project" }, { name: "review", source: "internet" }),
  "aep/content-type": member("content", [part("thought")], [part("thought"), part("poem")]),
  "aep/attachment-type": member("attachments", [{ type: "file" }], [{ type: "pdf" }]),
  "aep/decision-outcome": member("decision", { outcome: "approved" }, { outcome: "yes" }),
  "aep/parent-relation": member(
    "session",
    { id: "sess_abc", parent: { relation: "subagent" } },
    { id: "sess_abc", parent: { relation: "child" } },
  ),

  "aep/id-unique": { passes: [PROMPT, PROMPT], fails: [PROMPT, { ...PROMPT, hook: "UserPromptSubmit" }] },
  "aep/action-requested-once": {
    passes: [FIRST, requested(2)],
    fails: [FIRST, requested(2, { input: { command: "rm -r build" } })],
  },
  "aep/one-outcome": { passes: [FIRST, RESULT, RESULT], fails: [FIRST, RESULT, failed(3)] },
  "aep/action-type-stable": {
    passes: [FIRST, RESULT],
    fails: [FIRST, call(2, "action.completed", { type: "other", status: "success" })],
  },
  "aep/tool-name-stable": { passes: [FIRST, RESULT], fails: [FIRST, completed(2, { tool: { name: "Edit", type: "native" } })] },
  "aep/ran-despite-denial": {
    passes: [FIRST, response(2, 1, "deny"), denied(3)],
    fails: [FIRST, response(2, 1, "deny"), completed(3)],
  },
  "aep/outcome-needs-request": { passes: [FIRST, RESULT], fails: [inSession(1, "session.start"), RESULT] },
  "aep/request-needs-outcome": {
    passes: [FIRST, RESULT, inSession(3, "session.end")],
    fails: [FIRST, inSession(3, "session.end")],
  },
  "aep/answer-needs-question": {
    passes: [
      inSession(1, "question.asked", { content: [part("question")] }),
      inSession(2, "question.answered", { content: [part("answer")] }),
    ],
    fails: [inSession(1, "session.start"), inSession(2, "question.answered", { content: [part("answer")] })],
  },
  "aep/session-ends-once": {
    passes: [inSession(1, "session.end"), inSession(2, "session.start"), inSession(3, "session.end")],
    fails: [inSession(1, "session.end"), inSession(2, "session.end")],
  },
  "aep/session-starts-once": {
    passes: [inSession(1, "session.start"), inSession(2, "session.start", { lifecycle: { source: "resume" } })],
    fails: [inSession(1, "session.start"), inSession(2, "session.start")],
  },
  "aep/after-session-end": { passes: [PROMPT, inSession(2, "session.end")], fails: [inSession(2, "session.end"), PROMPT] },

  "aep/request-event-id": { passes: ALLOWED, fails: [FIRST, without(response(2, 1, "allow"), "request_event_id")] },
  "aep/control-object": { passes: ALLOWED, fails: [FIRST, { ...response(2, 1, "allow"), control: { behavior: "allow", message: 1 } }] },
  "aep/control-behavior": { passes: ALLOWED, fails: [FIRST, { ...response(2, 1, "allow"), control: { behavior: "approve" } }] },
  "aep/response-decision": { passes: ALLOWED, fails: [FIRST, without(response(2, 1, "allow"), "decision")] },
  "aep/action-id-text": { passes: ALLOWED, fails: [FIRST, { ...response(2, 1, "allow"), action_id: 1 }] },
  "aep/outcome-contradicts-behavior": {
    passes: ALLOWED,
    fails: [FIRST, { ...response(2, 1, "allow"), decision: { outcome: "denied" } }],
  },
  "aep/outcome-fits-behavior": {
    passes: [FIRST, response(2, 1, "ask")],
    fails: [FIRST, { ...response(2, 1, "ask"), decision: { outcome: "approved" } }],
  },
  "aep/updated-input-use": {
    passes: [FIRST, { ...response(2, 1, "allow"), control: { behavior: "allow", updated_input: { command: "npm test api" } } }],
    fails: [FIRST, { ...response(2, 1, "deny"), control: { behavior: "deny", updated_input: { command: "npm test api" } } }],
  },
  "aep/response-needs-request": { passes: [response(2, 1, "allow"), FIRST, completed(3)], fails: [FIRST, response(2, 9, "allow")] },
  "aep/response-action-id": { passes: ALLOWED, fails: [FIRST, { ...response(2, 1, "allow"), action_id: "call_2" }] },
  "aep/response-carries-action-id": { passes: ALLOWED, fails: [FIRST, without(response(2, 1, "allow"), "action_id")] },
  "aep/one-response": { passes: ALLOWED, fails: [FIRST, response(2, 1, "allow"), response(3, 1, "deny")] },
  "aep/response-before-outcome": { passes: ALLOWED, fails: [FIRST, RESULT, response(3, 1, "allow")] },

  "aep/live-smoke-rendering": live(
    "An event of an agent called `zeta` that nobody has heard of is shown as “Zeta — action requested”, with the tool name beside it.",
    "The row of an unknown agent stays empty, or the event is dropped.",
  ),
  "aep/live-omitted-fields": live(
    "An event that has only the five core members is recorded and shown.",
    "The consumer fails on an event without `session`.",
  ),
  "aep/live-unknown-extensions": live(
    "An event with `extensions.x-anything` is treated like the same event without it.",
    "The consumer refuses an event because of a key in `extensions` that begins with `x-`.",
  ),
  "aep/live-native-answer": live(
    "`deny` becomes the agent's own refusal, and the tool does not run.",
    "`ask` is rendered in a form that the agent does not know, and the tool runs.",
  ),
  "aep/live-answer-in-time": live(
    "Nobody decides; the configured fallback is sent before the hook's timeout.",
    "The hook times out while the request is still shown as waiting.",
  ),
  "aep/live-first-answer-counts": live(
    "Two people answer; the second is told that the request was answered before.",
    "A late `allow` turns a refusal into a permission.",
  ),
};
