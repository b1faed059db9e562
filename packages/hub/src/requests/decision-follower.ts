import { setImmediate } from "node:timers/promises";
import type { JsonObject } from "@earshot/protocol";
import type { Ledger } from "../ledger/ledger.ts";

export interface FollowerPorts {
  readonly ledger: Ledger;
  /** Whether anyone waits for a decision: otherwise none is read. */
  readonly isNeeded: () => boolean;
  /** Takes up what other processes have opened; left out where there are none. */
  readonly adopt?: (() => Promise<void>) | undefined;
  readonly hear: (decision: JsonObject, position: number, at: number) => void;
  readonly onFailure: (error: unknown) => void;
}

const PAGE = 500;
const RETRY_MS = 1000;
const DECISIONS = ["decision", "decision.extended"];

/** Reads all decisions in the ledger, including those of other processes. */
export class DecisionFollower {
  readonly #ports: FollowerPorts;
  readonly #unfollow: () => void;
  #seen: number;
  #following: Promise<void> | undefined;
  /** Newest head that it was woken with and has not looked at. */
  #woken: number | undefined;
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
    const { isNeeded, adopt, onFailure } = this.#ports;
    if (this.#isClosed) return;
    if (!isNeeded() && adopt === undefined) {
      this.#skip(position);
      return;
    }
    this.#woken = position;
    // Callers waiting for the written entry are answered first; afterwards nobody may be left waiting for a decision. A wake-up during
    // a read is handled by the same read.
    this.#following ??= setImmediate()
      .then(() => this.#catchUp())
      .catch((error: unknown) => {
        onFailure(error);
        if (adopt !== undefined) setTimeout(() => this.#follow(position), RETRY_MS).unref();
      })
      .finally(() => {
        this.#following = undefined;
      });
  }

  async #catchUp(): Promise<void> {
    const { isNeeded, adopt } = this.#ports;
    for (let head = this.#woken; head !== undefined && !this.#isClosed; head = this.#woken) {
      this.#woken = undefined;
      // Adopted first: what is decided after that stands after the head.
      await adopt?.();
      if (isNeeded()) await this.#read();
      else this.#skip(head);
    }
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
