import type { CallView } from "@earshot/hub";
import { formatLabel, formatMoney, formatTokens, spaceWords } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";
import { jsonInWords, jsonTextInWords, untoldMetadata } from "./json-in-words.ts";
import { given, labelled, when } from "./phrases.ts";
import type { Labelled, Saying, Tone } from "./saying.ts";
import { nameOfCall, outcomeInWords } from "./tell-work.ts";

/** One call on one line, from request to outcome. What decides comes before what the agent wrote. */
export function tellCall(call: CallView): Saying {
  const { tool, subject, input, result, error, callId, decidedBy, metadata: _metadata, marks, costUsd, tokens, ...rest } = call;
  const about = call.measured ? "about " : "";
  return {
    what: `${nameOfCall({ tool })} ${STATES[call.state] ?? outcomeInWords(call.state, call.durationMs, about)}`,
    tone: marks.includes("ran-despite-denial") ? "bad" : (TONES[call.state] ?? "plain"),
    remarks: given(
      ...marks.map((mark) => MARKS[mark] ?? spaceWords(mark)),
      when(decidedBy, (who) => `decided by ${who}`),
      when(tokens, formatTokens),
      when(costUsd, formatMoney),
    ),
    parts: labelled({
      Input: input === undefined ? subject : jsonTextInWords(input),
      Result: when(result, jsonTextInWords),
      Error: error,
      "Call id": callId,
    }),
    below: [...othersOf(rest), ...metadataOf(call)],
  };
}

/** What a later hub adds stands under its own name. */
function othersOf(rest: object): readonly Labelled[] {
  return Object.entries(rest)
    .filter(([name, value]) => !TOLD.has(name) && value !== undefined)
    .map(([name, value]) => ({ label: formatLabel(name), text: typeof value === "string" ? jsonTextInWords(value) : jsonInWords(value) }));
}

function metadataOf({ metadata, tokens, costUsd }: CallView): readonly Labelled[] {
  if (metadata === undefined) return [];
  try {
    return untoldMetadata(JSON.parse(metadata) as object, [tokens?.total, tokens?.input, tokens?.output, costUsd]);
  } catch {
    return [{ label: "Metadata", text: metadata }]; // too long to be kept whole
  }
}

const TOLD: ReadonlySet<string> = new Set(["session", "position", "state", "startedAt", "endedAt", "durationMs", "measured"]);

/** The call as the views have joined it, with what only its activity knows: risk, reason, metadata. */
export function tellJoinedCall(call: CallView, activity: Activity, told: Saying): Saying {
  const joined = tellCall(call);
  const name = "tool" in activity && activity.tool === call.tool ? nameOfCall({ ...activity, tool: call.tool }) : undefined;
  const known = new Set([...(joined.parts ?? []).map(({ label }) => label), "Input", "Result", "Error"]);
  const ownRemarks = new Set(joined.remarks);
  return {
    ...joined,
    what: name === undefined ? joined.what : joined.what.replace(nameOfCall({ tool: call.tool }), () => name),
    remarks: [...(joined.remarks ?? []), ...(told.remarks ?? []).filter((remark) => !ownRemarks.has(remark))],
    ...(told.words === undefined ? {} : { words: told.words }),
    parts: [...(joined.parts ?? []), ...(told.parts ?? []).filter(({ label }) => !known.has(label))],
    below: [...(told.below ?? []), ...(joined.below ?? [])],
  };
}

const STATES: Readonly<Record<string, string>> = {
  requested: "was requested, no outcome yet",
  approved: "was approved, no outcome yet",
  waiting: "waits for an answer",
  paused: "is paused",
  "left-to-the-agent": "was left to the agent, no outcome yet",
  running: "is running",
};

const TONES: Readonly<Record<string, Tone>> = { failed: "bad", timeout: "bad", denied: "warning", waiting: "warning" };

const MARKS: Readonly<Record<string, string>> = {
  "ran-despite-denial": "ran although it was denied",
  "ended-without-start": "its beginning was never heard",
  "ended-twice": "ended twice",
};
