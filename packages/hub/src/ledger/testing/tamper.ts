import { generateKeyPairSync, hash } from "node:crypto";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite";
import { chainSeed, linkHash } from "../chain.ts";
import { signTombstone } from "../seal-line.ts";

/** A ledger to manipulate. */
export interface TamperTarget {
  readonly path: string;
  readonly sealFile: string;
  readonly db: DatabaseSync;
  /** An integer below the limit. */
  readonly pick: (limit: number) => number;
}

/**
 * The undetectable part of an edit: nothing, something newer than the last seal, or a seal file that lacks the newest one, as
 * after a crash. Undefined if the edit was impossible.
 */
export type UndetectedTrace = "sealed" | "newer" | "file behind" | undefined;

type Row = Record<string, SQLOutputValue>;
const OTHER_KEY = generateKeyPairSync("ed25519").privateKey;
const TABLES = { entry: "position", session: "key", source: "key", seal: "number", tombstone: "number" } as const;
type Table = keyof typeof TABLES;

export const TAMPERINGS: Readonly<Record<string, (target: TamperTarget) => UndetectedTrace>> = {
  "change an entry": (target) => changeColumn(target, "entry"),
  "change a session": (target) => changeColumn(target, "session"),
  "change a source": (target) => changeColumn(target, "source"),
  "change a seal": (target) => changeColumn(target, "seal"),
  "change a tombstone": (target) => changeColumn(target, "tombstone"),
  "delete an entry": (target) => {
    const row = anyRow(target, "entry");
    if (row === undefined) return undefined;
    run(target, "DELETE FROM entry WHERE position = ?", row["position"]);
    const later = one(target, "SELECT 1 FROM entry WHERE session = ? AND position > ?", row["session"], row["position"]);
    return Number(row["position"]) > sealedUpTo(target) && later === undefined ? "newer" : "sealed";
  },
  "erase a text": (target) => {
    const row = anyRow(target, "entry");
    if (row === undefined || row["text"] === "") return undefined;
    const said = hash("sha256", String(row["text"]), "buffer");
    run(target, "UPDATE entry SET text = '', notes = NULL, said = ? WHERE position = ?", said, row["position"]);
    return "sealed";
  },
  "put a text back": (target) => {
    const row = one(target, "SELECT position FROM entry WHERE text = '' LIMIT 1");
    if (row === undefined) return undefined;
    run(target, "UPDATE entry SET text = '{}' WHERE position = ?", row["position"]);
    return "sealed";
  },
  "delete a session's row": (target) => deleteRow(target, "session"),
  "delete a source": (target) => deleteRow(target, "source"),
  "delete a tombstone": (target) => {
    const row = anyRow(target, "tombstone");
    if (row === undefined) return undefined;
    run(target, "DELETE FROM tombstone WHERE number = ?", row["number"]);
    const next = one(target, "SELECT 1 FROM tombstone WHERE number > ?", row["number"]);
    return Number(row["number"]) > sealedCuts(target) && next === undefined ? "newer" : "sealed";
  },
  "swap two entries": (target) => {
    const [first, second] = [anyRow(target, "entry"), anyRow(target, "entry")];
    if (first === undefined || second === undefined || first["position"] === second["position"]) return undefined;
    const move = "UPDATE entry SET position = ? WHERE position = ?";
    run(target, move, -1, first["position"]);
    run(target, move, first["position"], second["position"]);
    run(target, move, second["position"], -1);
    return "sealed";
  },
  "swap two texts": (target) => {
    const [first, second] = [anyRow(target, "entry"), anyRow(target, "entry")];
    if (first === undefined || second === undefined || first["text"] === second["text"]) return undefined;
    run(target, "UPDATE entry SET text = ? WHERE position = ?", first["text"], second["position"]);
    run(target, "UPDATE entry SET text = ? WHERE position = ?", second["text"], first["position"]);
    return "sealed";
  },
  "cut off the newest entries": (target) => {
    const row = anyRow(target, "entry");
    if (row === undefined) return undefined;
    run(target, "DELETE FROM entry WHERE position >= ?", row["position"]);
    return Number(row["position"]) > sealedUpTo(target) ? "newer" : "sealed";
  },
  "delete a session with everything": (target) => {
    const row = anyRow(target, "session");
    if (row === undefined) return undefined;
    const key = Number(row["key"]);
    const sealed = sealLines(target).some((line) => line.includes(`[${key},`));
    const cutAndSealed = one(target, "SELECT 1 FROM tombstone WHERE session = ? AND number <= ?", key, sealedCuts(target));
    const oldest = one(target, "SELECT 1 FROM tombstone WHERE number > (SELECT min(number) FROM tombstone WHERE session = ?)", key);
    for (const table of ["entry", "answerable", "request", "tombstone"]) run(target, `DELETE FROM ${table} WHERE session = ?`, key);
    run(target, "DELETE FROM session WHERE key = ?", key);
    return sealed || cutAndSealed !== undefined || oldest !== undefined ? "sealed" : "newer";
  },
  "rewrite an entry and link the rest of its session anew": (target) => {
    const row = anyRow(target, "entry");
    if (row === undefined) return undefined;
    run(target, "UPDATE entry SET text = text || ' ' WHERE position = ?", row["position"]);
    recomputeChain(target, Number(row["session"]));
    return Number(row["position"]) > sealedUpTo(target) ? "newer" : "sealed";
  },
  "remove an entry and link the rest of its session anew": (target) => {
    const row = anyRow(target, "entry");
    if (row === undefined) return undefined;
    run(target, "DELETE FROM entry WHERE position = ?", row["position"]);
    recomputeChain(target, Number(row["session"]));
    return Number(row["position"]) > sealedUpTo(target) ? "newer" : "sealed";
  },
  "add an entry and link the rest of its session anew": (target) => {
    const row = anyRow(target, "entry");
    if (row === undefined) return undefined;
    let position = Number(row["position"]);
    while (one(target, "SELECT 1 FROM entry WHERE position = ?", position) !== undefined) position++;
    const values = Object.entries({ ...row, position, identity: null });
    const names = values.map(([name]) => name).join(", ");
    const marks = values.map(() => "?").join(", ");
    run(target, `INSERT INTO entry (${names}) VALUES (${marks})`, ...values.map(([, value]) => value));
    recomputeChain(target, Number(row["session"]));
    return position > sealedUpTo(target) ? "newer" : "sealed";
  },
  "drop the newest seals": (target) => {
    const row = anyRow(target, "seal");
    if (row === undefined) return undefined;
    run(target, "DELETE FROM seal WHERE number >= ?", row["number"]);
    return "sealed";
  },
  "drop a seal": (target) => deleteRow(target, "seal"),
  "drop all seals": (target) => {
    if (anyRow(target, "seal") === undefined) return undefined;
    run(target, "DELETE FROM seal");
    return "sealed";
  },
  "forge a tombstone": (target) => {
    const row = anyRow(target, "entry");
    if (row === undefined) return undefined;
    const key = Number(row["session"]);
    const session = one(
      target,
      "SELECT session.key, protocol, name AS source, id FROM session JOIN source ON source.key = session.source WHERE session.key = ?",
      key,
    );
    const number = Number(one(target, "SELECT ifnull(max(number), 0) + 1 AS n FROM tombstone")?.["n"]);
    const head = Buffer.from(row["hash"] instanceof Uint8Array ? row["hash"] : []);
    const { protocol, source, id } = session ?? {};
    const whose = { key, protocol: String(protocol), source: String(source), id: String(id) };
    const upTo = Number(row["position"]);
    const at = new Date(0).toISOString();
    const tombstone = {
      tombstone: number,
      at,
      session: whose,
      after: 0,
      upTo,
      head: head.toString("hex"),
      entries: 1,
      reason: "deleted" as const,
    };
    run(target, "INSERT INTO tombstone VALUES (?, ?, ?, ?, ?)", number, key, upTo, head, signTombstone(tombstone, OTHER_KEY));
    run(target, "DELETE FROM entry WHERE session = ? AND position <= ?", key, upTo);
    return "sealed";
  },
  "reuse a tombstone": (target) => {
    const row = anyRow(target, "tombstone");
    const entry = anyRow(target, "entry");
    if (row === undefined || entry === undefined) return undefined;
    const number = Number(one(target, "SELECT max(number) + 1 AS n FROM tombstone")?.["n"]);
    run(target, "INSERT INTO tombstone VALUES (?, ?, ?, ?, ?)", number, entry["session"], entry["position"], entry["hash"], row["line"]);
    run(target, "DELETE FROM entry WHERE session = ? AND position <= ?", entry["session"], entry["position"]);
    return "sealed";
  },
  "flip a bit of the ledger": ({ path, db, pick }) => {
    db.close();
    flip(path, pick);
    return "sealed";
  },
  "flip a bit of the file of seals": ({ sealFile, pick }) => (flip(sealFile, pick) ? "sealed" : undefined),
  "cut the ledger's file": ({ path, db, pick }) => {
    db.close();
    truncateSync(path, pick(readFileSync(path).length));
    return "sealed";
  },
  "cut the file of seals": ({ sealFile, pick }) => {
    const bytes = readFileSync(sealFile, { flag: "a+" });
    if (bytes.length === 0) return undefined;
    const size = pick(bytes.length);
    truncateSync(sealFile, size);
    return size > bytes.lastIndexOf(10, -2) ? "file behind" : "sealed";
  },
};

