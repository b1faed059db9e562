import { statSync } from "node:fs";
import { DatabaseSync, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { EarshotError } from "@earshot/protocol";
import type { ImportPiece } from "./sender.ts";

const COLUMNS = ["session_id", "parent_session_id", "agent_id", "agent_version", "sequence", "timestamp", "type", "payload"] as const;
type Row = Readonly<Record<(typeof COLUMNS)[number] | "row", SQLOutputValue>>;

const SQLITE_HEADER = "SQLite format 3\u0000";
/** Maximum payload of a page, to bound memory. */
const PAGE_BYTES = 256 * 1024;
const PAGE_ROWS = 500;

export function isSqliteFile(head: Buffer): boolean {
  return head.toString("latin1", 0, SQLITE_HEADER.length) === SQLITE_HEADER;
}

/**
 * The events stored by an AOP collector, in order of arrival. Sessions and alerts are derived again here. The file is opened read-only
 * and not held between pages, so that a running collector can write and checkpoint.
 */
export class CollectorDatabase implements Disposable {
  readonly #db: DatabaseSync;
  readonly #page: StatementSync;
  /** The last row at the start; later rows are left for the next import. */
  readonly last: number;

  constructor(path: string) {
    this.#db = open(path);
    try {
      this.#checkTables();
      const last = this.#db.prepare("SELECT max(rowid) AS last FROM events").get()?.["last"];
      this.last = typeof last === "number" ? last : 0;
      this.#page = this.#db.prepare(
        `SELECT rowid AS row, ${COLUMNS.join(", ")} FROM events WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ${PAGE_ROWS}`,
      );
      this.#page.setReadBigInts(true); // a number past what JavaScript can hold must not hide the other rows
    } catch (error) {
      this.#db.close();
      throw explain(error);
    }
  }

  /** The rows after a number as events; empty at the end. */
  page(after: number): readonly ImportPiece[] {
    const pieces: ImportPiece[] = [];
    let bytes = 0;
    try {
      for (const row of this.#page.iterate(after, this.last) as Iterable<unknown> as Iterable<Row>) {
        const piece = toPiece(row);
        pieces.push(piece);
        bytes += "text" in piece ? piece.text.length : 0;
        if (bytes >= PAGE_BYTES) break;
      }
    } catch (error) {
      throw explain(error, after);
    }
    return pieces;
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  #checkTables(): void {
    const names = new Set(
      this.#db
        .prepare("PRAGMA table_info(events)")
        .all()
        .map(({ name }) => name),
    );
    const missing = COLUMNS.filter((name) => !names.has(name));
    if (missing.length === 0) return;
    const what = names.size === 0 ? "it has no table of events" : `its table of events has no ${missing.join(", ")}`;
    throw new EarshotError({ code: "FILE_UNREADABLE", message: `It is a SQLite database, but not that of an AOP collector: ${what}.` });
  }
}

/**
 * The event as it was sent: the collector keeps the payload's text but not `spec`. Its SDK omits an unknown version and sends `null` for
 * a missing parent; this does the same, so that the hub recognizes events it received directly.
 */
function toPiece(row: Row): ImportPiece {
  const { session_id, parent_session_id, agent_id, agent_version, sequence, timestamp, type, payload } = row;
  const ordinal = Number(row.row);
  const place = `row ${row.row}`;
  const damaged = (why: string): ImportPiece => ({ place, ordinal, damaged: why });
  for (const [name, value] of Object.entries({ session_id, agent_id, timestamp, type })) {
    if (typeof value !== "string") return damaged(`its ${name} is no text`);
  }
  if (typeof sequence !== "bigint") return damaged("its sequence is no whole number");
  if (typeof payload !== "string") return damaged("its payload is no text");
  if (!isJson(payload)) return damaged("its payload is no JSON");
  const members = [
    '"spec":"aop/1.0"',
    `"session_id":${JSON.stringify(session_id)}`,
    `"parent_session_id":${typeof parent_session_id === "string" ? JSON.stringify(parent_session_id) : "null"}`,
    `"agent_id":${JSON.stringify(agent_id)}`,
    ...(typeof agent_version === "string" ? [`"agent_version":${JSON.stringify(agent_version)}`] : []),
    `"sequence":${sequence}`,
    `"timestamp":${JSON.stringify(timestamp)}`,
    `"type":${JSON.stringify(type)}`,
    `"payload":${payload}`,
  ];
  return { place, ordinal, text: `{${members.join(",")}}` };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // told by the caller
  }
}

/**
 * Without a WAL, SQLite is told that the file is immutable: it then takes no locks and leaves no files. With a WAL, only an ordinary
 * connection sees its content.
 */
function open(path: string): DatabaseSync {
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const address = pathToFileURL(path);
  if (!hasLog) address.searchParams.set("immutable", "1");
  try {
    const db = new DatabaseSync(address, { readOnly: true, timeout: 5000 });
    db.exec("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON");
    return db;
  } catch (error) {
    throw explain(error);
  }
}

function explain(error: unknown, after?: number): unknown {
  if (EarshotError.is(error) || !(error instanceof Error)) return error;
  const where = after === undefined ? "" : after === 0 ? " from its first row on" : ` after row ${after}`;
  return new EarshotError({ code: "FILE_UNREADABLE", message: `It cannot be read${where} (${error.message}).` }, { cause: error });
}
