import type { JudgedProblem, Problem, ProtocolName, Reading } from "@earshot/protocol";
import type { NewRequest } from "./decision.ts";

/** Protocol and credential an event came with. `name` is `local` without one, or the endpoint attached to. */
export interface Source {
  readonly protocol: ProtocolName;
  readonly name: string;
  /** Whether the sender held a credential. Only verified sources open requests. */
  readonly verified: boolean;
}

/** One event or message that was read and redacted, and is ready to be stored. */
export interface Submission {
  readonly source: Source;
  readonly kind: "event" | "message";
  /** Empty for what belongs to no session. */
  readonly session: string;
  readonly agent: string;
  readonly type: string;
  /** AOP only. */
  readonly sequence: number | null;
  /** Identifies a redelivery, together with the source; null where `sequence` does, or nothing can. */
  readonly identity: string | null;
  /** JSON as it was sent, secrets masked, or as much of it as is kept. */
  readonly text: string;
  /** The whole text where less of it is kept: compared when the identity is seen again. */
  readonly whole?: string;
  /** Milliseconds since 1970, by the hub's clock. */
  readonly receivedAt: number;
  readonly reading: Reading;
  readonly redactions: readonly RedactionMark[];
  /** Set for imported entries, which are no news to anybody. */
  readonly isHistory?: true;
  /** The name by which a message may answer this entry (a reply token, an event id), together with the source. */
  readonly answerable?: string;
  /** The name that this message answers. */
  readonly answers?: string;
  readonly request?: NewRequest;
}

/** A masked secret: where, of which shape, how many code points. */
export interface RedactionMark {
  readonly pointer: string;
  readonly shape: string;
  readonly length: number;
}

/**
 * Judges an event against the session's earlier events. Pure: no I/O, no clock. The state is a plain JSON value that is
 * changed in place. The ledger stores it now and then, and replays the entries stored since to bring an older state up to date;
 * hence the state is stored at once when less was stored than was judged (`Submission.whole`).
 */
export interface Lifecycle {
  open(protocol: ProtocolName): SessionState;
  hear(state: SessionState, said: Said, place: Placing): Judgement;
  /** Reads a stored text again, for replaying it. */
  read(protocol: ProtocolName, text: string): Reading;
}

/** The part of a submission that is judged. */
export type Said = Pick<Submission, "source" | "reading" | "text">;

export interface Placing {
  readonly position: number;
  /** Its number was given to another event of the session before (AOP). */
  readonly repeated: boolean;
  /** Where the same agent used its `answerable` name before. */
  readonly nameUsedAt: number | null;
}

/** Opaque to the judge. */
export type SessionState = object;

export interface Judgement {
  readonly flags: readonly Flag[];
  /** Set when it must not be stored. The state is then as it was before. */
  readonly refuse?: Problem;
}

/** A rule that was broken, and the entry it is about. A flag never keeps an event from being stored. */
export interface Flag extends JudgedProblem {
  /** Position of the entry meant. Left out for the entry that carries the flag: most flags are about their own event. */
  readonly at?: number;
  /** Position of the earlier entry that is the other half of the story. */
  readonly since?: number;
}

/** What became of one submission. It is durable when a verdict says so: nobody hears `stored` before it is on disk. */
export type Verdict = Stored | Refused;

export interface Stored {
  readonly ok: true;
  /** Where it stands in the ledger; for a duplicate, where it stood already. */
  readonly position: number;
  /** The same event, from the same source, was stored before: nothing was stored now. */
  readonly duplicate: boolean;
  readonly flags: readonly Flag[];
  /** How many secrets were masked in it. */
  readonly redactions: number;
  /** The request that it opened, or had opened when it was stored before: `GET /v1/answers/ID` tells the answer. */
  readonly request?: string;
  /** It asks something, and is kept, but nobody will be asked: why. */
  readonly notAsked?: Problem;
}

export interface Refused {
  readonly ok: false;
  readonly problem: Problem;
}
