import type { Capabilities } from "@earshot/protocol";

export const BOUNDARIES = ["none", "word", "sentence", "paragraph", "completion"] as const;
export type Boundary = (typeof BOUNDARIES)[number];
export type AaepVerbosity = "terse" | "normal" | "detailed";
export type Load = "low" | "medium" | "high";

/** A subscription's compiled terms, made from honored capabilities by `compileTerms`. Immutable; a renegotiation creates new ones. */
export interface Terms {
  /** As requested, without defaults; the basis of a renegotiation. */
  readonly requested: Capabilities;
  /** As sent in `subscription.accepted`. */
  readonly honored: Capabilities;
  /** Infinity without a limit. Critical events do not count. */
  readonly maxEventsPerSecond: number;
  readonly verbosity: AaepVerbosity;
  /** By preference, as the subscriber wrote them. */
  readonly languages: readonly string[];
  readonly boundaries: ReadonlySet<Boundary>;
  readonly load: Load;
  /** The person's reading pace in words per minute; undefined if not given. */
  readonly paceWpm: number | undefined;
  readonly answersConfirmations: boolean;
  readonly answersClarifications: boolean;
  /** Whether the filters pass a type. Critical events pass without a check. */
  readonly admits: (type: string) => boolean;
}
