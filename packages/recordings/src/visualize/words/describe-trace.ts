import { formatCount, formatList } from "@earshot/narrate";
import type { Severity } from "@earshot/protocol";
import { plainText } from "@earshot/terminal/plain-text";
import { protocolLabel, SEVERITY_WORDS } from "../../check/report/phrases.ts";
import type { RecordingTrace, Section, Violation } from "../trace.ts";
import { describeSection, shortenName } from "./describe-section.ts";

/**
 * A trace as text for readers that cannot see the picture: short sentences, the most important first. All texts are safe for a terminal;
 * HTML still requires escaping.
 */
export interface TraceStory {
  readonly title: string;
  readonly overview: readonly string[];
  readonly sections: readonly SectionStory[];
  readonly rest: readonly string[];
}

export interface SectionStory {
  readonly section: Section;
  readonly heading: string;
  readonly sentences: readonly string[];
  readonly violations: readonly Violation[];
}

export function describeTrace(trace: RecordingTrace): TraceStory {
  return {
    title: `Trace of ${shortenName(trace.title)}`,
    overview: overviewOf(trace),
    sections: trace.sections.map((section) => ({
      section,
      heading: sectionHeadingOf(section),
      sentences: describeSection(section, trace),
      violations: trace.violations.filter((violation) => violation.section === section.index),
    })),
    rest: restOf(trace),
  };
}

function overviewOf({ events, messages, unreadable, protocols, sections, counts }: RecordingTrace): readonly string[] {
  const spoken = sections.filter(({ session }) => session !== "").length;
  const extent = [
    ...(events === 0 && messages + unreadable > 0 ? [] : [formatCount(events, "event")]),
    ...(messages === 0 ? [] : [formatCount(messages, events === 0 ? "message" : "other message")]),
    ...(unreadable === 0 ? [] : [`${formatCount(unreadable, "line")} that could not be read`]),
  ];
  const labels = protocols.map((protocol) => protocolLabel(protocol));
  const agents =
    spoken === 0 ? "" : spoken === 1 ? " One agent is drawn." : ` ${formatCount(spoken, "agent")} are drawn, each in a part of its own.`;
  return [
    `${formatList(extent)}${labels.length === 0 ? "" : `, in ${formatList(labels)}`}.${agents}`,
    ...failedInWords(sections),
    brokenInWords(counts),
  ];
}

/** Failures of the run come before defects of the recording. */
function failedInWords(sections: RecordingTrace["sections"]): readonly string[] {
  const failed = sections.reduce((sum, { tools }) => sum + tools.failed, 0);
  return failed === 0 ? [] : [`${formatCount(failed, "tool call")} failed.`];
}

/** `2 errors and 1 warning are marked.` */
export function brokenInWords(counts: Readonly<Record<Severity, number>>): string {
  const kinds = (["error", "warning", "info"] as const).filter((severity) => counts[severity] > 0);
  if (kinds.length === 0) return "No rule is broken.";
  const total = counts.error + counts.warning + counts.info;
  return `${formatList(kinds.map((kind) => formatCount(counts[kind], SEVERITY_WORDS[kind])))} ${total === 1 ? "is" : "are"} marked.`;
}

export function sectionHeadingOf({ session, agent, agentName, protocol, parent }: Section): string {
  if (session === "") return "Beside the sessions";
  const who = agentName ?? agent;
  const label = protocol === undefined ? "" : `, ${protocolLabel(protocol)}`;
  return `${parent === undefined ? "Agent" : "Subagent"} ${who === "" ? "without a name" : shortenName(who)}, session ${shortenName(session)}${label}`;
}

/** `Error 1 at line 5, agent.tool.invoked: aaep/nothing-after-end. …` */
export function violationInWords({ number, severity, rule, message, line, type, since, at }: Violation): string {
  const word = SEVERITY_WORDS[severity];
  const where = line > 0 ? `at line ${line}` : "about the recording as a whole";
  const what = type === undefined ? "" : `, ${shortenName(type)}`;
  const compare = since === undefined || since === line ? "" : ` Compare line ${since}.`;
  const drawn = at === undefined && line > 0 ? " It is not drawn." : "";
  const kind = word.slice(0, 1).toUpperCase() + word.slice(1);
  return `${kind} ${number} ${where}${what}: breaks ${shortenName(rule)}. ${sentence(message)}${compare}${drawn}`;
}

function restOf({ leftOut, violations, counts, notes }: RecordingTrace): readonly string[] {
  const total = counts.error + counts.warning + counts.info;
  const more = total - violations.length;
  return [
    ...(leftOut.sections === 0
      ? []
      : [
          `${formatCount(leftOut.sections, "more agent")} with ${formatCount(leftOut.events, "event")} ${leftOut.sections === 1 ? "is" : "are"} not drawn; --session ID draws one of them.`,
        ]),
    ...(more > 0 ? [`${formatCount(more, "more broken rule")} ${more === 1 ? "is" : "are"} counted but not listed.`] : []),
    ...notes.map((note) => sentence(note)),
  ];
}

function sentence(text: string): string {
  const plain = plainText(text).trim();
  return /[.!?…]$/.test(plain) ? plain : `${plain}.`;
}
