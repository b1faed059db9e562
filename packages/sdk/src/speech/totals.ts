import { cutWithNote, type PlainObject } from "../plain/plain-copy.ts";
import { toAmount } from "../plain/text.ts";

export interface Spending {
  readonly tokens?: number | undefined;
  readonly costUsd?: number | undefined;
}

const GOAL_LENGTH = 1000;

/** The session's usage so far. Tokens and costs are the agent's own figures; values it never reported are not sent. */
export class Totals {
  #steps = 0;
  #tokens: number | undefined;
  #costUsd: number | undefined;
  goal: string | undefined;

  step(): void {
    this.#steps++;
  }

  spend({ tokens, costUsd }: Spending): void {
    const used = toAmount(tokens);
    const cost = toAmount(costUsd);
    if (used !== undefined) this.#tokens = (this.#tokens ?? 0) + used;
    if (cost !== undefined) this.#costUsd = (this.#costUsd ?? 0) + cost;
  }

  /** The totals for a heartbeat. */
  running(): PlainObject {
    return {
      step: this.#steps,
      ...(this.#tokens === undefined ? {} : { token_spend: this.#tokens }),
      ...(this.goal === undefined ? {} : { current_goal: cutWithNote(this.goal, GOAL_LENGTH) }),
    };
  }

  /** The totals for the session's end; an explicit final cost takes precedence. */
  final(costUsd: unknown, tokens: unknown): PlainObject {
    const cost = toAmount(costUsd) ?? this.#costUsd;
    const used = toAmount(tokens) ?? this.#tokens;
    return {
      total_steps: this.#steps,
      ...(used === undefined ? {} : { total_tokens: used }),
      ...(cost === undefined ? {} : { total_cost_usd: cost }),
    };
  }
}
