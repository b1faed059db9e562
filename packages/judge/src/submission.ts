import type { JudgedProblem, Problem, ProtocolName, ProtocolReading } from "@earshot/protocol";
import type { NewRequest } from "./decision.ts";

/** Protocol and credential of an event. `name` is `local` without a credential, or the attached endpoint. */
export interface EventSource {
  readonly protocol: ProtocolName;
  readonly name: string;
  /** Whether the sender had a credential. Only verified sources open requests. */
  readonly verified: boolean;
}

/** One event or message, parsed and redacted, ready to be stored. */
export interface Submission {
  readonly source: EventSource;
  readonly kind: "event" | "message";
  /** Empty for events outside any session. */
  readonly session: string;
  readonly agent: string;
  readonly type: string;
  /** AOP only. */
  readonly sequence: number | null;
  /** Identifies a redelivery together with the source; null when `sequence` does, or when nothing can. */
  readonly identity: string | null;
  /** The JSON as sent with secrets masked, or the part of it that is kept. */
  readonly text: string;
  /** The whole text when less of it is kept; compared when the identity occurs again. */
  readonly whole?: string;
  /** Unix milliseconds by the hub's clock. */
  readonly receivedAt: number;
  readonly reading: ProtocolReading;
  readonly redactions: readonly RedactionMark[];
  /** Set for imported entries, which are not announced. */
  readonly isHistory?: true;
  /** The name by which a message may answer this entry (a reply token, an event id), together with the source. */
  readonly answerable?: string;
  /** The name this message answers. */
  readonly answers?: string;
  readonly request?: NewRequest;
}

/** A masked secret: its path, shape and length in code points. */
export interface RedactionMark {
  readonly pointer: string;
  readonly shape: string;
  readonly length: number;
}

/**
 * Judges an event against the session's earlier events. Pure: no I/O, no clock. The state is a plain JSON value changed in place. The
 * ledger stores it from time to time and replays later entries to bring an older state up to date; therefore it is stored at once when
 * less was stored than judged (`Submission.whole`).
 */
export interface EventLifecycle {
  open(protocol: ProtocolName): OpaqueSessionState;
  handle(state: OpaqueSessionState, said: JudgedPart, place: EntryPlacing): Judgement;
  /** Reads a stored text for replaying. */
  read(protocol: ProtocolName, text: string): ProtocolReading;
}

/** The judged part of a submission. */
export type JudgedPart = Pick<Submission, "source" | "reading" | "text">;

export interface EntryPlacing {
  readonly position: number;
  /** Another event of the session already used its number (AOP). */
  readonly repeated: boolean;
  /** Position where the same agent used its `answerable` name before. */
  readonly nameUsedAt: number | null;
}

/** Opaque to the judge. */
export type OpaqueSessionState = object;

export interface Judgement {
  readonly flags: readonly Flag[];
  /** Set when the event must not be stored. The state is then unchanged. */
  readonly refuse?: Problem;
}

/** A broken rule and its entry. A flag never prevents an event from being stored. */
export interface Flag extends JudgedProblem {
  /** Position of the affected entry; left out if it is the entry that carries the flag. */
  readonly at?: number;
  /** Position of the related earlier entry. */
  readonly since?: number;
}

/** The result of one submission. It is durable: `stored` is never reported before the sync to disk. */
export type Verdict = StoredVerdict | RefusedVerdict;

export interface StoredVerdict {
  readonly ok: true;
  /** Ledger position; for a duplicate, the original's position. */
  readonly position: number;
  /** The same event from the same source was stored before; nothing was stored now. */
  readonly duplicate: boolean;
  readonly flags: readonly Flag[];
  /** Number of masked secrets. */
  readonly redactions: number;
  /** The request it opened, now or when first stored; `GET /v1/answers/ID` returns the answer. */
  readonly request?: string;
  /** Why a stored question will be asked of nobody. */
  readonly notAsked?: Problem;
}

export interface RefusedVerdict {
  readonly ok: false;
  readonly problem: Problem;
}
