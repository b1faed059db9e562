import { hash53, shorten } from "../bounded.ts";
import { type Detector, NOTHING, several } from "./detector.ts";

/** The first entry that breaks a rule of its protocol, for each rule, from the errors stored as flags with the entries. */
export interface ViolationState {
  /** Hashes of the rules that raised an alert. */
  readonly raised: number[];
}

/** More than any protocol has. */
const MAX_RULES = 128;
const MAX_MESSAGE = 500;

export const conformanceViolation: Detector<ViolationState> = {
  open: () => ({ raised: [] }),

  apply({ raised }, { flags, position, receivedAt }, { thresholds }) {
    if (!thresholds.violations) return NOTHING;
    const fresh = flags.filter(
      ({ severity, rule }) => severity === "error" && rule !== undefined && raised.length < MAX_RULES && !raised.includes(hash53(rule)),
    );
    const [first] = fresh;
    if (first?.rule === undefined) return NOTHING;
    const rules = new Set(fresh.map(({ rule }) => rule ?? ""));
    for (const rule of rules) if (raised.length < MAX_RULES) raised.push(hash53(rule));
    const others = rules.size === 1 ? "" : ` and ${several(rules.size - 1, "other rule")}`;
    const message = `It broke ${first.rule}${others} for the first time: ${shorten(first.message, MAX_MESSAGE)}`;
    return [{ severity: "warning", message, position, at: receivedAt, rule: first.rule }];
  },
};
