import type { JsonObject } from "../src/json.ts";
import { change, choose, type Defect, type Pick, type Recording } from "./defect.ts";

type Item = Record<string, unknown>;
type Fits = (item: JsonObject) => boolean;

const typeOf = (item: JsonObject) => String(item["type"]);
const isEvent: Fits = (item) => item["event_id"] !== undefined;
const is =
  (...names: readonly string[]): Fits =>
  (item) =>
    names.some((name) => typeOf(item) === `aaep:agent.${name}` || typeOf(item) === name);
const has =
  (fits: Fits, field: string): Fits =>
  (item) =>
    fits(item) && item[field] !== undefined;
const isTerminal = is("session.completed", "session.errored", "session.cancelled");

function edit(name: string, rules: readonly string[], fits: Fits, mutate: (item: Item, pick: Pick) => void): Defect {
  return {
    name,
    rules,
    apply(recording, pick) {
      const index = choose(recording, pick, fits);
      return index < 0 ? undefined : change(recording, index, (item) => mutate(item, pick));
    },
  };
}

const without = (name: string, field: string, fits: Fits, rule: string) =>
  edit(name, [rule], has(fits, field), (item) => delete item[field]);
const set = (name: string, fits: Fits, fields: Item, rule: string, ...others: string[]) =>
  edit(name, [rule, ...others], fits, (item) => Object.assign(item, fields));

/** The recording rebuilt around one item: removed, doubled, moved. */
function rebuild(
  name: string,
  rules: readonly string[],
  fits: Fits,
  make: (recording: Recording, index: number, pick: Pick) => Recording | undefined,
): Defect {
  return {
    name,
    rules,
    apply(recording, pick) {
      const index = choose(recording, pick, fits);
      return index < 0 ? undefined : make(recording, index, pick);
    },
  };
}

const drop = (recording: Recording, index: number): Recording => recording.filter((_, at) => at !== index);
const insert = (recording: Recording, index: number, item: unknown): Recording => [
  ...recording.slice(0, index),
  item as JsonObject,
  ...recording.slice(index),
];
const again = (recording: Recording, index: number, fields: Item = {}): Item => ({
  ...recording[index],
  event_id: `evt_extra${index}`,
  ...fields,
});
const sameSession =
  (recording: Recording, index: number): Fits =>
  (item) =>
    item["session_id"] === recording[index]?.["session_id"];

/** Sequence numbers would reveal every inserted or dropped event, so such defects are made in unnumbered sessions. */
const unnumbered =
  (fits: Fits): Fits =>
  (item) =>
    fits(item) && item["sequence_number"] === undefined;

/** Whether an event is delivered exactly once: removing one of two copies would be no defect. */
const isDelivered = (recording: Recording, index: number) =>
  recording.filter((item) => item["event_id"] === recording[index]?.["event_id"]).length === 1;

function indexAfter(recording: Recording, from: number, fits: Fits): number {
  return recording.findIndex((item, at) => at > from && fits(item));
}

