import fc from "fast-check";
import type { JsonObject } from "../src/json.ts";
import type { Recording } from "./defect.ts";
import { hostileText } from "./hostile-text.ts";

/**
 * Conforming AAEP recordings: several interleaved sessions, concurrent tools, several outputs, questions with every way of being settled,
 * several agents in one session, handshakes, extension types, redelivered events and hostile text. A session is a plan of steps. Any plan
 * yields a conforming session, so no error may be reported.
 */
type Step =
  | { readonly kind: "think" }
  | {
      readonly kind: "tool";
      readonly withId: boolean;
      readonly overlap: number;
      readonly status: "success" | "error" | "timeout";
      readonly risk: "low" | "medium" | undefined;
      readonly announce: boolean;
    }
  | { readonly kind: "progress"; readonly shape: number }
  | {
      readonly kind: "output";
      readonly chunks: readonly string[];
      readonly withId: boolean;
      readonly unit: "points" | "units";
      readonly emptyEnd: boolean;
    }
  | {
      readonly kind: "confirm";
      readonly outcome: "accept" | "reject" | "timeout" | "twice";
      readonly linked: boolean;
      readonly irreversible: boolean;
      readonly states: boolean;
      readonly text: string;
    }
  | { readonly kind: "clarify"; readonly ask: "freetext" | "yes_no" | "numeric" | "multiple_choice" | "none"; readonly text: string }
  | { readonly kind: "handoff" }
  | { readonly kind: "extension" }
  | { readonly kind: "custom-state"; readonly name: string };

interface Plan {
  readonly steps: readonly Step[];
  readonly ending: "completed" | "errored" | "cancelled";
  readonly numbered: boolean;
  readonly helper: boolean;
  readonly decorations: number;
  readonly text: string;
}

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("think" as const) }),
  fc.record({
    kind: fc.constant("tool" as const),
    withId: fc.boolean(),
    overlap: fc.integer({ min: 0, max: 2 }),
    status: fc.constantFrom("success" as const, "error" as const, "timeout" as const),
    risk: fc.constantFrom("low" as const, "medium" as const, undefined),
    announce: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("progress" as const), shape: fc.integer({ min: 0, max: 4 }) }),
  fc.record({
    kind: fc.constant("output" as const),
    chunks: fc.array(hostileText, { minLength: 1, maxLength: 5 }),
    withId: fc.boolean(),
    unit: fc.constantFrom("points" as const, "units" as const),
    emptyEnd: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("confirm" as const),
    outcome: fc.constantFrom("accept" as const, "reject" as const, "timeout" as const, "twice" as const),
    linked: fc.boolean(),
    irreversible: fc.boolean(),
    states: fc.boolean(),
    text: hostileText,
  }),
  fc.record({
    kind: fc.constant("clarify" as const),
    ask: fc.constantFrom("freetext", "yes_no", "numeric", "multiple_choice", "none"),
    text: hostileText,
  }),
  fc.record({ kind: fc.constant("handoff" as const) }),
  fc.record({ kind: fc.constant("extension" as const) }),
  fc.record({ kind: fc.constant("custom-state" as const), name: fc.constantFrom("dreaming", "réfléchit", "__proto__", "constructor") }),
);

const plan: fc.Arbitrary<Plan> = fc.record({
  steps: fc.array(step, { maxLength: 8 }),
  ending: fc.constantFrom("completed" as const, "errored" as const, "cancelled" as const),
  numbered: fc.boolean(),
  helper: fc.boolean(),
  decorations: fc.integer({ min: 0, max: 255 }),
  text: hostileText,
});

export const aaepRecordings: fc.Arbitrary<Recording> = fc
  .record({
    plans: fc.array(plan, { minLength: 1, maxLength: 4 }),
    order: fc.array(fc.nat(), { minLength: 1, maxLength: 40 }),
    redeliver: fc.array(fc.nat(), { maxLength: 3 }),
    handshake: fc.constantFrom("none" as const, "plain" as const, "rich" as const, "rejected" as const),
  })
  .map(({ plans, order, redeliver, handshake }) => {
    const sessions = plans.map((one, index) => playSession(one, index));
    const mixed = interleave(sessions, order);
    const greeted = [...greet(handshake), ...mixed];
    return redeliver.reduce(redeliverOne, greeted);
  });

