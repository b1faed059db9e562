import { HashTable } from "@earshot/protocol";
import type { Said } from "./read-said.ts";

/** About 50 MB, and none of it before there are that many. */
const CAPACITY = 2_000_000;

/**
 * Which events are in the recording already. Remembered as hashes, in flat memory: the oldest of some millions are forgotten,
 * and that is counted. An event that has the id of another one and says something else is an event of its own.
 */
export class Written {
  readonly #table: HashTable;

  constructor(capacity = CAPACITY) {
    this.#table = new HashTable(capacity);
  }

  get forgotten(): number {
    return this.#table.forgotten;
  }

  /** Whether it is new; from now on it is not. */
  add({ high, low, body }: Said): boolean {
    const known = this.#table.add(high, low, body);
    if (known === undefined) return true;
    if (known === body) return false;
    return this.#table.add(high ^ Math.imul(body, 0x9e3779b1), low ^ body, body) === undefined;
  }
}
