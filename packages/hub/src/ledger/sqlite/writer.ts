import { hash } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { Flag, Stored, Verdict } from "../../verdict.ts";
import { type Link, linkHash } from "../chain.ts";
import { contentDigest } from "../content-digest.ts";
import type { Judgement, Lifecycle, Placing, RedactionMark, Submission } from "../ledger.ts";
import { readNotes, writeNotes } from "../notes.ts";
import { type LiveSession, LiveSessions } from "./live-sessions.ts";
import type { RecentEntry } from "./recent-entries.ts";
import { type EntryRow, ERASED_TEXT, EVENT, MESSAGE } from "./rows.ts";

/** What is known about an entry with the same identity, or the same number in its session. */
interface KnownRow {
  readonly position: number;
  readonly agent: string;
  readonly said: Uint8Array | null;
  readonly text: string;
}

/** What is known of a submission: it was stored before; or another one under its identity; or its number is not its own. */
interface Known {
  readonly same?: KnownRow;
  readonly conflict?: KnownRow;
  readonly shared?: true;
}

/** Among how many entries of one number that of the same agent is looked for. */
const COMPARED = 64;
const LIVE_BYTES = 32 * 1024 * 1024;
const NO_MARKS: readonly RedactionMark[] = [];
const NEW: Placing = Object.freeze({ position: 0, repeated: false, nameUsedAt: null });

export interface WriterOptions {
  readonly lifecycle: Lifecycle;
  readonly liveSessions: number;
  /** Told each entry, in order, once it is committed. */
  readonly onEntry: (entry: RecentEntry, hash: Buffer) => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Writes entries inside a transaction that somebody else begins and commits. What it keeps in memory is what the
 * transaction will have made true; `undo` forgets it.
 */
export class Writer {
  readonly #lifecycle: Lifecycle;
  readonly #options: WriterOptions;
  readonly #sessions: LiveSessions;
  /** Sessions written to in this transaction, whose state may have to be stored at its end. */
  readonly #touched = new Set<LiveSession>();
  readonly #insert: StatementSync;
  readonly #byIdentity: StatementSync;
  readonly #bySequence: StatementSync;
  readonly #byPosition: StatementSync;
  readonly #answerable: StatementSync;
  readonly #nameUsed: StatementSync;
  readonly #nameIn: StatementSync;
  readonly #ownName: StatementSync;
  readonly #openRequest: StatementSync;
  /** Entries of this transaction. */
  #fresh: { readonly entry: RecentEntry; readonly hash: Buffer }[] = [];
  #head: number;

