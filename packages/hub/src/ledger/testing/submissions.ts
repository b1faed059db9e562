import type { ProtocolName } from "@earshot/protocol";
import { readSubmission } from "../../intake/submission.ts";
import type { Submission } from "../ledger.ts";

export const RECEIVED_AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
export const REPLY_TOKEN = "rpl_0123456789abcdef0123456789abcdef";
const TIME = "2026-01-02T03:04:05.000Z";

/** The members of an event that tests choose. */
export interface EventMembers {
  readonly sequence?: number;
  readonly id?: string;
  readonly session?: string;
  readonly agent?: string;
  readonly type?: string;
  readonly time?: string;
  readonly payload?: object;
}

export function toAopText(members: EventMembers): string {
  const { sequence = 1, session = "sess_1", agent = "a1", type = "cognition.thought", time = TIME } = members;
  const payload = members.payload ?? (type === "cognition.thought" ? { content: "So it is." } : {});
  return JSON.stringify({ spec: "aop/1.0", session_id: session, agent_id: agent, sequence, timestamp: time, type, payload });
}

export function toAepText({
  id = "1",
  session = "sess_1",
  agent = "claude-code",
  time = TIME,
  type = "session.start",
}: EventMembers): string {
  return JSON.stringify({ aep_version: "0.1", id, time, type, agent: { slug: agent }, session: { id: session } });
}

export function toAaepText(members: EventMembers): string {
  const { id = "1", session = "sess_1", agent = "a1", time = TIME, type = "aaep:agent.session.started" } = members;
  return JSON.stringify({
    "@context": "https://aaep-protocol.org/context/v1",
    event_id: `evt_${id}`,
    session_id: session,
    timestamp: time,
    producer: { agent_id: agent },
    localization_hints: { primary_language: "en" },
    type,
    summary_normal: "A sentence.",
  });
}

/** An AAEP event that asks for a confirmation. */
export function toAskingText(id: string): string {
  return JSON.stringify({
    ...(JSON.parse(toAaepText({ id, type: "aaep:agent.awaiting.confirmation" })) as object),
    urgency: "critical",
    action: "Drop the table.",
    consequence: "Its rows are lost.",
    reply_token: REPLY_TOKEN,
    timeout_seconds: 60,
    default_decision: "reject",
    risk_level: "high",
    irreversible: true,
  });
}

export function toSubmission(text: string, name = "local", protocol?: ProtocolName): Submission {
  const origin = { name, verified: false, ...(protocol === undefined ? {} : { protocol }) };
  const read = readSubmission(text, Buffer.byteLength(text), origin, { receivedAt: RECEIVED_AT, redacts: () => true });
  if (!read.ok) throw new Error(`${text} was refused: ${JSON.stringify(read.problem)}`);
  return read.submission;
}