const CONTEXT = "https://aaep-protocol.org/context/v1";
const OPSX = "https://acme.example/opsx/v1";
const EPOCH = Date.UTC(2026, 6, 1, 9);

export function playSession(plan: Plan, index: number): JsonObject[] {
  const items: JsonObject[] = [];
  const sessionId = `sess_${index}a`;
  let now = EPOCH + index * 17;
  let number = 0;
  let state = "idle";
  let calls = 0;
  let tokens = 0;
  let outputs = 0;
  let implicitUsed = false;
  let told = 0;
  const agent = (helper: boolean) => ({
    agent_id: helper ? "helper-agent" : "main-agent",
    ...((plan.decorations & 1) === 0
      ? {}
      : { agent_version: "1.0.0", agent_name: "Main", model: "m", manifest_uri: "https://acme.example/m.json" }),
  });
  const emit = (type: string, fields: Record<string, unknown>, helper = false) => {
    now += 211;
    const extended = (plan.decorations & 2) !== 0;
    const event: Record<string, unknown> = {
      "@context": extended || type.startsWith("opsx:") ? [CONTEXT, OPSX] : CONTEXT,
      type: type.includes(":") ? type : `aaep:agent.${type}`,
      event_id: `evt_${index}x${told++}`,
      session_id: sessionId,
      timestamp: stampOf(now, plan.decorations),
      producer: agent(helper),
      ...((plan.decorations & 4) === 0 ? {} : { aaep_version: "1.0.0", verbosity: "normal", correlation_id: "00-trace" }),
      ...((plan.decorations & 8) === 0
        ? { localization_hints: { primary_language: "en-US" } }
        : {
            localization_hints: {
              primary_language: "zh-Hant-TW",
              text_direction: "auto",
              script: "Hant",
              available_languages: ["zh-Hant", "en"],
              fallback_chain: ["en"],
            },
          }),
      ...(plan.numbered ? { sequence_number: number++ } : {}),
      ...(extended ? { extensions: { opsx: { note: plan.text, __proto__x: 1 } } } : {}),
      ...fields,
    };
    items.push(event as JsonObject);
  };
  const words = (text: string, fallback: string) => (text === "" ? fallback : text);
  const change = (to: string, fields: Record<string, unknown> = {}) => {
    if (state === to) return;
    emit("state.changed", { from_state: state, to_state: to, urgency: "background", ...fields });
    state = to;
  };
  const reply = (fields: Record<string, unknown>) => {
    now += 50;
    items.push({ subscription_id: "sub_1", timestamp: new Date(now).toISOString(), ...fields } as JsonObject);
  };

  emit("session.started", {
    summary_normal: words(plan.text, "Working."),
    request_text: plan.text,
    tools_available: ["grep", "drop_table"],
    expected_duration_ms: 0,
  });
  for (const one of plan.steps) {
    switch (one.kind) {
      case "think":
        change(state === "thinking" ? "deciding" : "thinking");
        break;
      case "custom-state":
        change(one.name);
        break;
      case "tool": {
        const open: { id: string | undefined; tool: string }[] = [];
        if (one.announce) change("calling_tool");
        for (let more = 0; more <= one.overlap; more++) {
          const id = one.withId ? `call_${calls++}` : undefined;
          const tool = one.withId ? "grep" : `tool_${more}.x-y`;
          open.push({ id, tool });
          emit("tool.invoked", {
            tool,
            ...(id === undefined ? {} : { tool_call_id: id }),
            ...(one.risk === undefined ? {} : { risk_level: one.risk }),
            irreversible: false,
            summary_normal: "Running.",
            args_summary: plan.text,
          });
        }
        for (const { id, tool } of one.withId ? open.reverse() : open) {
          emit("tool.completed", {
            tool,
            ...(id === undefined ? {} : { tool_call_id: id }),
            status: one.status,
            ...(one.status === "success" ? {} : { error_message: "It failed." }),
            duration_ms: 5,
            summary_normal: "Done.",
          });
        }
        if (one.announce) change("thinking");
        break;
      }
      case "progress":
        emit("progress.updated", {
          progress: [
            { percent: 33.3 },
            { step: 1 },
            { total_steps: 3 },
            { description: "Half" },
            { percent: 100, step: 3, total_steps: 3 },
          ][one.shape],
          eta_ms: 86_400_000,
        });
        break;
      case "output": {
        if (!one.withId && implicitUsed) break;
        implicitUsed ||= !one.withId;
        const id = one.withId ? { output_id: `out_${outputs++}` } : {};
        let position = 0;
        one.chunks.forEach((chunk, place) => {
          const last = place === one.chunks.length - 1 && !one.emptyEnd;
          emit("output.streaming", { chunk, position, complete: last, coalesce_hint: "sentence", content_type: "text/markdown", ...id });
          position += one.unit === "units" ? chunk.length : Array.from(chunk).length;
        });
        if (one.emptyEnd) emit("output.streaming", { chunk: "", position, complete: true, ...id });
        break;
      }
      case "confirm": {
        const token = `rpl_${index}t${tokens++}`;
        const callId = `call_${calls++}`;
        const irreversible = one.outcome === "timeout" ? false : one.irreversible;
        if (one.states) change("awaiting_input");
        emit("awaiting.confirmation", {
          urgency: "critical",
          action: words(`${one.text} #${tokens}`, "Do it."),
          consequence: words(one.text, "It is done."),
          reply_token: token,
          timeout_seconds: 60,
          default_decision: "reject",
          risk_level: irreversible ? "high" : "low",
          irreversible,
          reversibility: irreversible ? "irreversible" : "reversible_with_effort",
          summary_normal: "May I?",
          ...(one.linked ? { extra_context: { tool: "drop_table", tool_call_id: callId } } : {}),
        });
        if (one.outcome === "timeout") {
          now += 61_000;
          if (one.states) change("thinking", { summary_normal: "Nobody answered." });
          else emit("progress.updated", { progress: { description: "Nobody answered." } });
          break;
        }
        reply({
          type: "confirmation.reply",
          reply_token: token,
          decision: one.outcome === "reject" ? "reject" : "accept",
          decided_by: "user:ana",
        });
        if (one.outcome === "twice") reply({ type: "confirmation.reply", reply_token: token, decision: "reject" });
        if (one.outcome === "reject") {
          if (one.states) change("thinking", { summary_normal: "You declined." });
          else emit("progress.updated", { progress: { description: "You declined." } });
          break;
        }
        if (one.states) change("calling_tool", { summary_normal: "You agreed." });
        emit("tool.invoked", {
          tool: "drop_table",
          tool_call_id: callId,
          irreversible,
          risk_level: irreversible ? "high" : "low",
          summary_normal: "Doing it.",
        });
        emit("tool.completed", { tool: "drop_table", tool_call_id: callId, status: "success", summary_normal: "Done." });
        break;
      }
      case "clarify": {
        const token = `rpl_${index}t${tokens++}`;
        change("awaiting_input");
        const choices = [
          { value: "a", label: "A" },
          { value: words(one.text, "b").slice(0, 100), label: "B" },
        ];
        emit("awaiting.clarification", {
          urgency: "critical",
          question: words(one.text, "Which?"),
          reply_token: token,
          timeout_seconds: 300,
          summary_normal: "Which?",
          ...(one.ask === "none" ? {} : { accepted_response_kinds: [one.ask] }),
          ...(one.ask === "multiple_choice" ? { choices } : {}),
        });
        const response =
          one.ask === "yes_no"
            ? false
            : one.ask === "numeric"
              ? 0.5
              : one.ask === "multiple_choice"
                ? choices[1]?.value
                : words(one.text, "this");
        reply({ type: "clarification.reply", reply_token: token, response });
        change("thinking", { summary_normal: "Thank you." });
        break;
      }
      case "handoff":
        emit("handoff.requested", {
          urgency: "critical",
          reason: words(plan.text, "A person must look."),
          target_kind: "human",
          target_uri: "queue://desk/1",
          packaged_context: { a: [{ b: plan.text }] },
          summary_normal: "Handing over.",
        });
        break;
      case "extension":
        emit("opsx:deploy.finished", { summary_normal: "Deployed.", version: 3 });
        break;
    }
    if (plan.helper && told % 3 === 0) emit("progress.updated", { progress: { step: 1, total_steps: 1 } }, true);
  }
  if (plan.ending === "errored")
    emit("session.errored", {
      urgency: "critical",
      error_category: "requires_user",
      error_code: "NO_TOKEN",
      error_uri: "https://acme.example/e#1",
      recoverable: false,
      summary_normal: words(plan.text, "Failed."),
    });
  else if (plan.ending === "cancelled")
    emit("session.cancelled", { cancelled_by: "system", cancellation_reason: "shutdown", summary_normal: "Stopped.", partial_result: "" });
  else
    emit("session.completed", {
      summary_normal: words(plan.text, "Done."),
      duration_ms: 1,
      tool_invocations_count: calls,
      result_uri: "https://acme.example/r?x=1#top",
    });
  return items;
}

