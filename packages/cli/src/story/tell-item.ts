import type { Alert, OutputView, StoryItem } from "@earshot/hub";
import { formatCount, spaceWords } from "@earshot/narrate";
import { given, when } from "./phrases.ts";
import type { Labelled, Saying, Tone } from "./saying.ts";
import { tellActivity } from "./tell-activity.ts";
import { tellJoinedCall } from "./tell-call.ts";

/** One thing that happened, with what was noticed about it; without the notes on it, unless they are asked for. */
export function tellItem(item: StoryItem, { notes }: { readonly notes: boolean }): Saying {
  const { activity, flags, alerts, redactions } = item;
  const saying = tellJoined(item, tellActivity(activity));
  return {
    ...saying,
    remarks: [...(saying.remarks ?? []), ...given(redactions > 0 && `${formatCount(redactions, "secret")} masked`)],
    below: [...(saying.below ?? []), ...tellNoticed(alerts, notes ? flags : flags.filter(({ severity }) => severity !== "info"))],
  };
}

function tellJoined({ activity, call, output, continues }: StoryItem, told: Saying): Saying {
  // What it says stands there already, put together: here is only where something was noticed about it.
  if (continues !== undefined) return { what: `More about #${continues}`, words: told.what, below: told.below ?? [] };
  if (call !== undefined) return tellJoinedCall(call, activity, told);
  return output === undefined ? told : tellOutput(output, activity.kind, told);
}

function tellOutput({ text, complete, gaps, cut, contentType }: OutputView, kind: string, told: Saying): Saying {
  return {
    ...told,
    what: told.what.startsWith("Part of a thought") ? "Thought" : kind === "output.chunk" ? "Output" : told.what,
    remarks: given(
      !complete && "not finished",
      gaps && "parts are missing",
      cut && "more came than is kept",
      when(contentType, (type) => type),
    ),
    words: text,
    parts: [],
  };
}

/** An alert about a rule says what the finding says: it is told once. */
function tellNoticed(alerts: StoryItem["alerts"], flags: StoryItem["flags"]): readonly Labelled[] {
  const rules = new Set(alerts.map(({ rule }) => rule));
  const found = new Set(flags.map(({ rule }) => rule));
  return [
    ...alerts.filter(({ rule }) => rule === undefined || !found.has(rule)).map(tellAlertBelow),
    ...flags.map((flag) => tellFlag(flag, flag.rule !== undefined && rules.has(flag.rule))),
  ];
}

/** Noticed by the hub, not said by the agent. */
function tellAlertBelow({ type, severity, message }: Alert): Labelled {
  return { label: `Alert, ${severity}, ${spaceWords(type)}`, text: message, tone: severity === "critical" ? "bad" : "warning" };
}

const SEVERITIES: Readonly<Record<string, readonly [word: string, tone: Tone]>> = {
  error: ["Rule broken", "bad"],
  warning: ["Rule not kept", "warning"],
  info: ["Note", "plain"],
};

/** What to do about it is the same each time: `earshot check explain` tells it. */
function tellFlag({ severity, rule, code, message, at }: StoryItem["flags"][number], hasAlert: boolean): Labelled {
  const [word, tone] = SEVERITIES[severity] ?? ["Rule", "plain"];
  const about = at === undefined ? "" : ` about #${at}`;
  return { label: `${word}${about}${hasAlert ? ", with an alert" : ""}, ${rule ?? code}`, text: message, tone };
}