const ENVELOPE: readonly Defect[] = [
  ...["@context", "type", "event_id", "session_id", "timestamp", "producer"].map((field) =>
    without(`${field} is missing`, field, isEvent, "aaep/required-fields"),
  ),
  set("@context is another URI", isEvent, { "@context": "https://schema.org" }, "aaep/context"),
  set(
    "@context does not begin with the core URI",
    isEvent,
    { "@context": ["https://acme.example/opsx/v1", "https://aaep-protocol.org/context/v1"] },
    "aaep/context",
  ),
  set("@context is an empty list", isEvent, { "@context": [] }, "aaep/context"),
  edit("the type has no prefix", ["aaep/type-form"], is("state.changed", "tool.invoked", "session.started"), (item) => {
    item["type"] = String(item["type"]).slice(5);
  }),
  set(
    "the type is undefined in the aaep namespace",
    is("progress.updated", "state.changed"),
    { type: "aaep:agent.mood.changed" },
    "aaep/type-defined",
  ),
  edit("the event id has a dash", ["aaep/event-id"], isEvent, (item) => {
    item["event_id"] = "evt_12-34";
  }),
  set("the event id is too long", isEvent, { event_id: `evt_${"a".repeat(65)}` }, "aaep/event-id"),
  set("the session id has no prefix", isEvent, { session_id: "5f1c" }, "aaep/session-id"),
  set("the timestamp is a number", isEvent, { timestamp: 1782896400000 }, "aaep/timestamp"),
  set("the timestamp has no zone", isEvent, { timestamp: "2026-07-01T09:00:00.000" }, "aaep/timestamp"),
  set("the timestamp is 30 February", isEvent, { timestamp: "2026-02-30T09:00:00.000Z" }, "aaep/timestamp"),
  set("the timestamp has a space for the T", isEvent, { timestamp: "2026-07-01 09:00:00.000Z" }, "aaep/timestamp"),
  set("the producer is a string", isEvent, { producer: "main-agent" }, "aaep/producer"),
  set("the producer has no agent_id", isEvent, { producer: { agent_name: "Main" } }, "aaep/producer"),
  set("the producer has a member of its own", isEvent, { producer: { agent_id: "main-agent", host: "h1" } }, "aaep/producer"),
  set("the version has two parts", isEvent, { aaep_version: "1.0" }, "aaep/version"),
  set("the sequence number is negative", isEvent, { sequence_number: -1 }, "aaep/sequence-number"),
  set("the sequence number is a string", isEvent, { sequence_number: "3" }, "aaep/sequence-number"),
  set("the verbosity is unknown", isEvent, { verbosity: "verbose" }, "aaep/verbosity"),
  set("the urgency is unknown", is("state.changed", "session.started"), { urgency: "high" }, "aaep/urgency"),
  set("the language tag has an underscore", isEvent, { localization_hints: { primary_language: "en_US" } }, "aaep/localization-hints"),
  set(
    "the localisation hints have a member of their own",
    isEvent,
    { localization_hints: { primary_language: "en", accent: "rp" } },
    "aaep/localization-hints",
  ),
  set(
    "an extension is a string",
    isEvent,
    { "@context": ["https://aaep-protocol.org/context/v1", "https://acme.example/opsx/v1"], extensions: { opsx: "x" } },
    "aaep/extensions-objects",
  ),
  set(
    "an extension is not declared",
    is("state.changed", "session.started", "progress.updated"),
    { "@context": "https://aaep-protocol.org/context/v1", extensions: { opsx: {} } },
    "aaep/extension-declared",
  ),
  set(
    "an extension uses a reserved prefix",
    isEvent,
    { "@context": ["https://aaep-protocol.org/context/v1", "https://acme.example/rdf/v1"], extensions: { rdf: {} } },
    "aaep/extension-prefix",
  ),
  set("an integer is past 2^53", is("handoff.requested"), { packaged_context: { big: 2 ** 60 } }, "aaep/integer-range"),
];

