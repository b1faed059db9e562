import { DatabaseSync } from "node:sqlite";
import type { HubProcess } from "../hub/hub-process.ts";
import { SseReader } from "./sse-reader.ts";
import { utteredBy } from "./utterance.ts";

/**
 * Listens from the first position across all kills of the hub and records what it receives. A hub that announces entries before they are
 * on disk would send something that is later missing or different at the same position.
 */
export class Follower {
  /** Received entries by position. */
  readonly #heard: string[] = [];
  readonly #reader: SseReader;
  #outOfOrder = 0;

  constructor(hub: HubProcess) {
    let before = 0;
    const onEvent = (position: number, data: string) => {
      if (position !== before + 1) this.#outOfOrder++;
      before = position;
      const said = utteredBy(data);
      this.#heard[position] = said === undefined ? "?" : `${said.speaker}.${said.number}`;
    };
    this.#reader = new SseReader({ port: Number(new URL(hub.url).port), headers: hub.viewer(), onEvent }, 0);
  }

  /** Connects, or reconnects after a kill, with the position of the last received event. */
  connect(): Promise<void> {
    this.#reader.close();
    return this.#reader.open({ reads: true });
  }

  /** Number of received entries that the ledger lacks or that arrived out of order. */
  async misheard(ledger: string): Promise<number> {
    using db = new DatabaseSync(ledger, { readOnly: true, timeout: 5000 });
    const { head } = db.prepare("SELECT ifnull(max(position), 0) AS head FROM entry").get() as { head: number };
    await this.#reader.readUpTo(head);
    let wrong = this.#outOfOrder;
    for (const row of db.prepare("SELECT position, text FROM entry").iterate() as Iterable<unknown>) {
      const { position, text } = row as { readonly position: number; readonly text: string };
      const said = utteredBy(text);
      if (this.#heard[position] !== `${said?.speaker}.${said?.number}`) wrong++;
    }
    return wrong;
  }

  close(): void {
    this.#reader.close();
  }
}
