import { setTimeout as pause } from "node:timers/promises";
import { formatCount, formatDuration, formatNumber } from "@earshot/narrate";
import { plainText } from "@earshot/terminal/plain-text";
import type { TimeTroubles } from "./pacer.ts";
import type { ReplayProgress } from "./play.ts";
import type { ReceiverCounts, ReplayHubAccess } from "./receiver.ts";

/** The result of a replay, for people and as JSON. */
export interface ReplaySummary extends Omit<ReplayProgress, "sessions">, ReceiverCounts {
  readonly file: string;
  readonly to: string;
  readonly ms: number;
  /** Undefined if times were not used. */
  readonly times: TimeTroubles | undefined;
  readonly problems: readonly ReplayProblem[];
  readonly knownElsewhere?: readonly KnownElsewhere[];
}

export interface ReplayProblem {
  readonly line: number;
  readonly message: string;
  readonly code?: string;
}

const SHOWN = 10;
const LEFT_OUT = {
  aaep: "in AAEP",
  aep: "in AEP",
  aop: "in AOP",
  message: "beside the events: handshakes, replies, responses",
  unknown: "in no known protocol",
} as const;

export function summaryLines(summary: ReplaySummary): readonly string[] {
  const { events, stored, known, refused, damaged, flagged, times, problems, ms, stopped, line } = summary;
  const parts = [`${formatNumber(stored)} taken`];
  if (known > 0) parts.push(`${formatNumber(known)} there already`);
  if (refused + damaged > 0) parts.push(`${formatNumber(refused)} refused`, `${formatNumber(damaged)} damaged`);
  const lines = [
    `${plainText(summary.file)} to ${plainText(summary.to)}: ${formatCount(events, "event")} in ${formatDuration(ms)}; ${parts.join(", ")}.`,
  ];
  if (stopped) lines.push(`  Stopped at line ${formatNumber(line)}.`);
  for (const { line: at, message, code } of problems.slice(0, SHOWN)) {
    lines.push(`  line ${at}: ${plainText(message)}${code === undefined ? "" : ` (${code})`}`);
  }
  const unnamed = refused + damaged - Math.min(problems.length, SHOWN);
  if (unnamed > 0) lines.push(`  and ${formatCount(unnamed, "other")}.`);
  for (const [what, many = 0] of Object.entries(summary.leftOut)) {
    lines.push(`  ${formatNumber(many)} left out: ${LEFT_OUT[what as keyof typeof LEFT_OUT]}.`);
  }
  if (stored + known + refused === 0 && Object.keys(summary.leftOut).length > 0)
    lines.push(`  Nothing in it is for ${plainText(summary.to)}.`);
  if (flagged > 0) lines.push(`  ${formatCount(flagged, "event")} stored with a flag, because of what the session said before.`);
  if (known > 0) lines.push("  What was there already is the same event and is kept once. To play it as something new: --fresh");
  for (const { session, sources } of summary.knownElsewhere ?? []) {
    lines.push(
      `  ${plainText(session)} is there from ${plainText(sources.join(", "))}, too: two sessions of one name. --fresh gives it another`,
    );
  }
  if (times !== undefined) lines.push(...timeLines(times));
  return lines;
}

function timeLines({ untimed, backward, shortened }: TimeTroubles): readonly string[] {
  return [
    ...(untimed > 0 ? [`  ${formatNumber(untimed)} without a time: played with what came before.`] : []),
    ...(backward > 0 ? [`  ${formatNumber(backward)} earlier than what the session said before: played at once, in place.`] : []),
    ...(shortened > 0 ? [`  ${formatCount(shortened, "silence")} made shorter.`] : []),
  ];
}

/** A session of the recording that the hub also has from another source. */
interface KnownElsewhere {
  readonly session: string;
  readonly sources: readonly string[];
}

const LOOKED_AT = 10;
/** A hub that has just received a million events is still busy with them. */
const PATIENCE_MS = 3000;
/** The source name of events posted without a credential. */
const OURS = "local";
const NOBODY: readonly undefined[] = [];

/**
 * Returns the sessions that the hub also has under another source: the recorded agent, when the recording is replayed where it was made.
 * For the hub they are different sessions with the same name. Only the first few are checked, and a hub that does not answer in time is
 * skipped: the result is only a hint.
 */
export async function knownElsewhere(hub: ReplayHubAccess, sessions: Iterable<string>): Promise<readonly KnownElsewhere[]> {
  const looks = [...sessions].slice(0, LOOKED_AT).map((session) => look(hub, session).catch(() => undefined));
  const found = await Promise.race([Promise.all(looks), pause(PATIENCE_MS, NOBODY, { ref: false })]);
  return found.filter((one) => one !== undefined);
}

async function look(hub: ReplayHubAccess, session: string): Promise<KnownElsewhere | undefined> {
  const answer = await fetch(`${hub.url}/api/sessions?${new URLSearchParams({ id: session })}`, { headers: hub.headers });
  const { items = [] } = (await answer.json()) as { readonly items?: readonly { readonly source: string }[] };
  const sources = items.map(({ source }) => source).filter((source) => source !== OURS);
  return sources.length > 0 ? { session, sources } : undefined;
}
