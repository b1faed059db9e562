import { DatabaseSync } from "node:sqlite";
import type { HubProcess } from "../hub/hub-process.ts";
import { SseReader } from "./sse-reader.ts";
import { utteredBy } from "./utterance.ts";

/**
 * Listens from the first position on, across every death of the hub, and writes down what it hears where. Whoever announces
 * what is not on disk yet tells a listener what nobody will find afterwards, or tells it something else at the same position.
 */
export class Follower {
  /** What was heard, by position. */
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

  /** Connects, or connects again after the hub has died, with the position of the last event heard. */
  connect(): Promise<void> {
    this.#reader.close();
    return this.#reader.open({ reads: true });
  }

  /** How much of what was heard is not what the ledger has, or was not heard in its order, once everything was heard. */
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