const PAYLOAD: readonly Defect[] = [
  without("session.started has no summary", "summary_normal", is("session.started"), "aaep/session-started-payload"),
  set("a summary is empty", is("session.started"), { summary_normal: "" }, "aaep/session-started-payload"),
  set("a summary is too long", is("session.completed"), { summary_normal: "y".repeat(16_385) }, "aaep/session-completed-payload"),
  set("a terse summary is too long", is("state.changed"), { summary_terse: "y".repeat(4097) }, "aaep/state-changed-payload"),
  set("tools_available has the same tool twice", is("session.started"), { tools_available: ["a", "a"] }, "aaep/session-started-payload"),
  set("a duration is longer than a day", is("session.completed"), { duration_ms: 86_400_001 }, "aaep/session-completed-payload"),
  set("result_uri is no URI", is("session.completed"), { result_uri: "not a uri" }, "aaep/session-completed-payload"),
  set("the error category is unknown", is("session.errored"), { error_category: "network" }, "aaep/session-errored-payload"),
  set("the error code is in lower case", is("session.errored"), { error_code: "oops" }, "aaep/session-errored-payload"),
  without("session.errored is not marked critical", "urgency", is("session.errored"), "aaep/errored-is-critical"),
  without("session.cancelled does not say by whom", "cancelled_by", is("session.cancelled"), "aaep/session-cancelled-payload"),
  set("session.cancelled by somebody unknown", is("session.cancelled"), { cancelled_by: "policy" }, "aaep/session-cancelled-payload"),
  without("state.changed has no to_state", "to_state", is("state.changed"), "aaep/state-changed-payload"),
  set("progress is empty", is("progress.updated"), { progress: {} }, "aaep/progress-not-empty"),
  set("progress is past 100 percent", is("progress.updated"), { progress: { percent: 101 } }, "aaep/progress-updated-payload"),
  set("progress is at step 0", is("progress.updated"), { progress: { step: 0 } }, "aaep/progress-updated-payload"),
  set(
    "progress is past its last step",
    is("progress.updated"),
    { progress: { step: 4, total_steps: 3 } },
    "aaep/progress-step-within-total",
  ),
  without("tool.invoked names no tool", "tool", is("tool.invoked"), "aaep/tool-invoked-payload"),
  set("a tool name has a space", is("tool.invoked"), { tool: "drop table" }, "aaep/tool-invoked-payload"),
  set("a risk level is unknown", is("tool.invoked"), { risk_level: "extreme" }, "aaep/tool-invoked-payload"),
  set("irreversible is a string", is("tool.invoked"), { irreversible: "yes" }, "aaep/tool-invoked-payload"),
  set(
    "a tool call id has another prefix",
    has(is("tool.invoked"), "tool_call_id"),
    { tool_call_id: "toolu_1" },
    "aaep/tool-invoked-payload",
  ),
  set("a tool status is unknown", is("tool.completed"), { status: "ok" }, "aaep/tool-completed-payload"),
  set("a position is negative", is("output.streaming"), { position: -1 }, "aaep/output-streaming-payload"),
  without("a chunk does not say whether it is the last", "complete", is("output.streaming"), "aaep/output-streaming-payload"),
  set(
    "a content type has parameters",
    is("output.streaming"),
    { content_type: "text/plain; charset=utf-8" },
    "aaep/output-streaming-payload",
  ),
  without("a confirmation names no consequence", "consequence", is("awaiting.confirmation"), "aaep/awaiting-confirmation-payload"),
  set("a confirmation waits for no time", is("awaiting.confirmation"), { timeout_seconds: 0 }, "aaep/awaiting-confirmation-payload"),
  set(
    "a confirmation defaults to something else",
    is("awaiting.confirmation"),
    { default_decision: "ask" },
    "aaep/awaiting-confirmation-payload",
  ),
  set("a confirmation is not critical", is("awaiting.confirmation"), { urgency: "normal" }, "aaep/confirmation-is-critical"),
  set(
    "an irreversible action defaults to accept",
    is("awaiting.confirmation"),
    { default_decision: "accept", irreversible: true, risk_level: "medium" },
    "aaep/default-decision-safe",
  ),
  edit(
    "an irreversible action of unstated risk defaults to accept",
    ["aaep/default-decision-safe"],
    is("awaiting.confirmation"),
    (item) => {
      delete item["risk_level"];
      delete item["irreversible"];
      Object.assign(item, { default_decision: "accept", reversibility: "irreversible" });
    },
  ),
  set("a clarification is not critical", is("awaiting.clarification"), { urgency: "background" }, "aaep/clarification-is-critical"),
  set(
    "a clarification takes an unknown kind",
    is("awaiting.clarification"),
    { accepted_response_kinds: ["voice"] },
    "aaep/awaiting-clarification-payload",
  ),
  edit("a multiple choice has no choices", ["aaep/choices-needed"], is("awaiting.clarification"), (item) => {
    delete item["choices"];
    item["accepted_response_kinds"] = ["multiple_choice", "freetext"];
  }),
  set("a handoff is not critical", is("handoff.requested"), { urgency: "normal" }, "aaep/handoff-is-critical"),
  set("a handoff goes to an unknown kind of target", is("handoff.requested"), { target_kind: "boss" }, "aaep/handoff-requested-payload"),
  set("a reply decides something else", is("confirmation.reply"), { decision: "Accept" }, "aaep/confirmation-reply"),
  set("a reply has a field of its own", is("confirmation.reply"), { comment: "fine" }, "aaep/confirmation-reply"),
  without("a reply names no subscription", "subscription_id", is("clarification.reply"), "aaep/clarification-reply"),
  set("a clarification is answered with an object", is("clarification.reply"), { response: { a: 1 } }, "aaep/clarification-reply"),
  without("a request has no capabilities", "capabilities", is("subscription.request"), "aaep/subscription-request"),
  set("a capability is out of range", is("subscription.request"), { capabilities: { pace_wpm: 1 } }, "aaep/subscription-request"),
  set("a rejection has an unknown reason", is("subscription.rejected"), { reason_code: "busy" }, "aaep/subscription-rejected"),
  set("a message is unknown", is("subscription.rejected", "subscription.request"), { type: "subscription.denied" }, "aaep/message-defined"),
];

