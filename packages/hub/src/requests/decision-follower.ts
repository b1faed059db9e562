import { setImmediate } from "node:timers/promises";
import type { JsonObject } from "@earshot/protocol";
import type { Ledger } from "../ledger/ledger.ts";

export interface FollowerPorts {
  readonly ledger: Ledger;
  /** Whether anybody waits for a decision: otherwise none is read. */
  readonly isNeeded: () => boolean;
  readonly hear: (decision: JsonObject, position: number, at: number) => void;
  readonly onFailure: (error: unknown) => void;
}

const PAGE = 500;
const DECISIONS = ["decision", "decision.extended"];

/** Reads the decisions that the ledger gets, whoever made them: other processes decide, too. */
export class DecisionFollower {
  readonly #ports: FollowerPorts;
  readonly #unfollow: () => void;
  #seen: number;
  #following: Promise<void> | undefined;
  #isClosed = false;

  constructor(ports: FollowerPorts, head: number) {
    this.#ports = ports;
    this.#seen = head;
    this.#unfollow = ports.ledger.follow((position) => this.#follow(position));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unfollow();
    await this.#following;
  }

  #follow(position: number): void {
    if (!this.#ports.isNeeded()) {
      this.#skip(position);
      return;
    }
    // Whoever waits for what was just written is answered first, and then there may be nobody left who waits for a decision.
    // What is woken while it reads is read by the same: it goes on until there is nothing more.
    this.#following ??= setImmediate(position)
      .then((head) => (this.#ports.isNeeded() ? this.#read() : this.#skip(head)))
      .catch(this.#ports.onFailure)
      .finally(() => {
        this.#following = undefined;
      });
  }

  #skip(position: number): void {
    this.#seen = Math.max(this.#seen, position);
  }

  async #read(): Promise<void> {
    while (!this.#isClosed) {
      const from = this.#seen;
      const { entries, upTo } = await this.#ports.ledger.read({ after: from, limit: PAGE, filter: { type: DECISIONS } });
      this.#seen = Math.max(upTo, this.#seen);
      for (const { kind, text, position, receivedAt } of entries) {
        if (kind === "decision") this.#ports.hear(JSON.parse(text) as JsonObject, position, receivedAt);
      }
      if (upTo === from) return;
    }
  }
}
