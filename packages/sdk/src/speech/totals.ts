import { cut, type PlainObject } from "../plain/plain-copy.ts";
import { toAmount } from "../plain/text.ts";

export interface Spending {
  readonly tokens?: number | undefined;
  readonly costUsd?: number | undefined;
}

const GOAL_LENGTH = 1000;

/** What a session has used so far. Tokens and costs are the agent's own figures; what it never reported is not sent. */
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

  /** As a heartbeat tells them. */
  running(): PlainObject {
    return {
      step: this.#steps,
      ...(this.#tokens === undefined ? {} : { token_spend: this.#tokens }),
      ...(this.goal === undefined ? {} : { current_goal: cut(this.goal, GOAL_LENGTH) }),
    };
  }

  /** As the end of the session tells them; the agent's own last word about the cost counts. */
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