function changeColumn(target: TamperTarget, table: Table): UndetectedTrace {
  const row = anyRow(target, table);
  if (row === undefined) return undefined;
  const names = Object.keys(row);
  const name = names[target.pick(names.length)] ?? "";
  const value = changed(row[name], target);
  try {
    run(target, `UPDATE ${table} SET ${name} = ? WHERE ${TABLES[table]} = ?`, value, row[TABLES[table]]);
  } catch {
    return undefined; // not null, or not unique
  }
  return "sealed";
}

function changed(value: SQLOutputValue | undefined, { pick }: TamperTarget): SQLInputValue {
  if (value === null || value === undefined) return ["x", 7, Buffer.alloc(32, 1)][pick(3)] ?? null;
  if (typeof value === "number") return [value + 1, value - 1, 0, 1_000_000 + pick(1000), -value][pick(5)] ?? null;
  if (typeof value === "string") {
    const at = pick(Math.max(1, value.length));
    return [`${value} `, value.slice(0, at), `${value.slice(0, at)}#${value.slice(at + 1)}`, "", `${value}\0more`, null][pick(6)] ?? null;
  }
  const bytes = Buffer.from(typeof value === "bigint" ? [] : value);
  bytes[pick(bytes.length)] = pick(256);
  return bytes;
}

