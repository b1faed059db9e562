import type { Grade, SessionView } from "@earshot/hub";
import { counted, durationInWords, moneyInWords, tokensInWords } from "./amounts.ts";
import { agoInWords, momentInWords } from "./moments.ts";
import { given, labelled, protocolLabel, when } from "./phrases.ts";
import type { Labelled, Saying } from "./saying.ts";
import { countsInWords, marksInWords, statusInWords, toneOf } from "./tell-session.ts";

const RULES_SHOWN = 5;

/** What there is to know about a session before its story. */
export function tellHead(session: SessionView, grade: Grade | undefined, now: number): Saying {
  const { id, protocol, source, verified, key, agent, agents, model, goal, workspace, children, costUsd, tokens, counts } = session;
  const others = agents.filter((name) => name !== agent);
  return {
    what: statusInWords(session.status),
    tone: toneOf(session.status),
    remarks: [agent, `${protocolLabel(protocol)} session ${id}`],
    below: [
      ...labelled({
        Goal: goal,
        Time: timeInWords(session, now),
        Did: given(
          counted(counts.events, "event"),
          counts.prompts > 0 && counted(counts.prompts, "prompt"),
          ...countsInWords(session),
        ).join(", "),
        Spent: given(when(costUsd, moneyInWords), when(tokens, tokensInWords)).join(", "),
        "Last said": session.lastSummary,
        Model: model,
        Workspace: workspace,
        "Other agents": others.join(", "),
        Parent: parentInWords(session),
        Children: children === 0 ? undefined : `${children.toLocaleString("en")}; --tree shows them`,
        Odd: marksInWords(session).join(", "),
        Source: `${source}, ${verified ? "verified" : "not verified"}, key ${key}`,
      }),
      ...(grade === undefined ? [] : tellGrade(grade)),
    ],
  };
}

function timeInWords({ startedAt, lastHeardAt, endedAt, durationMs }: SessionView, now: number): string {
  const end = endedAt === undefined ? `heard ${agoInWords(lastHeardAt, now)}` : `ended ${agoInWords(endedAt, now)}`;
  return `${end}; began ${momentInWords(startedAt, now)}; ${durationInWords(durationMs)} long`;
}

function parentInWords({ parent }: SessionView): string | undefined {
  if (parent === undefined) return undefined;
  const { id, relation, inferred, because } = parent;
  return given(id, RELATIONS[relation], `${inferred ? "inferred: " : ""}${because}`).join(", ");
}

const RELATIONS: Readonly<Record<string, string>> = {
  subagent: "which started this one as a subagent",
  fork: "from which this one was forked",
  resume: "which this one resumes",
  continuation: "which this one continues",
};

const SEVERITIES = { error: "error", warning: "warning", info: "note" } as const;

/** The grade, then the rules behind it, what weighs most first. */
function tellGrade({ grade, rules }: Grade): readonly Labelled[] {
  const order = Object.keys(SEVERITIES);
  const sorted = [...rules].sort((left, right) => order.indexOf(left.severity) - order.indexOf(right.severity) || right.count - left.count);
  const more = sorted.length - RULES_SHOWN;
  return [
    {
      label: "Rules",
      text: `grade ${grade}, ${GRADES[grade] ?? ""}${rules.length === 0 ? "" : "; earshot explain RULE tells what to do"}`,
    },
    ...sorted.slice(0, RULES_SHOWN).map(({ rule, severity, count, firstPosition }) => ({
      label: `Rule, ${SEVERITIES[severity] ?? severity}`,
      text: `${rule}, ${count === 1 ? `once, at #${firstPosition}` : `${counted(count, "time")}, first at #${firstPosition}`}`,
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
