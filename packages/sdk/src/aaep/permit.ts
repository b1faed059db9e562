import type { Risk } from "@earshot/aaep/speaking";
import { EarshotError } from "@earshot/protocol/problem";

/** The description that a person accepted: acceptance of something harmless permits nothing else. */
export type Cover = "ordinary" | "high" | "irreversible";

const PERMIT = Symbol("permit");

/** Proof that a person accepted an action, valid for one call of it. Only `session.confirm` creates one. */
export interface Permit<Covers extends Cover = Cover> {
  readonly [PERMIT]: true;
  readonly covers: Covers;
  /** Id of the permitted call. */
  readonly callId: string;
}

/** The accepted action. */
export interface AcceptedAction {
  readonly action: string;
  readonly tool: string | undefined;
  /** In the form of `toCanonicalText`; undefined when any arguments are allowed. */
  readonly args: string | undefined;
}

interface Wanted {
  readonly tool: string;
  readonly args: unknown;
  readonly risk: Risk;
  readonly irreversible: boolean;
}

const RANK: Readonly<Record<Cover, number>> = { ordinary: 0, high: 1, irreversible: 2 };

/** The permits of one session. */
export class Permits {
  readonly #unused = new Map<Permit, AcceptedAction>();
  /** Permits used by calls that have not started, by call id. */
  readonly #spent = new Map<string, AcceptedAction>();

  /** Accepted actions that were not started. */
  get open(): readonly string[] {
    return [...this.#unused.values(), ...this.#spent.values()].map(({ action }) => action);
  }

  grant<Covers extends Cover>(covers: Covers, callId: string, accepted: AcceptedAction): Permit<Covers> {
    const permit: Permit<Covers> = Object.freeze({ [PERMIT]: true, covers, callId } as const);
    this.#unused.set(permit, accepted);
    return permit;
  }

  /** Uses a permit and returns its call id; undefined when none is needed or given. Throws when a required one is missing. */
  spend(permit: unknown, wanted: Wanted): string | undefined {
    const needed = wanted.irreversible ? "irreversible" : wanted.risk === "high" ? "high" : undefined;
    if (permit === undefined || permit === null) {
      if (needed === undefined) return undefined;
      throw refusal(`${wanted.tool} ${needed === "high" ? "is of high risk" : "cannot be undone"}, and nobody has accepted it.`);
    }
    const held = permit as Permit;
    const terms = this.#unused.get(held);
    if (terms === undefined) throw refusal(`The permit for ${wanted.tool} was used before, or is not of this session.`);
    if (RANK[held.covers] < RANK[needed ?? "ordinary"]) throw refusal(`${wanted.tool} does more than was asked about.`);
    if (terms.tool !== undefined && terms.tool !== wanted.tool) throw refusal(`The permit is for ${terms.tool}, not for ${wanted.tool}.`);
    if (terms.args !== undefined && terms.args !== toCanonicalText(wanted.args)) {
      throw refusal(`${wanted.tool} is called with other arguments than were asked about.`);
    }
    this.#unused.delete(held);
    this.#spent.set(held.callId, terms);
    return held.callId;
  }

  /** The call has started. */
  begun(callId: string): void {
    this.#spent.delete(callId);
  }
}

function refusal(message: string): EarshotError {
  return new EarshotError({ code: "CONFIRMATION_NEEDED", message, rule: "aaep/irreversible-needs-accept" });
}

/**
 * A canonical text: equal values give equal texts, independent of member order. It includes secrets, because it is compared and never
 * reported.
 */
export function toCanonicalText(value: unknown): string {
  try {
    return String(
      JSON.stringify(value, (_name, one: unknown) => (isRecord(one) ? sorted(one) : typeof one === "bigint" ? `${one}n` : one)),
    );
  } catch {
    throw new EarshotError({ code: "QUESTION_INVALID", message: "The arguments cannot be compared: they go round in circles." });
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sorted(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}
