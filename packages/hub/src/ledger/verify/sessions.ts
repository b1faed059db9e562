import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { BrokenSession } from "./ledger-break.ts";

export interface FoundSession extends BrokenSession {
  /** Whether it is also found by its name. */
  readonly isIndexed: boolean;
}

/** Finds sessions by key, and sees to it that they are found by name as well. */
export class Sessions {
  readonly #byKey: StatementSync;
  readonly #byName: StatementSync;
  readonly #byId: StatementSync;
  readonly #sourceByName: StatementSync;

  constructor(db: DatabaseSync) {
    this.#byKey = db.prepare(
      "SELECT session.key, session.source AS sourceKey, protocol, name, id FROM session JOIN source ON source.key = session.source WHERE session.key = ?",
    );
    this.#byName = db.prepare("SELECT key FROM session WHERE source = ? AND id = ?");
    this.#byId = db.prepare("SELECT key FROM session INDEXED BY session_id WHERE id = ? AND key = ?");
    this.#sourceByName = db.prepare("SELECT key FROM source WHERE protocol = ? AND name = ?");
  }

  /** Undefined when there is no such session, or its source is missing. */
  find(key: number): FoundSession | undefined {
    const row = this.#byKey.get(key);
    if (row === undefined) return undefined;
    const { sourceKey, protocol, name, id } = row;
    if (typeof sourceKey !== "number" || typeof protocol !== "string" || typeof name !== "string" || typeof id !== "string")
      return undefined;
    const isIndexed =
      this.#byName.get(sourceKey, id)?.["key"] === key &&
      this.#byId.get(id, key)?.["key"] === key &&
      this.#sourceByName.get(protocol, name)?.["key"] === sourceKey;
    return { key, protocol, source: name, id, isIndexed };
  }
}