function deleteRow(target: TamperTarget, table: Table): UndetectedTrace {
  const row = anyRow(target, table);
  if (row === undefined) return undefined;
  run(target, `DELETE FROM ${table} WHERE ${TABLES[table]} = ?`, row[TABLES[table]]);
  return "sealed";
}

/** Recomputes the chain without the key, as an attacker could. */
export function recomputeChain(target: Pick<TamperTarget, "db">, session: number): void {
  const whose = one(
    target,
    "SELECT protocol, name, id FROM session JOIN source ON source.key = session.source WHERE session.key = ?",
    session,
  );
  let before = chainSeed(String(whose?.["protocol"]), String(whose?.["name"]), String(whose?.["id"]));
  const cuts = target.db.prepare("SELECT up_to, head FROM tombstone WHERE session = ? ORDER BY up_to").all(session);
  for (const row of target.db.prepare("SELECT * FROM entry WHERE session = ? ORDER BY position").all(session)) {
    const { position, received_at: receivedAt, ...rest } = row;
    while (Number(cuts[0]?.["up_to"] ?? Number.POSITIVE_INFINITY) < Number(position)) {
      const head = cuts.shift()?.["head"];
      if (head instanceof Uint8Array) before = Buffer.from(head);
    }
    before = linkHash(before, { position, receivedAt, ...rest } as unknown as Parameters<typeof linkHash>[1]);
    run(target, "UPDATE entry SET hash = ? WHERE position = ?", before, position);
  }
}

function flip(path: string, pick: TamperTarget["pick"]): boolean {
  const bytes = readFileSync(path, { flag: "a+" });
  if (bytes.length === 0) return false;
  const at = pick(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << pick(8));
  writeFileSync(path, bytes);
  return true;
}

/** Rows of an interrupted cut, which a signed tombstone marks for removal. */
const REMAINS = "SELECT 1 FROM tombstone WHERE tombstone.session = entry.session AND up_to >= position";

/** The complete record; undefined if unreadable. */
export function completeRecordOf({ path, sealFile }: Pick<TamperTarget, "path" | "sealFile">, { remains = true } = {}): string | undefined {
  try {
    using db = new DatabaseSync(path, { readOnly: true });
    const tables = (Object.keys(TABLES) as Table[]).map((table) => {
      const where = table === "entry" && !remains ? `WHERE NOT EXISTS (${REMAINS})` : "";
      return db.prepare(`SELECT ${columnsOf(db, table)} FROM ${table} NOT INDEXED ${where} ORDER BY 1`).all();
    });
    return JSON.stringify([tables, readFileSync(sealFile, { encoding: "utf8", flag: "a+" })]);
  } catch {
    return undefined;
  }
}

/** Without columns derived from the entries. */
function columnsOf(db: DatabaseSync, table: Table): string {
  return db
    .prepare("SELECT name FROM pragma_table_info(?) WHERE name NOT LIKE 'state%' AND name NOT IN ('repeated', 'name_used_at') ORDER BY cid")
    .all(table)
    .map(({ name }) => name)
    .join(", ");
}

function anyRow({ db, pick }: TamperTarget, table: Table): Row | undefined {
  const keys = db.prepare(`SELECT ${TABLES[table]} AS key FROM ${table} ORDER BY 1`).all();
  const key = keys.length === 0 ? undefined : keys[pick(keys.length)]?.["key"];
  return key === undefined ? undefined : db.prepare(`SELECT ${columnsOf(db, table)} FROM ${table} WHERE ${TABLES[table]} = ?`).get(key);
}

function one({ db }: Pick<TamperTarget, "db">, sql: string, ...values: readonly (SQLInputValue | undefined)[]): Row | undefined {
  return db.prepare(sql).get(...values.map((value) => value ?? null));
}

function run({ db }: Pick<TamperTarget, "db">, sql: string, ...values: readonly (SQLInputValue | undefined)[]): void {
  db.prepare(sql).run(...values.map((value) => value ?? null));
}

function sealLines({ db }: TamperTarget): readonly string[] {
  return db
    .prepare("SELECT line FROM seal")
    .all()
    .map(({ line }) => String(line));
}

function sealedUpTo(target: TamperTarget): number {
  return Number(one(target, "SELECT ifnull(max(up_to), 0) AS n FROM seal")?.["n"]);
}

function sealedCuts(target: TamperTarget): number {
  return Math.max(0, ...sealLines(target).map((line) => Number(/"cuts":(\d+)/.exec(line)?.[1] ?? 0)));
}