const SEQUENCE: readonly Defect[] = [
  rebuild("the session has no start", ["aaep/session-starts-first"], unnumbered(is("session.started")), (recording, index) =>
    isDelivered(recording, index) ? drop(recording, index) : undefined,
  ),
  rebuild("the session starts twice", ["aaep/session-starts-once"], unnumbered(is("session.started")), (recording, index) =>
    insert(recording, index + 1, again(recording, index)),
  ),
  rebuild("the session has no end", ["aaep/session-ends"], isTerminal, (recording, index) =>
    isDelivered(recording, index) ? drop(recording, index) : undefined,
  ),
  rebuild("the session ends twice", ["aaep/session-ends-once", "aaep/completed-after-failure"], isTerminal, (recording, index) =>
    insert(recording, index + 1, again(recording, index)),
  ),
  rebuild("there is text after the end", ["aaep/nothing-after-end"], isTerminal, (recording, index) =>
    insert(
      recording,
      index + 1,
      again(recording, index, { type: "aaep:agent.progress.updated", progress: { percent: 1 }, urgency: "normal" }),
    ),
  ),
  rebuild("a session id is used again", ["aaep/session-id-reused"], isTerminal, (recording, index) =>
    insert(
      recording,
      index + 1,
      again(recording, index, { type: "aaep:agent.session.started", urgency: "normal", sequence_number: undefined }),
    ),
  ),
  {
    name: "an event id is used for another event",
    rules: ["aaep/event-id-unique"],
    apply(recording, pick) {
      const first = choose(recording, pick, isEvent);
      const second = indexAfter(
        recording,
        first,
        (item) => isEvent(item) && item["event_id"] !== recording[first]?.["event_id"] && agentOf(item) === agentOf(recording[first]),
      );
      return second < 0
        ? undefined
        : change(recording, second, (item) => Object.assign(item, { event_id: recording[first]?.["event_id"] }));
    },
  },
  edit("time goes back", ["aaep/timestamps-ordered"], isTerminal, (item) => {
    item["timestamp"] = "2026-06-30T09:00:00.000Z";
  }),
  edit("the numbers have a gap", ["aaep/sequence-number-contiguous"], has(isTerminal, "sequence_number"), (item) => {
    item["sequence_number"] = Number(item["sequence_number"]) + 1;
  }),
  edit("the numbers start at 1", ["aaep/sequence-number-contiguous"], has(is("session.started"), "sequence_number"), (item) => {
    item["sequence_number"] = 1;
  }),
  without("a number is left out", "sequence_number", has(isTerminal, "sequence_number"), "aaep/sequence-number-all-or-none"),
  {
    name: "the first state is not idle",
    rules: ["aaep/state-starts-idle"],
    apply(recording, pick) {
      const index = choose(recording, pick, (item) => is("state.changed")(item) && item["from_state"] === "idle");
      return index < 0 || !isDelivered(recording, index)
        ? undefined
        : change(recording, index, (item) => Object.assign(item, { from_state: "thinking" }));
    },
  },
  {
    name: "a state is skipped",
    rules: ["aaep/state-chain"],
    apply(recording, pick) {
      const index = choose(recording, pick, (item) => is("state.changed")(item) && item["from_state"] !== "idle");
      return index < 0 || !isDelivered(recording, index)
        ? undefined
        : change(recording, index, (item) => Object.assign(item, { from_state: "elsewhere" }));
    },
  },
  rebuild(
    "a tool completes without having been invoked",
    ["aaep/tool-completed-needs-invoked"],
    unnumbered(is("session.started")),
    (recording, index) =>
      insert(recording, index + 1, again(recording, index, { type: "aaep:agent.tool.completed", tool: "ghost", status: "success" })),
  ),
  rebuild(
    "the invocation of a tool is missing",
    ["aaep/tool-completed-needs-invoked"],
    unnumbered(is("tool.invoked")),
    (recording, index) => (isDelivered(recording, index) ? drop(recording, index) : undefined),
  ),
  rebuild("the completion of a tool is missing", ["aaep/tool-completes"], unnumbered(is("tool.completed")), (recording, index) =>
    isDelivered(recording, index) ? drop(recording, index) : undefined,
  ),
  {
    name: "a tool completes twice",
    rules: ["aaep/tool-completes-once", "aaep/tool-completed-needs-invoked"],
    apply(recording, pick) {
      const index = choose(recording, pick, unnumbered(has(is("tool.completed"), "tool_call_id")));
      return index < 0 ? undefined : insert(recording, index + 1, again(recording, index));
    },
  },
  edit(
    "a tool completes under another name",
    ["aaep/tool-name-matches"],
    (item) => has(is("tool.completed"), "tool_call_id")(item),
    (item) => {
      item["tool"] = "another_tool";
      item["event_id"] = "evt_renamed";
    },
  ),
  {
    name: "a tool call id is used twice",
    rules: ["aaep/tool-call-id-unique"],
    apply(recording, pick) {
      const index = choose(recording, pick, unnumbered(has(is("tool.invoked"), "tool_call_id")));
      return index < 0 ? undefined : insert(recording, index + 1, again(recording, index, { irreversible: false }));
    },
  },
  {
    name: "the state leaves calling_tool before the tool completes",
    rules: ["aaep/tool-completed-before-state"],
    apply(recording, pick) {
      const index = choose(recording, pick, unnumbered(is("session.started")));
      if (index < 0) return undefined;
      const base = recording[index] as JsonObject;
      const make = (suffix: string, fields: Item): Item => ({
        "@context": base["@context"],
        event_id: `evt_${suffix}`,
        session_id: base["session_id"],
        timestamp: base["timestamp"],
        producer: base["producer"],
        ...fields,
      });
      const extra = [
        make("e1", { type: "aaep:agent.state.changed", from_state: "idle", to_state: "calling_tool" }),
        make("e2", { type: "aaep:agent.tool.invoked", tool: "early", summary_normal: "Going." }),
        make("e3", { type: "aaep:agent.state.changed", from_state: "calling_tool", to_state: "idle" }),
        make("e4", { type: "aaep:agent.tool.completed", tool: "early", status: "success" }),
      ];
      const from = indexAfter(recording, index, (item) => sameSession(recording, index)(item) && is("state.changed")(item));
      const rest = from < 0 ? recording : change(recording, from, (item) => Object.assign(item, { from_state: "idle" }));
      return [...rest.slice(0, index + 1), ...(extra as JsonObject[]), ...rest.slice(index + 1)];
    },
  },
  edit("a position is wrong", ["aaep/output-position", "aaep/output-position-rises"], is("output.streaming"), (item) => {
    item["position"] = Number(item["position"]) + 100_000;
  }),
  {
    name: "a position goes back",
    rules: ["aaep/output-position-rises", "aaep/output-position"],
    apply(recording, pick) {
      const index = choose(recording, pick, (item) => is("output.streaming")(item) && Number(item["position"]) > 1);
      return index < 0 ? undefined : change(recording, index, (item) => Object.assign(item, { position: 0 }));
    },
  },
  edit(
    "an output has no end",
    ["aaep/output-completes"],
    (item) => is("output.streaming")(item) && item["complete"] === true,
    (item) => {
      item["complete"] = false;
      item["event_id"] = "evt_unfinished";
    },
  ),
  {
    name: "an output goes on after its end",
    rules: ["aaep/output-after-complete"],
    apply(recording, pick) {
      const index = choose(recording, pick, (item) => unnumbered(is("output.streaming"))(item) && item["complete"] === true);
      return index < 0 ? undefined : insert(recording, index + 1, again(recording, index, { chunk: "more", complete: false }));
    },
  },
  {
    name: "an irreversible tool without a question",
    rules: ["aaep/irreversible-needs-accept"],
    apply(recording, pick) {
      const index = choose(recording, pick, (item) => is("tool.invoked")(item) && item["tool"] !== "drop_table");
      if (index < 0 || recording.some((item) => is("awaiting.confirmation")(item) && sameSession(recording, index)(item))) return undefined;
      return change(recording, index, (item) => Object.assign(item, { irreversible: true, event_id: "evt_final" }));
    },
  },
  {
    name: "the rejected action is performed all the same",
    rules: ["aaep/rejected-action-not-invoked", "aaep/reply-first-wins"],
    apply(recording, pick) {
      const index = choose(recording, pick, (item) => is("confirmation.reply")(item) && item["decision"] === "accept");
      const asked = recording.find(
        (item) => is("awaiting.confirmation")(item) && item["reply_token"] === recording[index]?.["reply_token"],
      );
      if (index < 0 || asked?.["irreversible"] !== true) return undefined;
      return change(recording, index, (item) => Object.assign(item, { decision: "reject" }));
    },
  },
  {
    name: "the accepted action is never announced",
    rules: ["aaep/accepted-action-invoked"],
    apply(recording, pick) {
      const ask = choose(
        recording,
        pick,
        (item) => unnumbered(is("awaiting.confirmation"))(item) && item["extra_context"] !== undefined && isAccepted(recording, item),
      );
      if (ask < 0) return undefined;
      const end = recording.find((item) => isTerminal(item) && sameSession(recording, ask)(item));
      if (end === undefined || !is("session.completed")(end)) return undefined;
      // No tool at all is invoked from then on, so none can be taken for the action.
      const before = new Set(recording.slice(0, ask));
      return recording.filter(
        (item) => before.has(item) || !(is("tool.invoked", "tool.completed")(item) && sameSession(recording, ask)(item)),
      );
    },
  },
  {
    name: "a rejection is passed over in silence",
    rules: ["aaep/rejection-reported"],
    apply(recording, pick) {
      const index = choose(recording, pick, unnumbered(is("session.completed")));
      if (index < 0 || !isDelivered(recording, index)) return undefined;
      const base = recording[index] as JsonObject;
      const ask = {
        ...again(recording, index),
        type: "aaep:agent.awaiting.confirmation",
        urgency: "critical",
        action: "Delete it all.",
        consequence: "Gone.",
        reply_token: "rpl_silent",
        timeout_seconds: 60,
        default_decision: "reject",
        risk_level: "high",
        duration_ms: undefined,
      };
      const answer = {
        type: "confirmation.reply",
        reply_token: "rpl_silent",
        decision: "reject",
        subscription_id: "sub_1",
        timestamp: base["timestamp"],
      };
      return insert(insert(recording, index, answer), index, JSON.parse(JSON.stringify(ask)));
    },
  },
  {
    name: "the same question is asked twice at once",
    rules: ["aaep/confirmation-not-repeated"],
    apply(recording, pick) {
      const index = choose(recording, pick, unnumbered(is("awaiting.confirmation")));
      return index < 0 ? undefined : insert(recording, index + 1, again(recording, index, { reply_token: "rpl_second" }));
    },
  },
  {
    name: "a reply token is used again",
    rules: ["aaep/reply-token-unique"],
    apply(recording, pick) {
      const index = choose(recording, pick, is("awaiting.clarification"));
      const other = recording.findIndex(
        (item, at) =>
          at !== index &&
          is("awaiting.confirmation", "awaiting.clarification")(item) &&
          item["event_id"] !== recording[index]?.["event_id"],
      );
      return index < 0 || other < 0
        ? undefined
        : change(recording, other, (item) => Object.assign(item, { reply_token: recording[index]?.["reply_token"] }));
    },
  },
  edit("a reply answers nothing", ["aaep/reply-token-known"], is("confirmation.reply", "clarification.reply"), (item) => {
    item["reply_token"] = "rpl_unheardOf";
  }),
  edit("a clarification answers a confirmation", ["aaep/reply-kind"], is("confirmation.reply"), (item) => {
    delete item["decision"];
    delete item["decided_by"];
    Object.assign(item, { type: "clarification.reply", response: "yes" });
  }),
  {
    name: "a response is of the wrong kind",
    rules: ["aaep/clarification-response"],
    apply(recording, pick) {
      const index = choose(recording, pick, is("clarification.reply"));
      return index < 0 || typeof recording[index]?.["response"] !== "string"
        ? undefined
        : change(recording, index, (item) => Object.assign(item, { response: true }));
    },
  },
  {
    name: "a reply comes from an unknown subscription",
    rules: ["aaep/reply-subscription"],
    apply(recording, pick) {
      const index = choose(recording, pick, is("confirmation.reply", "clarification.reply"));
      return index < 0 || !recording.some(is("subscription.accepted"))
        ? undefined
        : change(recording, index, (item) => Object.assign(item, { subscription_id: "sub_stranger" }));
    },
  },
  rebuild("a handshake is not answered", ["aaep/handshake-answered"], is("subscription.rejected"), (recording, index) =>
    drop(recording, index),
  ),
  {
    name: "more is honoured than was asked for",
    rules: ["aaep/honored-not-looser"],
    apply(recording, pick) {
      const index = choose(recording, pick, is("subscription.accepted"));
      return index < 0
        ? undefined
        : change(recording, index, (item) =>
            Object.assign(item["honored_capabilities"] as Item, { supported_extensions: ["https://acme.example/other/v1"] }),
          );
    },
  },
  {
    name: "an excluded event is sent",
    rules: ["aaep/filter-honored"],
    apply(recording, pick) {
      const index = choose(recording, pick, is("subscription.accepted"));
      if (index < 0 || recording.filter(is("subscription.accepted")).length > 1) return undefined;
      return change(recording, index, (item) =>
        Object.assign(item["honored_capabilities"] as Item, {
          event_filters: { include: ["aaep:agent.*"], exclude: ["aaep:agent.session.started"] },
        }),
      );
    },
  },
  {
    name: "the honoured rate is exceeded",
    rules: ["aaep/rate-honored"],
    apply(recording, pick) {
      const index = choose(recording, pick, is("subscription.accepted"));
      const merged = recording.filter(is("output.streaming", "progress.updated", "state.changed"));
      if (index < 0 || merged.length < 16 || recording.filter(is("subscription.accepted")).length > 1) return undefined;
      return change(recording, index, (item) => Object.assign(item["honored_capabilities"] as Item, { max_events_per_second: 1 }));
    },
  },
];

export const AAEP_DEFECTS: readonly Defect[] = [...ENVELOPE, ...PAYLOAD, ...SEQUENCE];

function agentOf(item: JsonObject | undefined): unknown {
  return (item?.["producer"] as JsonObject | undefined)?.["agent_id"];
}

function isAccepted(recording: Recording, asked: JsonObject): boolean {
  const first = recording.find((item) => is("confirmation.reply")(item) && item["reply_token"] === asked["reply_token"]);
  return first?.["decision"] === "accept";
}
