import type { SessionView } from "@earshot/hub";
import { counted, durationInWords, moneyInWords, tokensInWords } from "./amounts.ts";
import { agoInWords } from "./moments.ts";
import { given, labelled, protocolLabel, spaced, when } from "./phrases.ts";
import type { Labelled, Saying, Tone } from "./saying.ts";

/** One session on one line: how it stands, who, what for; then what a person may want to act on; last how to name it. */
export function tellSession(session: SessionView, now: number): Saying {
  const { status, agent, goal, costUsd, tokens, lastSummary, parent, id, protocol } = session;
  const marks = marksInWords(session);
  return {
    what: statusInWords(status),
    tone: toneOf(status),
    remarks: [agent],
    words: goal ?? "",
    parts: [
      ...sentences(
        countsInWords(session).join(", "),
        `Heard ${agoInWords(session.lastHeardAt, now)}, ${durationInWords(session.durationMs)} long`,
        given(when(costUsd, moneyInWords), when(tokens, tokensInWords)).join(", "),
      ),
      ...labelled({ Last: lastSummary, Odd: marks.join(", "), Parent: parent?.id }),
      { label: "Session", text: `${id}, ${protocolLabel(protocol)}` },
    ],
  };
}

const STATUSES: Readonly<Record<string, readonly [word: string, tone: Tone]>> = {
  running: ["Running", "good"],
  waiting: ["Waiting for an answer", "warning"],
  idle: ["Idle", "plain"],
  stalled: ["Stalled", "bad"],
  completed: ["Completed", "plain"],
  failed: ["Failed", "bad"],
  cancelled: ["Cancelled", "plain"],
  timeout: ["Ran out of time", "bad"],
  ended: ["Ended", "plain"],
};

export function statusInWords(status: string): string {
  return STATUSES[status]?.[0] ?? spaced(status);
}

export function toneOf(status: string): Tone {
  return STATUSES[status]?.[1] ?? "plain";
}

/** What is zero is not said. */
export function countsInWords({ counts }: SessionView): readonly string[] {
  const { openRequests, calls, failedCalls, errors, alerts, flags } = counts;
  return given(
    openRequests > 0 && `${counted(openRequests, "question")} open`,
    calls > 0 && counted(calls, "call"),
    failedCalls > 0 && (calls > 0 ? `${failedCalls.toLocaleString("en")} failed` : `${counted(failedCalls, "call")} failed`),
    errors > 0 && counted(errors, "error"),
    alerts > 0 && counted(alerts, "alert"),
    flags > 0 && counted(flags, "finding"),
  );
}

const MARKS: Readonly<Record<string, string>> = {
  "started-late": "its start was heard late",
  "spoke-after-end": "spoke after its end",
  "never-started": "its start was never heard",
  gap: "something it said never arrived",
};

export function marksInWords({ marks }: SessionView): readonly string[] {
  return marks.map((mark) => MARKS[mark] ?? spaced(mark));
}

function sentences(...texts: readonly string[]): readonly Labelled[] {
  return given(...texts).map((text) => ({ label: "", text }));
}

/** `3 sessions, the one heard last first: 1 running, 2 failed.` */
export function tellStatuses(sessions: readonly SessionView[]): string {
  const howMany = new Map<string, number>();
  for (const { status } of sessions) howMany.set(status, (howMany.get(status) ?? 0) + 1);
  const parts = Object.keys(STATUSES)
    .concat([...howMany.keys()].filter((status) => !Object.hasOwn(STATUSES, status)))
    .flatMap((status) => when(howMany.get(status), (number) => `${number} ${statusInWords(status).toLowerCase()}`) ?? []);
  const order = sessions.length > 1 ? ", the one heard last first" : "";
  return `${counted(sessions.length, "session")}${order}: ${parts.join(", ")}.`;
}
