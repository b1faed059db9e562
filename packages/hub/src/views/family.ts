import { numberColumn, type Statements, textColumn } from "../ledger/sqlite/statements.ts";

/** A session's report that it spawned another one. */
export interface SpawnReport {
  readonly protocol: string;
  readonly source: string;
  readonly child: string;
  readonly parentKey: number;
  readonly parent: string;
  /** The reporting event's type. */
  readonly because: string;
}

/** The parent of a session, with the type of the parent's event that names the child if the child itself names no parent. */
export interface KnownParent {
  readonly key: number;
  readonly id: string;
  readonly because: string | undefined;
}

const SAME_SOURCE = "protocol = child.protocol AND source = child.source";
const SPAWNED_AS = (name: string) =>
  `(SELECT min(spawn.parent_key) FROM spawn JOIN session AS other ON other.key = spawn.parent_key
     WHERE spawn.protocol = child.protocol AND spawn.source = child.source AND spawn.child = ${name} AND spawn.parent_key <> child.key)`;
/**
 * Key of the parent of `child`: the session whose id, or else whose conversation, the child names. If it names none, the session that
 * reported spawning it.
 */
export const PARENT = `CASE WHEN child.parent_said IS NOT NULL THEN ifnull(
    (SELECT key FROM session WHERE ${SAME_SOURCE} AND id = child.parent_said AND key <> child.key),
    (SELECT min(key) FROM session WHERE conversation = child.parent_said AND ${SAME_SOURCE} AND key <> child.key))
  ELSE ifnull(${SPAWNED_AS("child.id")}, ${SPAWNED_AS("child.conversation")}) END`;
/** Every session whose parent may be ?1. */
const CANDIDATES = `
  SELECT one.key FROM session JOIN session AS one INDEXED BY session_parent_said ON one.parent_said IN (session.id, session.conversation)
    AND one.protocol = session.protocol AND one.source = session.source WHERE session.key = ?1
  UNION SELECT one.key FROM spawn JOIN session AS one
    ON one.protocol = spawn.protocol AND one.source = spawn.source AND one.id = spawn.child WHERE spawn.parent_key = ?1
  UNION SELECT one.key FROM spawn JOIN session AS one INDEXED BY session_conversation
    ON one.conversation = spawn.child AND one.protocol = spawn.protocol AND one.source = spawn.source WHERE spawn.parent_key = ?1`;

/**
 * Parents and children of sessions. They are resolved when read, because a parent may be stored after its child and removed before it.
 * Reported parents may form a loop, which readers cut.
 */
export class SessionFamilies {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  addSpawn({ protocol, source, child, parentKey, parent, because }: SpawnReport): void {
    this.#sql.run(
      "INSERT OR IGNORE INTO spawn (protocol, source, child, parent_key, parent, because) VALUES (?, ?, ?, ?, ?, ?)",
      protocol,
      source,
      child,
      parentKey,
      parent,
      because,
    );
  }

  /** Removes some spawns reported by a session. Returns whether more may remain. */
  removeSome(parentKey: number, limit: number): boolean {
    const rows = this.#sql.all("SELECT protocol, source, child FROM spawn WHERE parent_key = ? LIMIT ?", parentKey, limit);
    const remove = "DELETE FROM spawn WHERE protocol = ? AND source = ? AND child = ? AND parent_key = ?";
    for (const row of rows)
      this.#sql.run(remove, textColumn(row, "protocol"), textColumn(row, "source"), textColumn(row, "child"), parentKey);
    return rows.length === limit;
  }

  parentOf(key: number): KnownParent | undefined {
    const row = this.#sql.get(
      `SELECT parent.key, parent.id, (SELECT because FROM spawn WHERE child.parent_said IS NULL AND spawn.parent_key = parent.key
         AND spawn.child IN (child.id, child.conversation) AND spawn.protocol = child.protocol AND spawn.source = child.source LIMIT 1) AS because
       FROM session AS child JOIN session AS parent ON parent.key = ${PARENT} WHERE child.key = ?`,
      key,
    );
    if (row === undefined) return undefined;
    const because = row["because"];
    return { key: numberColumn(row, "key"), id: textColumn(row, "id"), because: typeof because === "string" ? because : undefined };
  }

  childrenOf(key: number, limit: number): readonly number[] {
    return this.#sql
      .all(`SELECT key FROM session AS child WHERE key IN (${CANDIDATES}) AND ${PARENT} = ?1 ORDER BY key LIMIT ?2`, key, limit)
      .map((row) => numberColumn(row, "key"));
  }

  /** The root of the session's tree; in a loop, its first session. */
  rootOf(key: number): number {
    const path: number[] = [];
    const seen = new Set<number>();
    for (let at: number | undefined = key; at !== undefined && path.length < MAX_GENERATIONS; at = this.parentOf(at)?.key) {
      if (seen.has(at)) return Math.min(...path.slice(path.indexOf(at)));
      seen.add(at);
      path.push(at);
    }
    return path.at(-1) ?? key;
  }

  /** Every session of the session's tree, root first, each parent before its children. `cut`: there are more. */
  tree(key: number): { readonly nodes: readonly { readonly key: number; readonly depth: number }[]; readonly cut: boolean } {
    const nodes: { readonly key: number; readonly depth: number }[] = [];
    const seen = new Set<number>();
    const waiting = [{ key: this.rootOf(key), depth: 0 }];
    let cut = false;
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (seen.has(next.key)) continue;
      if (nodes.length >= MAX_TREE_NODES) return { nodes, cut: true };
      seen.add(next.key);
      nodes.push(next);
      const children = this.childrenOf(next.key, MAX_TREE_NODES + 1);
      cut ||= children.length > MAX_TREE_NODES;
      const depth = next.depth + 1;
      for (const child of children.slice(0, MAX_TREE_NODES).reverse()) waiting.push({ key: child, depth });
    }
    return { nodes, cut };
  }
}

const MAX_TREE_NODES = 500;
const MAX_GENERATIONS = 1000;
