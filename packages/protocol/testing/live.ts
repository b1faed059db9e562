import type { Finding } from "../src/finding.ts";
import type { Protocol, ProtocolReading, ReadingFacts } from "../src/protocol.ts";
import type { Recording } from "./defect.ts";
import { readItem } from "./read-item.ts";

export interface LiveTold {
  readonly finding: Finding;
  readonly at: number;
}

/** One session as received by a hub. */
export interface LiveSession {
  state: object;
  readonly heard: LiveHeard[];
}

export interface LiveHeard {
  readonly reading: ProtocolReading;
  readonly facts: ReadingFacts;
  readonly at: number;
  /** The findings reported on arrival. */
  readonly told: readonly LiveTold[];
  /** Whether the session had ended by then. */
  readonly ended: boolean;
}

/** Key for events outside any session. */
export const NOWHERE = "\u0000nowhere";

/**
 * Processes a recording as a hub does: routes each item to its session, drops redelivered and conflicting items, and tracks used names.
 * `restarts` selects the items after which the state is stored and loaded again.
 */
export function hearLive(
  protocol: Protocol,
  recording: Recording,
  restarts: (at: number) => boolean = () => false,
): Map<string, LiveSession> {
  const { live } = protocol;
  const sessions = new Map<string, LiveSession>();
  const bodies = new Map<string, number>();
  const askedIn = new Map<string, string>();
  const namesUsedAt = new Map<string, number>();
  recording.forEach((item, index) => {
    const at = index + 1;
    const { value, facts } = readItem(item);
    const reading = protocol.read(value, facts);
    const answers = live.answers(reading);
    const id = live.session(reading) ?? (answers === undefined ? undefined : askedIn.get(answers)) ?? NOWHERE;
    const sequence = live.sequence(reading);
    const identity = live.identity(reading) ?? (sequence === null ? null : JSON.stringify([id, reading.agentId ?? "", sequence]));
    const before = identity === null ? undefined : bodies.get(identity);
    if (before === facts.bodyHash || (before !== undefined && sequence === null)) return;
    if (identity !== null && before === undefined) bodies.set(identity, facts.bodyHash);
    const name = live.answerable(reading);
    const ownName = JSON.stringify([reading.agentId, name]);
    const nameUsedAt = name === undefined ? null : (namesUsedAt.get(ownName) ?? null);
    if (name !== undefined) {
      askedIn.set(name, id);
      if (nameUsedAt === null) namesUsedAt.set(ownName, at);
    }
    let session = sessions.get(id);
    if (session === undefined) {
      session = { state: live.open(), heard: [] };
      sessions.set(id, session);
    }
    const told = live.handle(session.state, reading, at, { repeated: before !== undefined, nameUsedAt });
    session.heard.push({ reading, facts, at, told, ended: live.hasEnded(session.state) });
    if (restarts(at)) session.state = JSON.parse(JSON.stringify(session.state)) as object;
  });
  return sessions;
}
