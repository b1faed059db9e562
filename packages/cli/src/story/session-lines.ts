import type { SessionGrade, SessionView } from "@earshot/hub";
import {
  agentName,
  type DescriptionWords,
  describeSessionMark,
  describeStatus,
  type NarrationTone,
  protocolName,
  spaceWords,
} from "@earshot/narrate";
import type { Labelled, OutputItem, Tone } from "@earshot/terminal/saying";
import { shortenId } from "../terminal/table.ts";
import { ifPresent, presentLabels, presentTexts } from "./phrases.ts";

export interface SessionTelling {
  readonly now: number;
  readonly wording: DescriptionWords;
  /** Default: the id in short. */
  readonly shownId?: string | undefined;
}

/** One session on one line: state, agent, goal; then what may need action; last its id. */
export function sessionSaying(session: SessionView, { now, wording, shownId = shortenId(session.id) }: SessionTelling): OutputItem {
  const { status, agent, goal, lastSummary, parent, protocol } = session;
  const { sessions } = wording;
  return {
    ...standing(status, wording),
    remarks: [agentName(agent)],
    words: goal ?? "",
    parts: [
      ...sentences(
        countsInWords(session, wording).join(", "),
        sessions.heard(wording.ago(session.lastHeardAt, now), wording.duration(session.durationMs)),
        spentInWords(session, wording),
      ),
      ...labelInWords(wording, {
        last: lastSummary,
        odd: marksInWords(session, wording),
        parent: parent === undefined ? undefined : shortenId(parent.id),
      }),
      { label: sessions.labels.session, text: `${shownId}, ${protocolName(protocol)}` },
    ],
  };
}

function standing(status: string, { voice }: DescriptionWords): Pick<OutputItem, "what"> & { readonly tone: Tone } {
  const { words, tone } = describeStatus(status, voice);
  return { what: words, tone: STATUS_TONES[tone] ?? "plain" };
}

const STATUS_TONES: { readonly [Name in NarrationTone]?: Tone } = { busy: "good", warn: "warning", bad: "bad" };

/** Zero counts are left out. */
function countsInWords({ counts }: SessionView, { sessions }: DescriptionWords): readonly string[] {
  const { openRequests, calls, failedCalls, errors, alerts, flags } = counts;
  const words = sessions.counts;
  return presentTexts(
    openRequests > 0 && words.questions(openRequests),
    calls > 0 && words.calls(calls),
    failedCalls > 0 && (calls > 0 ? words.failed(failedCalls) : words.failedCalls(failedCalls)),
    errors > 0 && words.errors(errors),
    alerts > 0 && words.alerts(alerts),
    flags > 0 && words.findings(flags),
  );
}

function marksInWords({ marks }: SessionView, { voice }: DescriptionWords): string {
  return marks.map((mark) => describeSessionMark(mark, voice)).join(", ");
}

function spentInWords({ costUsd, tokens }: SessionView, { story }: DescriptionWords): string {
  return presentTexts(ifPresent(costUsd, story.money), ifPresent(tokens, story.tokens)).join(", ");
}

function sentences(...texts: readonly string[]): readonly Labelled[] {
  return presentTexts(...texts).map((text) => ({ label: "", text }));
}

type LabelName = keyof DescriptionWords["sessions"]["labels"];

function labelInWords({ sessions }: DescriptionWords, parts: { readonly [Name in LabelName]?: string | undefined }): readonly Labelled[] {
  return presentLabels(Object.fromEntries(Object.entries(parts).map(([name, text]) => [sessions.labels[name as LabelName], text])));
}

/** `3 sessions, the one heard last first: 1 running, 2 failed.` */
export function statusesLine(listed: readonly SessionView[], wording: DescriptionWords): string {
  const { sessions, story } = wording;
  const howMany = new Map<string, number>();
  for (const { status } of listed) howMany.set(status, (howMany.get(status) ?? 0) + 1);
  const order = Object.keys(story.statuses);
  const parts = [...order, ...[...howMany.keys()].filter((status) => !order.includes(status))].flatMap(
    (status) => ifPresent(howMany.get(status), (number) => `${number} ${standing(status, wording).what.toLowerCase()}`) ?? [],
  );
  return sessions.byStatus(sessions.counts.sessions(listed.length), listed.length > 1, parts.join(", "));
}

const RULES_SHOWN = 5;

/** The facts of a session before its story. */
export function headSaying(session: SessionView, grade: SessionGrade | undefined, { now, wording }: SessionTelling): OutputItem {
  const { id, protocol, source, verified, key, agent, agents, model, goal, workspace, children, counts } = session;
  const { sessions } = wording;
  const others = agents.filter((name) => name !== agent);
  return {
    ...standing(session.status, wording),
    remarks: [agentName(agent), sessions.protocolSession(protocolName(protocol), shortenId(id))],
    below: [
      ...labelInWords(wording, {
        goal,
        time: timeInWords(session, now, wording),
        did: presentTexts(
          sessions.counts.events(counts.events),
          counts.prompts > 0 && sessions.counts.prompts(counts.prompts),
          ...countsInWords(session, wording),
        ).join(", "),
        spent: spentInWords(session, wording),
        lastSaid: session.lastSummary,
        model,
        workspace,
        others: others.map((name) => agentName(name)).join(", "),
        parent: parentInWords(session, wording),
        children: children === 0 ? undefined : sessions.children(children),
        odd: marksInWords(session, wording),
        source: sessions.source(source, verified, key),
        id: shortenId(id) === id ? undefined : id,
      }),
      ...(grade === undefined ? [] : tellGrade(grade, wording)),
    ],
  };
}

function timeInWords({ startedAt, lastHeardAt, endedAt, durationMs }: SessionView, now: number, wording: DescriptionWords): string {
  const began = wording.moment(startedAt, now);
  return wording.sessions.time(endedAt !== undefined, wording.ago(endedAt ?? lastHeardAt, now), began, wording.duration(durationMs));
}

function parentInWords({ parent }: SessionView, { sessions }: DescriptionWords): string | undefined {
  if (parent === undefined) return undefined;
  const { id, relation, inferred, because } = parent;
  const relations: Readonly<Record<string, string>> = sessions.relations;
  return presentTexts(shortenId(id), relations[relation], sessions.because(because, inferred)).join(", ");
}

/** The grade and its rules, most important first. */
function tellGrade({ grade, rules }: SessionGrade, { sessions }: DescriptionWords): readonly Labelled[] {
  const severities: Readonly<Record<string, string>> = sessions.severities;
  const grades: Readonly<Record<string, string>> = sessions.grades;
  const { rules: label } = sessions.labels;
  const order = Object.keys(severities);
  const sorted = [...rules].sort((left, right) => order.indexOf(left.severity) - order.indexOf(right.severity) || right.count - left.count);
  const more = sorted.length - RULES_SHOWN;
  return [
    { label, text: sessions.grade(grade, grades[grade] ?? "", rules.length > 0) },
    ...sorted.slice(0, RULES_SHOWN).map(({ rule, severity, count, firstPosition }) => ({
      label: severities[severity] ?? spaceWords(severity),
      text: sessions.brokenAt(rule, count, firstPosition),
      tone: severity === "error" ? ("bad" as const) : severity === "warning" ? ("warning" as const) : ("plain" as const),
    })),
    ...(more > 0 ? [{ label, text: sessions.moreRules(more) }] : []),
  ];
}
