import type { Finding } from "../finding.ts";
import type { ProtocolReading } from "../protocol.ts";
import { readTimestamp } from "../timestamp.ts";
import { noteUnanswered, type UnseenReply } from "./authorise.ts";
import type { NoteFinding } from "./signal.ts";
import { quoteState } from "./states.ts";

/**
 * Judges a reply to a question whose action has already begun. A reply dated no later than the action is in time; otherwise the action
 * was too early.
 */
export function judgeReplied(early: UnseenReply, { value }: ProtocolReading): readonly Finding[] {
  const { timestamp, decision } = value;
  const repliedMs = typeof timestamp === "string" ? readTimestamp(timestamp)?.ms : undefined;
  const findings: Finding[] = [];
  const note = noteInto(findings);
  const inTime = early.ms !== undefined && repliedMs !== undefined && repliedMs <= early.ms;
  if (!inTime) noteUnanswered(early, note);
  else if (decision === "reject") {
    note("aaep/rejected-action-not-invoked", `${quoteState(early.tool)} is invoked, although ${quoteState(early.action)} was rejected.`, {
      since: early.since,
    });
  }
  return findings;
}

/** Judges an invocation once no further reply can arrive and it is known whether replies were recorded at all. */
export function judgeUnreplied(rest: UnseenReply, repliesRecorded: boolean): readonly Finding[] {
  const findings: Finding[] = [];
  const note = noteInto(findings);
  if (repliesRecorded) noteUnanswered(rest, note);
  else if (!rest.presumed && rest.irreversible) {
    note("aaep/irreversible-accept-unseen", `Whether ${quoteState(rest.action)} was accepted is not in this recording.`, {
      since: rest.since,
    });
  }
  return findings;
}

function noteInto(findings: Finding[]): NoteFinding {
  return (rule, message, detail) => findings.push({ rule, message, ...detail });
}
