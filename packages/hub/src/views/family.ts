import { numberIn, type Row, type Statements, textIn } from "./statements.ts";

/** One session says that it made another. */
export interface Spawn {
  readonly protocol: string;
  readonly source: string;
  readonly child: string;
  readonly parentKey: number;
  readonly parent: string;
  /** The type of the event that says so. */
  readonly because: string;
}

const MOST_CHILDREN = 10_000;

/**
 * Who is whose child. What a session itself says counts; where it says nothing, what the session says that spawned it. The
 * column is a function of what was said, never of the order in which it came: a parent may be heard of after its child.
 * Loops are left in: whoever walks the tree cuts them, always in the same place.
 */
export class Family {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  addSpawn({ protocol, source, child, parentKey, parent, because }: Spawn): void {
    this.#sql.run(
      "INSERT OR IGNORE INTO spawn (protocol, source, child, parent_key, parent, because) VALUES (?, ?, ?, ?, ?, ?)",
      protocol,
      source,
      child,
      parentKey,
      parent,
      because,
    );
    for (const row of this.#called(protocol, source, child)) this.#resolve(row);
  }

  /** A session is new, or names another parent or conversation than before. */
  settle(key: number): void {
    const row = this.#sql.get(`SELECT ${COLUMNS} FROM session WHERE key = ?`, key);
    if (row === undefined) return;
    this.#resolve(row);
    for (const child of this.#childrenOf(row)) this.#resolve(child);
  }

  /** A session was removed: those who were its children may have another parent, or none that is known. */
  forget(key: number): void {
    const children = this.#sql.all(`SELECT ${COLUMNS} FROM session WHERE parent_key = ? LIMIT ?`, key, MOST_CHILDREN);
    for (const child of children) this.#resolve(child);
  }

  /** Removes some of what a session says that it spawned. Says whether there may be more. */
  removeSpawns(parentKey: number, limit: number): boolean {
    const spawns = this.#sql.all("SELECT protocol, source, child FROM spawn WHERE parent_key = ? LIMIT ?", parentKey, limit);
    for (const spawn of spawns) {
      const [protocol, source, child] = [textIn(spawn, "protocol"), textIn(spawn, "source"), textIn(spawn, "child")];
      this.#sql.run(
        "DELETE FROM spawn WHERE protocol = ? AND source = ? AND child = ? AND parent_key = ?",
        protocol,
        source,
        child,
        parentKey,
      );
      for (const row of this.#called(protocol, source, child)) this.#resolve(row);
    }
    return spawns.length === limit;
  }

  #childrenOf(row: Row): readonly Row[] {
    const { protocol, source, names } = namesOf(row);
    const found = names.flatMap((name) =>
      this.#sql.all(
        `SELECT ${COLUMNS} FROM session WHERE parent_said = ? AND protocol = ? AND source = ? LIMIT ?`,
        name,
        protocol,
        source,
        MOST_CHILDREN,
      ),
    );
    const spawned = this.#sql.all("SELECT child FROM spawn WHERE parent_key = ? LIMIT ?", numberIn(row, "key"), MOST_CHILDREN);
    for (const one of spawned) found.push(...this.#called(protocol, source, textIn(one, "child")));
    return found;
  }

  /** The session of an id; else those whose conversation has that name. */
  #named(protocol: string, source: string, name: string): readonly Row[] {
    const byId = this.#sql.all(`SELECT ${COLUMNS} FROM session WHERE protocol = ? AND source = ? AND id = ?`, protocol, source, name);
    if (byId.length > 0) return byId;
    return this.#sql.all(
      `SELECT ${COLUMNS} FROM session WHERE conversation = ? AND protocol = ? AND source = ? ORDER BY key LIMIT 100`,
      name,
      protocol,
      source,
    );
  }

  /** All that may be meant by a name. */
  #called(protocol: string, source: string, name: string): readonly Row[] {
    return this.#sql.all(
      `SELECT ${COLUMNS} FROM session WHERE protocol = ?1 AND source = ?2 AND id = ?3
       UNION SELECT ${COLUMNS} FROM session WHERE conversation = ?3 AND protocol = ?1 AND source = ?2 LIMIT 100`,
      protocol,
      source,
      name,
    );
  }

  #resolve(row: Row): void {
    const key = numberIn(row, "key");
    const { protocol, source, names } = namesOf(row);
    const said = row["parent_said"];
    let parent: number | null = null;
    if (typeof said === "string") {
      parent = keysOf(this.#named(protocol, source, said)).find((one) => one !== key) ?? null;
    } else {
      for (const name of names) {
        const spawned = this.#sql.get(
          "SELECT min(parent_key) AS parent FROM spawn WHERE protocol = ? AND source = ? AND child = ? AND parent_key <> ? AND parent_key IN (SELECT key FROM session)",
          protocol,
          source,
          name,
          key,
        );
        parent ??= (spawned?.["parent"] as number | null | undefined) ?? null;
      }
    }
    if (parent !== (row["parent_key"] ?? null)) this.#sql.run("UPDATE session SET parent_key = ? WHERE key = ?", parent, key);
  }
}

const COLUMNS = "key, protocol, source, id, conversation, parent_said, parent_key";

function namesOf(row: Row): { readonly protocol: string; readonly source: string; readonly names: readonly string[] } {
  const conversation = row["conversation"];
  const id = textIn(row, "id");
  return {
    protocol: textIn(row, "protocol"),
    source: textIn(row, "source"),
    names: typeof conversation === "string" && conversation !== id ? [id, conversation] : [id],
  };
}

function keysOf(rows: readonly Row[]): readonly number[] {
  return rows.map((row) => numberIn(row, "key"));
}
