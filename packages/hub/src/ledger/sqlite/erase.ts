import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { EarshotError } from "@earshot/protocol/problem";
import { chainSeed, type Link, linkHash } from "../chain.ts";
import { contentDigest } from "../content-digest.ts";
import type { SessionInfo } from "../ledger.ts";
import type { Erasure } from "../seal-line.ts";
import { inTransaction } from "./in-transaction.ts";
import { entriesBy } from "./registers.ts";
import { ERASED_TEXT, SESSION_COLUMNS, SESSION_JOIN, type SessionRow, toSessionInfo } from "./rows.ts";
import { forgetStrings, tellingStrings } from "./telling-strings.ts";
import { emptyLog } from "./write-back.ts";

/** What signs erasures, and seals them later: the `Sealer`. */
export interface ErasureSigner {
  signErasure(erasure: Erasure): string;
  noteTombstone(number: number, line: string): void;
}

export interface EraseOptions {
  readonly position: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Told that somebody reads from the log, so that it could not be emptied yet. */
  readonly onLogKept: () => void;
}

interface StoredRow {
  readonly session: number;
  readonly received_at: number;
  readonly kind: number;
  readonly verified: number;
  readonly type: string;
  readonly agent: string;
  readonly sequence: number | null;
  readonly identity: string | null;
  readonly said: Uint8Array | null;
  readonly text: string;
  readonly hash: Uint8Array;
}

const REFUSED_AT_ONCE = 500;
/** What was refused is kept in part only: it may end in the middle of a string. */
const PART = 24;
const SHORTEST_PART = 8;

/**
 * Removes the text of an entry and leaves its row, so that the chain still holds: with the digest of what was submitted, by
 * which it is recognised when it comes again, and a signed tombstone. What else knows parts of the text forgets them: the
 * session's state, what was shown of a request, what was refused. Gives 1, or 0 when it was erased before.
 */
export function* eraseEntry(db: DatabaseSync, signer: ErasureSigner, options: EraseOptions): Generator<number, number> {
  const { position, onLogKept } = options;
  const row = find(db, position);
  const isNew = row.text !== ERASED_TEXT;
  if (isNew) {
    const { number, line } = inTransaction(db, () => erase(db, row, signer, options));
    signer.noteTombstone(number, line);
  }
  yield 1;
  if (!(yield* emptyLog(db, 1))) onLogKept();
  return isNew ? 1 : 0;
}

/**
 * Removes from the log of what was refused whatever shares a telling string with an entry: that log is no promise to anybody.
 * To be run before `eraseEntry`, since it needs to know the text. Gives the number of refusals removed.
 */
export function* forgetRefused(db: DatabaseSync, position: number): Generator<number, number> {
  const parts = tellingOf(db, find(db, position))
    .filter((one) => one.length >= SHORTEST_PART)
    .map((one) => JSON.stringify(one).slice(1, -1).slice(0, PART));
  if (parts.length === 0) return 0;
  const page = db.prepare("SELECT number, text || ' ' || problem AS text FROM refused WHERE number > ? ORDER BY number LIMIT ?");
  const remove = db.prepare("DELETE FROM refused WHERE number = ?");
  let removed = 0;
  for (let after = 0; ; ) {
    const rows = page.all(after, REFUSED_AT_ONCE) as unknown as readonly { readonly number: number; readonly text: string }[];
    const last = rows.at(-1);
    if (last === undefined) return removed;
    const shared = rows.filter(({ text }) => parts.some((part) => text.includes(part)));
    inTransaction(db, () => {
      for (const { number } of shared) remove.run(number);
    });
    removed += shared.length;
    after = last.number;
    yield removed;
  }
}

interface SignedLine {
  readonly number: number;
  readonly line: string;
}

