import { rule } from "../../rule.ts";
import { TERMINAL_TYPES } from "../names.ts";

const ANY = ["*"];
const ENDS = TERMINAL_TYPES;
const INVOKED = ["agent.tool.invoked"];
const COMPLETED = ["agent.tool.completed"];
const CHUNK = ["agent.output.streaming"];
const once = { oncePerSession: true } as const;

/** How the events of a session follow each other: bracketing, time, states, tools and outputs. */
export const SESSION_RULES = {
  "aaep/session-starts-first": rule(
    ["error", "recording", 1, "§4.1.1, §4.5.1, A.7.1", ["agent.session.started"]],
    "The first event of a session is `session.started`.",
    "Emit `session.started` before anything else with this session_id.",
    { needs: ["agent.session.started"] },
  ),
  "aaep/session-starts-once": rule(
    ["error", "recording", 1, "§4.1.1", ["agent.session.started"]],
    "A session has exactly one `session.started`.",
    "Use a new session_id for the next request.",
  ),
  "aaep/session-ends": rule(
    ["error", "recording", 1, "§4.1, §4.5.1", ["agent.session.started"]],
    "A session ends with `session.completed`, `session.errored` or `session.cancelled`.",
    "Emit one of the three on every path, also when the process is asked to stop. If the recording was cut short, this is why.",
    { needs: ENDS },
  ),
  "aaep/session-ends-once": rule(
    ["error", "recording", 1, "§4.1, §4.5.1, A.8.2", ENDS],
    "A session has exactly one terminal event.",
    "Decide once how the session ended.",
  ),
  "aaep/completed-after-failure": rule(
    ["error", "recording", 1, "§4.1.2", ["agent.session.completed"]],
    "`session.completed` does not follow `session.errored` or `session.cancelled`.",
    "A session that failed stays failed; start a new one to try again.",
  ),
  "aaep/nothing-after-end": rule(
    ["error", "recording", 1, "§4.5.1, A.8.3", ENDS],
    "Nothing of a session follows its terminal event.",
    "Emit the terminal event last, when every tool and output is closed.",
  ),
  "aaep/session-id-reused": rule(
    ["error", "recording", 1, "§3.2.4", ["agent.session.started"]],
    "A session id is never used again after its session has ended.",
    "Make a new random session_id for each request.",
  ),
  "aaep/one-request-per-session": rule(
    ["error", "live", 1, "§2.2.5", []],
    "One user request is one session.",
    "Close the session when the request is done; open another for the next one.",
  ),
  "aaep/event-id-unique": rule(
    ["error", "recording", 1, "§3.2.3", ANY],
    "An `event_id` is used for one event only.",
    "Make a new random id per event. A redelivered event keeps its id and its content.",
    { code: "EVENT_ID_CONFLICT" },
  ),
  "aaep/timestamps-ordered": rule(
    ["error", "recording", 1, "§3.2.5", ANY],
    "Timestamps do not go back within a session.",
    "Take the later of the clock and the last timestamp sent.",
  ),
  "aaep/timestamps-ordered-across-agents": rule(
    ["warning", "recording", 1, "§3.2.5, A.9", ANY],
    "Timestamps of several agents in one session do not go back.",
    "Synchronise the agents' clocks, or let one process stamp the events.",
    once,
  ),
  "aaep/timestamps-honest": rule(
    ["error", "live", 1, "§3.2.5", []],
    "An event is stamped with the time at which it was made.",
    "Do not back-date or future-date events.",
  ),
  "aaep/sequence-number-contiguous": rule(
    ["error", "recording", 1, "§3.4.1", ["*/sequence_number"]],
    "`sequence_number` is 0 on `session.started` and rises by one with each event.",
    "Count in one place per session; a stream that leaves events out leaves the numbers out too.",
  ),
  "aaep/sequence-number-all-or-none": rule(
    ["error", "recording", 1, "§3.4.1", ["*/sequence_number"]],
    "Either every event of a session has a `sequence_number`, or none has.",
    "Number all events, or none.",
  ),

  "aaep/state-starts-idle": rule(
    ["error", "recording", 1, "§4.2.1", ["agent.state.changed"]],
    "The first `state.changed` of an agent leaves `idle`.",
    'Start with "from_state":"idle".',
    { needs: ["agent.state.changed"] },
  ),
  "aaep/state-chain": rule(
    ["error", "recording", 1, "§4.2.1", ["agent.state.changed"]],
    "`from_state` is the state last entered, or one that a tool, an output or a question since then implies.",
    "Keep the current state in one variable and send it as from_state.",
    { needs: ["agent.state.changed"] },
  ),
  "aaep/state-announced": rule(
    ["warning", "recording", 1, "§9.3.1", ["agent.tool.invoked", "agent.output.streaming"]],
    "An agent that uses tools or writes output announces those states.",
    "Emit state.changed into calling_tool and writing_output.",
    { ...once, needs: ["agent.state.changed"] },
  ),
  "aaep/progress-thin": rule(
    ["warning", "recording", 1, "§4.2.2", ["agent.progress.updated"]],
    "Progress is reported sparingly.",
    "Report every 5 percent rather than every 1: each one may be spoken.",
    once,
  ),
  "aaep/progress-rises": rule(
    ["warning", "recording", 1, "§4.2.2", ["agent.progress.updated"]],
    "The percentage, or step, of one piece of work does not fall.",
    "Report the highest value reached, or another `description` for another piece of work.",
    once,
  ),
  "aaep/invocations-counted": rule(
    ["warning", "recording", 1, "§4.1.2", ["agent.session.completed/tool_invocations_count"]],
    "`tool_invocations_count` is the number of tools that the session invoked.",
    "Count each tool.invoked of the session, or leave the field out.",
    { needs: ["agent.tool.invoked"] },
  ),
  "aaep/duration-honest": rule(
    ["warning", "recording", 1, "§4.1.2, §4.3.2", ["agent.session.completed/duration_ms", "agent.tool.completed/duration_ms"]],
    "`duration_ms` fits the timestamps of start and end.",
    "Measure in milliseconds, from the event that starts the session or call to the one that ends it.",
  ),

  "aaep/tool-before-effect": rule(
    ["error", "live", 1, "§4.3.1, §9.3.1", []],
    "`tool.invoked` is emitted before the tool takes effect.",
    "Emit, await the write, then call the tool.",
  ),
  "aaep/tool-call-id-unique": rule(
    ["error", "recording", 1, "§4.3.1", ["agent.tool.invoked/tool_call_id"]],
    "A `tool_call_id` is used for one invocation of the session.",
    "Make a new id per call, also for a retry.",
  ),
  "aaep/tool-completed-needs-invoked": rule(
    ["error", "recording", 1, "§4.5.2, A.3, A.8.1", COMPLETED],
    "`tool.completed` follows the `tool.invoked` with the same `tool_call_id`, or, without ids, with the same tool.",
    "Emit tool.invoked before the call, and repeat its tool_call_id.",
    { needs: ["agent.tool.invoked"] },
  ),
  "aaep/tool-name-matches": rule(
    ["error", "recording", 1, "§4.3.2", ["agent.tool.completed/tool_call_id"]],
    "`tool.completed` names the tool that was invoked.",
    "Repeat the name of the invocation, with the same id.",
  ),
  "aaep/tool-completes-once": rule(
    ["error", "recording", 1, "§4.3.2, A.3", COMPLETED],
    "An invocation completes exactly once.",
    "Emit one tool.completed per call; a retry is a new invocation.",
  ),
  "aaep/tool-completes": rule(
    ["error", "recording", 1, "§4.3.2, §9.3.1, A.3", INVOKED],
    "Every `tool.invoked` gets its `tool.completed` before the session ends.",
    'When a tool is abandoned, emit tool.completed with "status":"timeout".',
    { needs: ["agent.tool.completed"] },
  ),
  "aaep/tool-completed-before-state": rule(
    ["error", "recording", 1, "§4.3.2", COMPLETED],
    "`tool.completed` comes before the `state.changed` that leaves `calling_tool`.",
    "Emit tool.completed first, then the state that follows it.",
    { needs: ["agent.tool.completed"] },
  ),
  "aaep/tool-call-id-advised": rule(
    ["warning", "recording", 1, "§4.5.2", INVOKED],
    "Tools that run at the same time are told apart by `tool_call_id`.",
    "Add a tool_call_id to tool.invoked and tool.completed.",
    once,
  ),
  "aaep/tool-state": rule(
    ["info", "recording", 1, "A.3", INVOKED],
    "While a tool runs, the state should be `calling_tool`.",
    "Announce state.changed into calling_tool around the call.",
    { ...once, needs: ["agent.state.changed"] },
  ),

  "aaep/output-position": rule(
    ["error", "recording", 1, "§4.3.3", CHUNK],
    "`position` is the number of characters already sent for this output.",
    "Count Unicode code points per output_id, from 0.",
    { needs: ["agent.output.streaming"] },
  ),
  "aaep/output-position-rises": rule(
    ["error", "recording", 1, "§4.3.3, A.6, A.8.7", CHUNK],
    "`position` rises from chunk to chunk of an output.",
    "Send the chunks in order; add the length of each chunk to the position.",
  ),
  "aaep/output-completes": rule(
    ["error", "recording", 1, "§4.3.3, §4.5.4", CHUNK],
    'Each output has exactly one chunk with "complete":true before the session ends.',
    "Close an open output with an empty chunk and complete true.",
    { needs: ["agent.output.streaming"] },
  ),
  "aaep/output-after-complete": rule(
    ["error", "recording", 1, "§4.5.4, A.6, A.8.6", CHUNK],
    "No chunk follows the complete one of the same output.",
    "Use a new output_id for a new output.",
  ),
  "aaep/coalesce-hint-true": rule(
    ["warning", "recording", 1, "§4.3.3, §9.3.1", ["agent.output.streaming/coalesce_hint"]],
    "`coalesce_hint` names a boundary that the chunk ends on.",
    "Subscribers speak a chunk at its boundary: send `none` for one that ends anywhere else, `completion` only with complete true.",
    once,
  ),
} as const;
