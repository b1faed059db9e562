import type { Grade, SessionView } from "@earshot/hub";
import {
  agentName,
  describeSessionMark,
  describeStatus,
  formatAgo,
  formatCount,
  formatDuration,
  formatMoment,
  formatMoney,
  formatNumber,
  formatTokens,
  type NarrationTone,
  protocolName,
  Wording,
} from "@earshot/narrate";
import { TERMINAL_VOICE } from "@earshot/terminal/narration-lines";
import type { Labelled, Saying, Tone } from "@earshot/terminal/saying";
import { shortId } from "../terminal/table.ts";
import { given, labelled, when } from "./phrases.ts";

/** One session on one line: state, agent, goal; then what may need action; last its id. */
export function tellSession(session: SessionView, now: number, shownId = shortId(session.id)): Saying {
  const { status, agent, goal, costUsd, tokens, lastSummary, parent, protocol } = session;
  const marks = marksInWords(session);
  return {
    ...standing(status),
    remarks: [agentName(agent)],
    words: goal ?? "",
    parts: [
      ...sentences(
        countsInWords(session).join(", "),
        `Heard ${formatAgo(session.lastHeardAt, now)}, ${formatDuration(session.durationMs)} long`,
        given(when(costUsd, formatMoney), when(tokens, formatTokens)).join(", "),
      ),
      ...labelled({ Last: lastSummary, Odd: marks.join(", "), Parent: parent === undefined ? undefined : shortId(parent.id) }),
      { label: "Session", text: `${shownId}, ${protocolName(protocol)}` },
    ],
  };
}

function standing(status: string): Pick<Saying, "what"> & { readonly tone: Tone } {
  const { words, tone } = describeStatus(status, TERMINAL_VOICE);
  return { what: words, tone: STATUS_TONES[tone] ?? "plain" };
}

const STATUS_TONES: { readonly [Name in NarrationTone]?: Tone } = { busy: "good", warn: "warning", bad: "bad" };

/** Zero counts are left out. */
function countsInWords({ counts }: SessionView): readonly string[] {
  const { openRequests, calls, failedCalls, errors, alerts, flags } = counts;
  return given(
    openRequests > 0 && `${formatCount(openRequests, "question")} open`,
    calls > 0 && formatCount(calls, "call"),
    failedCalls > 0 && (calls > 0 ? `${formatNumber(failedCalls)} failed` : `${formatCount(failedCalls, "call")} failed`),
    errors > 0 && formatCount(errors, "error"),
    alerts > 0 && formatCount(alerts, "alert"),
    flags > 0 && formatCount(flags, "finding"),
  );
}

function marksInWords({ marks }: SessionView): readonly string[] {
  return marks.map((mark) => describeSessionMark(mark, TERMINAL_VOICE));
}

function sentences(...texts: readonly string[]): readonly Labelled[] {
  return given(...texts).map((text) => ({ label: "", text }));
}

/** `3 sessions, the one heard last first: 1 running, 2 failed.` */
export function tellStatuses(sessions: readonly SessionView[]): string {
  const howMany = new Map<string, number>();
  for (const { status } of sessions) howMany.set(status, (howMany.get(status) ?? 0) + 1);
  const order = Object.keys(new Wording(TERMINAL_VOICE).story.statuses);
  const parts = [...order, ...[...howMany.keys()].filter((status) => !order.includes(status))].flatMap(
    (status) => when(howMany.get(status), (number) => `${number} ${standing(status).what.toLowerCase()}`) ?? [],
  );
  const sorted = sessions.length > 1 ? ", the one heard last first" : "";
  return `${formatCount(sessions.length, "session")}${sorted}: ${parts.join(", ")}.`;
}

const RULES_SHOWN = 5;

/** The facts of a session before its story. */
export function tellHead(session: SessionView, grade: Grade | undefined, now: number): Saying {
  const { id, protocol, source, verified, key, agent, agents, model, goal, workspace, children, costUsd, tokens, counts } = session;
  const others = agents.filter((name) => name !== agent);
  return {
    ...standing(session.status),
    remarks: [agentName(agent), `${protocolName(protocol)} session ${shortId(id)}`],
    below: [
      ...labelled({
        Goal: goal,
        Time: timeInWords(session, now),
        Did: given(
          formatCount(counts.events, "event"),
          counts.prompts > 0 && formatCount(counts.prompts, "prompt"),
          ...countsInWords(session),
        ).join(", "),
        Spent: given(when(costUsd, formatMoney), when(tokens, formatTokens)).join(", "),
        "Last said": session.lastSummary,
        Model: model,
        Workspace: workspace,
        "Other agents": others.map((name) => agentName(name)).join(", "),
        Parent: parentInWords(session),
        Children: children === 0 ? undefined : `${formatNumber(children)}; --tree shows them`,
        Odd: marksInWords(session).join(", "),
        Source: `${source}, ${verified ? "verified" : "not verified"}, key ${key}`,
        Id: shortId(id) === id ? undefined : id,
      }),
      ...(grade === undefined ? [] : tellGrade(grade)),
    ],
  };
}

function timeInWords({ startedAt, lastHeardAt, endedAt, durationMs }: SessionView, now: number): string {
  const end = endedAt === undefined ? `heard ${formatAgo(lastHeardAt, now)}` : `ended ${formatAgo(endedAt, now)}`;
  return `${end}; began ${formatMoment(startedAt, now)}; ${formatDuration(durationMs)} long`;
}

function parentInWords({ parent }: SessionView): string | undefined {
  if (parent === undefined) return undefined;
  const { id, relation, inferred, because } = parent;
  return given(shortId(id), RELATIONS[relation], `${inferred ? "inferred: " : ""}${because}`).join(", ");
}

const RELATIONS: Readonly<Record<string, string>> = {
  subagent: "which started this one as a subagent",
  fork: "from which this one was forked",
  resume: "which this one resumes",
  continuation: "which this one continues",
};

const SEVERITIES = { error: "error", warning: "warning", info: "note" } as const;

/** The grade and its rules, most important first. */
function tellGrade({ grade, rules }: Grade): readonly Labelled[] {
  const order = Object.keys(SEVERITIES);
  const sorted = [...rules].sort((left, right) => order.indexOf(left.severity) - order.indexOf(right.severity) || right.count - left.count);
  const more = sorted.length - RULES_SHOWN;
  return [
    {
      label: "Rules",
      text: `grade ${grade}, ${GRADES[grade] ?? ""}${rules.length === 0 ? "" : "; earshot check explain RULE tells what to do"}`,
    },
    ...sorted.slice(0, RULES_SHOWN).map(({ rule, severity, count, firstPosition }) => ({
      label: `Rule, ${SEVERITIES[severity] ?? severity}`,
      text: `${rule}, ${count === 1 ? `once, at #${firstPosition}` : `${formatCount(count, "time")}, first at #${firstPosition}`}`,
      tone: severity === "error" ? ("bad" as const) : severity === "warning" ? ("warning" as const) : ("plain" as const),
    })),
    ...(more > 0 ? [{ label: "Rules", text: `${more} more; --json lists them all` }] : []),
  ];
}

const GRADES: Readonly<Record<string, string>> = {
  A: "nothing to remark",
  B: "notes only",
  C: "warnings",
  D: "errors",
};