  constructor(db: DatabaseSync, head: number, options: WriterOptions) {
    this.#options = options;
    this.#lifecycle = options.lifecycle;
    this.#head = head;
    this.#sessions = new LiveSessions(db, {
      lifecycle: options.lifecycle,
      capacity: options.liveSessions,
      capacityBytes: LIVE_BYTES,
      hearAgain: (live, row) => this.#hearAgain(live, row),
    });
    this.#insert = db.prepare(
      "INSERT INTO entry (position, session, received_at, kind, verified, type, agent, sequence, identity, said, notes, text, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    this.#byIdentity = db.prepare("SELECT position, agent, said, text FROM entry WHERE identity = ?");
    this.#bySequence = db.prepare(
      `SELECT position, agent FROM entry WHERE session = ? AND sequence = ? AND position < ? ORDER BY position LIMIT ${COMPARED}`,
    );
    this.#byPosition = db.prepare("SELECT position, agent, said, text FROM entry WHERE position = ?");
    this.#answerable = db.prepare("INSERT OR IGNORE INTO answerable (source, name, agent, session, position) VALUES (?, ?, ?, ?, ?)");
    this.#nameUsed = db.prepare(
      "SELECT position FROM answerable WHERE source = ? AND name = ? AND agent = ? AND position < ? ORDER BY position DESC LIMIT 1",
    );
    this.#nameIn = db.prepare("SELECT session FROM answerable WHERE source = ? AND name = ? ORDER BY position DESC LIMIT 1");
    this.#ownName = db.prepare("SELECT name FROM answerable WHERE position = ? AND session = ?");
    this.#openRequest = db.prepare(
      "INSERT INTO request (id, kind, position, session, opened_at, deadline_at, state, card, digest) VALUES (?, ?, ?, ?, ?, ?, 'open', ?, ?)",
    );
  }

  get head(): number {
    return this.#head;
  }

  get sessions(): LiveSessions {
    return this.#sessions;
  }

  /** Stores one submission, or says why not. Throws only when the store itself fails. */
  write(submission: Submission): Verdict {
    const live = this.#sessionFor(submission);
    const identity = submission.identity === null ? null : identityKey(live.sourceKey, submission.identity);
    const known = this.#find(live, submission, identity);
    if (known?.same !== undefined) return duplicate(known.same);
    if (known?.conflict !== undefined && submission.sequence === null) return conflict(submission, known.conflict);
    const repeated = known?.conflict !== undefined;
    const position = this.#head + 1;
    const place = this.#placeOf(live, submission, position, repeated);
    const judgement = this.#judge(live, submission, place);
    if (judgement.refuse !== undefined) return { ok: false, problem: judgement.refuse };
    return this.#store(live, submission, known?.shared === true ? repeatKey(live, submission) : identity, judgement);
  }

  /** Adds an entry that nobody submitted: what was decided. */
  writeDecision(live: LiveSession, entry: Pick<Link, "receivedAt" | "kind" | "type" | "agent" | "text">): number {
    const position = this.#head + 1;
    this.#add(live, { ...entry, position, verified: 1, sequence: null, identity: null, said: null, notes: null });
    return position;
  }

  /** To be called before the transaction is committed. */
  finish(): void {
    for (const live of this.#touched) this.#sessions.store(live);
    this.#touched.clear();
  }

  /** After the transaction was committed. */
  settle(): void {
    for (const { entry, hash: linked } of this.#fresh) this.#options.onEntry(entry, linked);
    this.#fresh = [];
    this.#sessions.trim();
  }

  /** The transaction was undone. */
  undo(head: number): void {
    this.#head = head;
    this.#touched.clear();
    this.#fresh = [];
    this.#sessions.forgetAll();
  }

  /** A message belongs to the session of what it answers; what answers nothing known belongs to none. */
  #sessionFor({ source, session, answers }: Submission): LiveSession {
    if (answers !== undefined) {
      const sourceKey = this.#sessions.sourceKey(source.protocol, source.name);
      const row = this.#nameIn.get(sourceKey, answers) as { session: number } | undefined;
      const answered = row === undefined ? undefined : this.#sessions.ofKey(row.session);
      if (answered !== undefined) return answered;
    }
    return this.#sessions.of(source, session);
  }

  #find(live: LiveSession, submission: Submission, identity: string | null): Known | undefined {
    if (identity !== null) {
      const row = this.#byIdentity.get(identity) as unknown as KnownRow | undefined;
      if (row === undefined) return undefined;
      return isSame(row, submission.text) ? { same: row } : { conflict: row };
    }
    const { sequence, agent, text } = submission;
    // In order, as nearly always: nothing can have had this number.
    if (sequence === null || sequence > live.highest) return undefined;
    const used = this.#positionsOf(live, sequence, this.#head + 1);
    if (used.length === 0) return undefined;
    // A sender that never counts gives one number to everything it says: its first event is compared, the others looked up.
    const again = this.#byIdentity.get(repeatKey(live, submission)) as unknown as KnownRow | undefined;
    if (again !== undefined) return { same: again };
    const position = used.find((row) => row.agent === agent)?.position;
    const first = position === undefined ? undefined : (this.#byPosition.get(position) as unknown as KnownRow | undefined);
    if (first === undefined) return { shared: true };
    return isSame(first, text) ? { same: first } : { conflict: first, shared: true };
  }

  /** The entries of a session that have a number already, the first of them. */
  #positionsOf({ info }: LiveSession, sequence: number, before: number): readonly { readonly position: number; readonly agent: string }[] {
    return this.#bySequence.all(info.key, sequence, before) as unknown as readonly { position: number; agent: string }[];
  }

  #placeOf(live: LiveSession, { answerable, agent }: Submission, position: number, repeated: boolean): Placing {
    if (answerable === undefined) return repeated ? { position, repeated, nameUsedAt: null } : { ...NEW, position };
    const used = this.#nameUsed.get(live.sourceKey, answerable, agent, position) as { position: number } | undefined;
    return { position, repeated, nameUsedAt: used?.position ?? null };
  }

  /** A fault of ours in judging must neither lose the event nor harm the others. */
  #judge(live: LiveSession, submission: Submission, place: Placing): Judgement {
    try {
      return this.#lifecycle.hear(live.state, submission, place);
    } catch (error) {
      this.#options.onFailure(error);
      this.#sessions.renew(live);
      const flag: Flag = { severity: "error", code: "INTERNAL", message: "This event could not be judged: a fault of Earshot's." };
      return { flags: [flag], ended: false };
    }
  }

  #store(live: LiveSession, submission: Submission, identity: string | null, judgement: Judgement): Stored {
    const position = this.#head + 1;
    const { receivedAt, source, type, agent, sequence, request } = submission;
    const text = judgement.text ?? submission.text;
    const said = judgement.text === undefined || judgement.text === submission.text ? null : digestOf(submission.text);
    const marks =
      submission.redactions.length === 0
        ? (judgement.redactions ?? NO_MARKS)
        : [...submission.redactions, ...(judgement.redactions ?? NO_MARKS)];
    const notes = writeNotes(judgement.flags, marks);
    const kind = submission.kind === "event" ? EVENT : MESSAGE;
    const verified = source.verified ? 1 : 0;
    this.#add(
      live,
      { position, receivedAt, kind, verified, type, agent, sequence, identity, said, notes, text },
      said === null ? submission.reading.value : undefined,
    );
    if (said !== null) live.storeNow = true;
    if (submission.answerable !== undefined) this.#answerable.run(live.sourceKey, submission.answerable, agent, live.info.key, position);
    // What is unverified never opens a request, whoever forgot to check.
    if (request !== undefined && source.verified) {
      this.#openRequest.run(
        request.id,
        request.kind,
        position,
        live.info.key,
        receivedAt,
        request.deadlineAt,
        request.card,
        request.digest,
      );
    }
    return { ok: true, position, duplicate: false, flags: judgement.flags, redactions: marks.length };
  }

  #add(live: LiveSession, link: Link, value?: JsonObject): void {
    const { position, receivedAt, kind, verified, type, agent, sequence, identity, said, notes, text } = link;
    const linked = linkHash(live.head, link);
    this.#insert.run(position, live.info.key, receivedAt, kind, verified, type, agent, sequence, identity, said, notes, text, linked);
    this.#head = position;
    live.head = linked;
    live.last = position;
    live.tailBytes += text.length;
    if (sequence !== null && sequence > live.highest) live.highest = sequence;
    this.#touched.add(live);
    this.#sessions.touch(live);
    const row: EntryRow = { position, session: live.info.key, received_at: receivedAt, kind, verified, type, agent, sequence, notes, text };
    this.#fresh.push({ entry: { row, session: live.info, value }, hash: linked });
  }

  #hearAgain(live: LiveSession, row: EntryRow): void {
    if (row.kind !== EVENT && row.kind !== MESSAGE) return;
    const { protocol, source: name } = live.info;
    const reading = this.#lifecycle.read(protocol, row.text);
    const repeated = row.sequence !== null && this.#positionsOf(live, row.sequence, row.position).some(({ agent }) => agent === row.agent);
    const used = this.#nameUsedBy(live, row);
    const source = { protocol, name, verified: row.verified === 1 };
    const { redactions } = readNotes(row.notes);
    this.#lifecycle.hear(
      live.state,
      { source, reading, text: row.text, redactions },
      { position: row.position, repeated, nameUsedAt: used },
    );
  }

  /** Where the name that this entry may be answered under had been used before it. */
  #nameUsedBy(live: LiveSession, row: EntryRow): number | null {
    const own = this.#ownName.get(row.position, live.info.key) as { name: string } | undefined;
    if (own === undefined) return null;
    const used = this.#nameUsed.get(live.sourceKey, own.name, row.agent, row.position) as { position: number } | undefined;
    return used?.position ?? null;
  }
}