/** Offsets and precisions differ between producers; the instants do not. */
function stampOf(ms: number, decorations: number): string {
  const iso = new Date(ms).toISOString();
  if ((decorations & 16) !== 0) return iso.replace("Z", "000Z");
  if ((decorations & 32) !== 0) return new Date(ms + 3_600_000).toISOString().replace("Z", "+01:00");
  return iso;
}

function greet(handshake: "none" | "plain" | "rich" | "rejected"): JsonObject[] {
  const request = (capabilities: JsonObject): JsonObject => ({
    type: "subscription.request",
    aaep_version: "1.0.0",
    subscriber_id: "reader",
    capabilities,
  });
  const accepted = (honored: JsonObject): JsonObject => ({
    type: "subscription.accepted",
    subscription_id: "sub_1",
    aaep_version: "1.0.0",
    producer: { agent_id: "main-agent" },
    honored_capabilities: { ...honored },
  });
  const replies = {
    supports_confirmation_reply: true,
    supports_clarification_reply: true,
    event_filters: { include: ["aaep:agent.*", "opsx:*"] },
  };
  if (handshake === "none") return [];
  if (handshake === "plain") return [request(replies), accepted(replies)];
  const rich = {
    ...replies,
    max_events_per_second: 1000,
    languages: ["de", "en"],
    coalesce_boundaries: ["sentence", "completion"],
    supported_conformance_levels: [1, 2, 3],
    opsx: { tickets: true },
  };
  const honored = {
    ...replies,
    max_events_per_second: 500,
    languages: ["en"],
    coalesce_boundaries: ["sentence"],
    supported_conformance_levels: [1, 2],
  };
  const manifest = {
    "@context": CONTEXT,
    type: "aaep:producer.manifest",
    agent_id: "main-agent",
    aaep_versions_supported: ["1.0.0"],
    conformance_levels_supported: [1, 2, 3],
  };
  if (handshake === "rich")
    return [
      manifest,
      request(rich),
      accepted(honored),
      { type: "subscription.renegotiate", subscription_id: "sub_1", capabilities: { pace_wpm: 200 } },
      accepted({ ...honored, pace_wpm: 200 }),
    ];
  return [
    request({}),
    { type: "subscription.rejected", reason_code: "rate_limit", reason_message: "Later.", retry_after_seconds: 3 },
    request(replies),
    accepted(replies),
  ];
}

/** Each session keeps its own order; `order` chooses the session of the next event. */
export function interleave(sessions: readonly (readonly JsonObject[])[], order: readonly number[]): JsonObject[] {
  const queues = sessions.map((session) => [...session]);
  const mixed: JsonObject[] = [];
  for (let turn = 0; queues.some((queue) => queue.length > 0); turn++) {
    const waiting = queues.filter((queue) => queue.length > 0);
    const queue = waiting[(order[turn % order.length] ?? 0) % waiting.length];
    const item = queue?.shift();
    if (item !== undefined) mixed.push(item);
  }
  return mixed;
}

/** At-least-once delivery: an event may arrive again, unchanged, at any later time. */
function redeliverOne(recording: JsonObject[], seed: number): JsonObject[] {
  const from = seed % recording.length;
  const item = recording[from];
  if (item === undefined || item["event_id"] === undefined) return recording;
  const to = from + 1 + (seed % (recording.length - from));
  return [...recording.slice(0, to), item, ...recording.slice(to)];
}
