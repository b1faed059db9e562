import type { Capabilities } from "@earshot/protocol";

export const BOUNDARIES = ["none", "word", "sentence", "paragraph", "completion"] as const;
export type Boundary = (typeof BOUNDARIES)[number];
export type Verbosity = "terse" | "normal" | "detailed";
export type Load = "low" | "medium" | "high";

/**
 * What one subscription was promised, ready for use: made from the honoured capabilities by `toTerms`, never changed in
 * place. A renegotiation makes new ones.
 */
export interface Terms {
  /** As it was asked for, without the defaults: what a renegotiation changes. */
  readonly requested: Capabilities;
  /** As told in `subscription.accepted`. */
  readonly honored: Capabilities;
  /** Infinity without a limit. What is critical does not count. */
  readonly maxEventsPerSecond: number;
  readonly verbosity: Verbosity;
  /** By preference; as the subscriber wrote them. */
  readonly languages: readonly string[];
  readonly boundaries: ReadonlySet<Boundary>;
  readonly load: Load;
  /** Words per minute that the person takes in; undefined where it was not said. */
  readonly paceWpm: number | undefined;
  readonly answersConfirmations: boolean;
  readonly answersClarifications: boolean;
  /** Whether the filters let a type pass. What is critical passes anyway, and is not to be asked about. */
  readonly admits: (type: string) => boolean;
}