/** Time-ordered ids stay in their order, which keeps the index's pages together; only endless ones are hashed. */
function identityKey(sourceKey: number, identity: string): string {
  return identity.length <= 200 ? `${sourceKey} ${identity}` : `${sourceKey} #${hash("sha256", identity, "hex")}`;
}

/** What recognises an event whose number was given to another one before: what it says, whatever the order of its members. */
function repeatKey({ sourceKey, info }: LiveSession, { sequence, agent, reading }: Submission): string {
  return `${sourceKey} =${info.key} ${sequence} ${hash("sha256", `${agent.length}:${agent}${canonical(reading.value)}`, "hex")}`;
}

function canonical(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

function digestOf(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

/** The same event again: nearly always the same bytes; else the same content. */
function isSame(row: KnownRow, text: string): boolean {
  if (row.said !== null && Buffer.compare(row.said, digestOf(text)) === 0) return true;
  if (row.said !== null) return row.text === ERASED_TEXT && Buffer.compare(row.said, contentDigest(text)) === 0;
  if (row.text === text) return true;
  try {
    return isDeepStrictEqual(JSON.parse(row.text), JSON.parse(text));
  } catch {
    return false; // a damaged entry is nobody's duplicate
  }
}

function duplicate({ position }: KnownRow): Stored {
  return { ok: true, position, duplicate: true, flags: [], redactions: 0 };
}

function conflict({ source, kind }: Submission, { position }: KnownRow): Verdict {
  const aaep = source.protocol === "aaep";
  return {
    ok: false,
    problem: {
      code: "EVENT_ID_CONFLICT",
      message: `This id was used for another ${kind === "event" ? "event" : "message"}, stored at position ${position}.`,
      rule: aaep ? "aaep/event-id-unique" : "aep/id-unique",
      pointer: aaep ? "/event_id" : "/id",
      hint: "A redelivered event keeps its id and its content. A new event needs a new id.",
    },
  };
}
