/** Where something was said: the session's own number for it, the agent's clock, and where it stands in the ledger. */
export interface Place {
  readonly sequence: number | null;
  /** Milliseconds since 1970 by the agent's clock; null where it says nothing that can be read. */
  readonly ms: number | null;
  readonly position: number;
}

/** Posts travel on parallel connections, so that numbers tell more than clocks, and clocks more than arrival. */
export function isAfter(left: Place, right: Place): boolean {
  if (left.sequence !== null && right.sequence !== null && left.sequence !== right.sequence) return left.sequence > right.sequence;
  if (left.ms !== null && right.ms !== null && left.ms !== right.ms) return left.ms > right.ms;
  return left.position > right.position;
}

/** The later of two; the first where there is no second. */
export function later(known: Place | null, heard: Place): Place {
  return known === null || isAfter(heard, known) ? heard : known;
}