function erase(db: DatabaseSync, row: StoredRow, signer: ErasureSigner, { position, now }: EraseOptions): SignedLine {
  const session = sessionOf(db, row.session);
  const asked = db.prepare("SELECT 1 FROM request WHERE position = ? AND state = 'open'").get(position);
  if (asked !== undefined) {
    const message = `The entry at position ${position} asks something that nobody has answered yet.`;
    throw new EarshotError({ code: "WRONG_QUERY", message, hint: "Answer it first; then it can be erased." });
  }
  // Where less was stored than was said, only the digest of what was said tells it again.
  const said = row.said === null ? digestOf(row.text) : Buffer.from(row.said);
  const head = Buffer.from(row.hash);
  const { number } = db.prepare("SELECT ifnull(max(number), 0) + 1 AS number FROM tombstone").get() as { number: number };
  const line = signer.signErasure({
    tombstone: number,
    at: new Date(now).toISOString(),
    session: { key: session.key, protocol: session.protocol, source: session.source, id: session.id },
    erased: position,
    before: before(db, session, position).toString("hex"),
    head: head.toString("hex"),
    rest: linkHash(head, restOf(row, position, said)).toString("hex"),
    reason: "erased",
  });
  // Not a cut: it ends no stretch of the session, hence stands before all of them.
  db.prepare("INSERT INTO tombstone (number, session, up_to, head, line) VALUES (?, ?, 0, ?, ?)").run(number, session.key, head, line);
  db.prepare("UPDATE entry SET text = ?, notes = NULL, said = ? WHERE position = ?").run(ERASED_TEXT, said, position);
  db.prepare("UPDATE request SET card = '{}' WHERE position = ?").run(position);
  db.prepare("DELETE FROM answerable WHERE position = ?").run(position);
  const state = db.prepare("SELECT state FROM lifecycle WHERE session = ?").get(session.key)?.["state"];
  if (typeof state === "string") {
    db.prepare("UPDATE lifecycle SET state = ? WHERE session = ?").run(forgetStrings(state, row.text, tellingOf(db, row)), session.key);
  }
  return { number, line };
}

/** What is left of an entry, as it is signed. */
function restOf(
  { received_at: receivedAt, kind, verified, type, agent, sequence, identity }: StoredRow,
  position: number,
  said: Buffer,
): Link {
  return { position, receivedAt, kind, verified, type, agent, sequence, identity, said, notes: null, text: ERASED_TEXT };
}

function digestOf(text: string): Buffer {
  try {
    return contentDigest(text);
  } catch {
    return hash("sha256", text, "buffer"); // damaged: it will not come again like this
  }
}

function tellingOf(db: DatabaseSync, { session: key, agent, type, text }: StoredRow): readonly string[] {
  const { id, source } = sessionOf(db, key);
  return tellingStrings(text, new Set([id, source, agent, type]));
}

function find(db: DatabaseSync, position: number): StoredRow {
  const columns = "session, received_at, kind, verified, type, agent, sequence, identity, said, text, hash";
  const row = db.prepare(`SELECT ${columns} FROM entry WHERE position = ?`).get(position) as unknown as StoredRow | undefined;
  // What is left of a cut that is under way is gone for everybody else.
  const cut = db.prepare("SELECT 1 FROM tombstone WHERE session = ? AND up_to >= ? LIMIT 1").get(row?.session ?? 0, position);
  if (row !== undefined && cut === undefined) return row;
  throw new EarshotError({ code: "NOT_FOUND", message: `There is no entry at position ${position}.` });
}

function sessionOf(db: DatabaseSync, key: number): SessionInfo {
  const row = db.prepare(`SELECT ${SESSION_COLUMNS} FROM ${SESSION_JOIN} WHERE session.key = ?`).get(key);
  return toSessionInfo(row as unknown as SessionRow);
}

/** What the entry is linked to: the one before it, the last one cut, or the session's name. */
function before(db: DatabaseSync, { key, protocol, source, id }: SessionInfo, position: number): Buffer {
  const row = db
    .prepare(
      `SELECT * FROM (${entriesBy("entry_by_session", "position, hash", "session = ?1 AND position < ?2")} ORDER BY position DESC LIMIT 1)
       UNION ALL SELECT * FROM (SELECT up_to, head FROM tombstone WHERE session = ?1 AND up_to > 0 AND up_to < ?2 ORDER BY up_to DESC LIMIT 1)
       ORDER BY 1 DESC LIMIT 1`,
    )
    .get(key, position) as { readonly hash: Uint8Array } | undefined;
  return row === undefined ? chainSeed(protocol, source, id) : Buffer.from(row.hash);
}
