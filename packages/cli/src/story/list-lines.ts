import type { Alert, CostGroup, CostTable, SearchHit, SessionTree, SessionView } from "@earshot/hub";
import {
  agentName,
  capitalize,
  formatAgo,
  formatCount,
  formatMoney,
  formatNumber,
  formatTokens,
  protocolName,
  spaceWords,
} from "@earshot/narrate";
import { plainText } from "@earshot/terminal/plain-text";
import type { OutputItem } from "@earshot/terminal/saying";
import type { Style } from "@earshot/terminal/style";
import { shortenId } from "../terminal/table.ts";
import { ifPresent, presentLabels, presentTexts } from "./phrases.ts";
import { type SessionTelling, sessionSaying } from "./session-lines.ts";

/** An alert: message, severity, time and evidence. */
export function alertSaying({ type, severity, message, agent, sessionId, protocol, rule, at }: Alert, now: number): OutputItem {
  return {
    what: capitalize(spaceWords(type)),
    tone: severity === "critical" ? "bad" : "warning",
    remarks: [severity, formatAgo(at, now)],
    words: message,
    parts: [
      ...presentLabels({ Rule: rule, Agent: agentName(agent) }),
      { label: "Session", text: `${shortenId(sessionId)}, ${protocolName(protocol)}` },
    ],
  };
}

/** A search hit: place, agent, time, and the surrounding words. */
export function hitSaying({ field, agent, type, receivedAt, snippet, sessionId, protocol }: SearchHit, now: number): OutputItem {
  return {
    what: field === "other" ? `In ${type}` : capitalize(spaceWords(field)),
    remarks: [agentName(agent), formatAgo(receivedAt, now)],
    words: snippet.replaceAll(/\s+/g, " "),
    parts: [{ label: "Session", text: `${shortenId(sessionId)}, ${protocolName(protocol)}` }],
  };
}

export const HIT_COLUMNS = ["Entry", "Where", "Agent", "Received", "Session", "Words"];

/** The same as table cells. */
export function hitRow({ position, field, agent, type, receivedAt, snippet, sessionId }: SearchHit, now: number): readonly string[] {
  const where = field === "other" ? `In ${type}` : capitalize(spaceWords(field));
  const cells = [where, agentName(agent), formatAgo(receivedAt, now), shortenId(sessionId), snippet.replaceAll(/\s+/g, " ")];
  return [`#${position}`, ...cells.map(plainText)];
}

export const ALERT_COLUMNS = ["Alert", "Severity", "When", "Agent", "Session", "Seen"];

export function alertRow({ type, severity, at, agent, sessionId, message }: Alert, now: number): readonly string[] {
  return [capitalize(spaceWords(type)), severity, formatAgo(at, now), agentName(agent), shortenId(sessionId), message].map(plainText);
}

/** One line of a cost table, without amounts that were not reported. */
export function costSaying({ name, costUsd, tokens, events, session }: CostTable["lines"][number], by: CostGroup): OutputItem {
  return {
    what: name === "" ? `No ${by} named` : by === "agent" ? agentName(name) : name,
    words: presentTexts(ifPresent(costUsd, formatMoney), ifPresent(tokens, formatTokens), `from ${formatCount(events, "event")}`).join(
      ", ",
    ),
    parts: session === undefined ? [] : [{ label: "Key", text: String(session) }],
  };
}

export function costRow({ name, costUsd, tokens, events, session }: CostTable["lines"][number], by: CostGroup): readonly string[] {
  return [
    plainText(name === "" ? `No ${by} named` : by === "agent" ? agentName(name) : by === "session" ? shortenId(name) : name),
    costUsd === undefined ? "" : `$${costUsd.toFixed(2)}`,
    tokens === undefined ? "" : formatTokens(tokens),
    formatNumber(events),
    session === undefined ? "" : String(session),
  ];
}

export function totalLine({ lines, total }: CostTable, by: CostGroup): string {
  const amounts = presentTexts(ifPresent(total.costUsd, formatMoney), ifPresent(total.tokens, formatTokens));
  if (lines.length === 0 && amounts.length === 0) return "No costs were reported.";
  const order = by === "day" ? "newest first" : "most expensive first";
  const all = amounts.length === 0 ? "" : `In all ${amounts.join(", ")}, from ${formatCount(total.events, "event")}. `;
  return `${all}By ${by}, ${order}:`;
}

/** A session in its tree. The level is in words as well, because indentation is inaudible. */
export function nodeSaying(node: SessionTree["nodes"][number], shown: SessionView, telling: SessionTelling): OutputItem {
  const told = sessionSaying(node, telling);
  const { parent } = node;
  const { sessions } = telling.wording;
  return {
    ...told,
    what: sessions.level(node.depth, told.what),
    remarks: [...(told.remarks ?? []), ...presentTexts(node.key === shown.key && sessions.isShown)],
    parts: [...(told.parts ?? []), ...(parent?.inferred === true ? [{ label: sessions.labels.inferredParent, text: parent.because }] : [])],
  };
}

/** Characters with a meaning in a regular expression. */
const SIGNS = /[\^$.*+?()[\]{}|/-]|\\/g;

/** Highlights the found words after wrapping, because escape sequences take no columns. */
export function highlight(lines: readonly string[], { snippet, marks }: SearchHit, { bold }: Style): readonly string[] {
  const words = new Set(marks.map(([start, end]) => plainText(snippet.slice(start, end)).trim()).filter((word) => word.length > 1));
  if (words.size === 0) return lines;
  // Longest first, since one may be the beginning of another.
  const sorted = [...words].sort((left, right) => right.length - left.length).map((word) => word.replaceAll(SIGNS, "\\$&"));
  const any = new RegExp(sorted.join("|"), "g");
  return lines.map((line) => line.replaceAll(any, (word) => bold(word)));
}
