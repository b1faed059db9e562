import { hash53, shorten } from "../bounded.ts";
import { type Detector, NOTHING, several } from "./detector.ts";

/** Rules of the protocol that the session broke, from the flags that were stored with its entries: errors, each rule once. */
export interface ViolationState {
  /** Hashes of the rules that were told. */
  readonly told: number[];
}

/** More rules than any protocol has: who breaks so many is known well enough. */
const MOST_RULES = 128;
const MAX_MESSAGE = 500;

export const conformanceViolation: Detector<ViolationState> = {
  open: () => ({ told: [] }),

  hear({ told }, { flags, position, receivedAt }, { violations }) {
    if (!violations) return NOTHING;
    const fresh = flags.filter(
      ({ severity, rule }) => severity === "error" && rule !== undefined && told.length < MOST_RULES && !told.includes(hash53(rule)),
    );
    const [first] = fresh;
    if (first?.rule === undefined) return NOTHING;
    const rules = new Set(fresh.map(({ rule }) => rule ?? ""));
    for (const rule of rules) if (told.length < MOST_RULES) told.push(hash53(rule));
    const others = rules.size === 1 ? "" : ` and ${several(rules.size - 1, "other rule")}`;
    const message = `It broke ${first.rule}${others} for the first time: ${shorten(first.message, MAX_MESSAGE)}`;
    return [{ severity: "warning", message, position, at: receivedAt, rule: first.rule }];
  },
};
