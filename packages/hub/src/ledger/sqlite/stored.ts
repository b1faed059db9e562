import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { ProtocolName } from "@earshot/protocol";
import type { Draft } from "./draft.ts";
import { KnownKeys, type ReadKeys } from "./known-keys.ts";
import { RecentNames } from "./recent-names.ts";
import { entriesBy, positionsBy, UNFILED } from "./registers.ts";
import { ENTRY_COLUMNS, type EntryRow, SESSION_COLUMNS, SESSION_JOIN, type SessionRow } from "./rows.ts";
import { labelOf, type Underway, UnderwayEntries } from "./underway.ts";
import { Unfiled } from "./unfiled.ts";

/** What is known about an entry with the same identity, or the same number in its session. */
export interface KnownRow {
  readonly position: number;
  readonly agent: string;
  readonly said: Uint8Array | null;
  readonly text: string;
}

export interface StoredState {
  readonly position: number;
  readonly state: string;
}

/** The key first, then where it stands in the order. */
const IDENTITIES_IN_ORDER = "SELECT identity, identity FROM entry_by_identity WHERE identity > ? ORDER BY identity LIMIT ?";
const UNFILED_IDENTITIES = `SELECT identity FROM ${UNFILED} AND identity IS NOT NULL`;
const NAMES_IN_ORDER =
  "SELECT source || ' ' || name, source, name, position FROM answerable WHERE (source, name, position) > (?, ?, ?) ORDER BY source, name, position LIMIT ?";

/** Among how many entries of one number that of the same agent is looked for. */
const COMPARED = 64;

/**
 * What the next event is judged against: what the file has, and what is on its way there. An entry is in either from the
 * moment it was judged; when its draft is written it leaves the memory, and every later look at the file finds it.
 */
export class Stored {
  readonly #session: StatementSync;
  readonly #sessionOfKey: StatementSync;
  readonly #source: StatementSync;
  readonly #highestKeys: StatementSync;
  readonly #lastEntry: StatementSync;
  readonly #lastCut: StatementSync;
  readonly #highest: StatementSync;
  readonly #state: StatementSync;
  readonly #tail: StatementSync;
  readonly #byIdentity: StatementSync;
  readonly #bySequence: StatementSync;
  readonly #filedBySequence: StatementSync;
  readonly #byPosition: StatementSync;
  readonly #nameUsed: StatementSync;
  readonly #nameIn: StatementSync;
  readonly #ownName: StatementSync;
  readonly #beginLook: StatementSync;
  readonly #endLook: StatementSync;
  readonly #storedIdentities: KnownKeys;
  readonly #storedNames: KnownKeys;
  readonly #recentNames = new RecentNames();
  #isLooking = false;
  #mayLook = false;

  readonly #underway = new UnderwayEntries();
  readonly #unfiled: Unfiled;
  readonly #states = new Map<number, StoredState & { readonly draft: number }>();
  readonly #newSessions = new Map<string, SessionRow & { readonly draft: number }>();
  readonly #newSessionKeys = new Map<number, SessionRow>();
  readonly #sources = new Map<ProtocolName, Map<string, number>>();
  #nextSource = 0;
  #nextSession = 0;

  constructor(db: DatabaseSync, filedTogether?: number) {
    this.#unfiled = new Unfiled(filedTogether);
    this.#session = db.prepare(`SELECT ${SESSION_COLUMNS} FROM ${SESSION_JOIN} WHERE session.source = ? AND session.id = ?`);
    this.#sessionOfKey = db.prepare(`SELECT ${SESSION_COLUMNS} FROM ${SESSION_JOIN} WHERE session.key = ?`);
    this.#source = db.prepare("SELECT key FROM source WHERE protocol = ? AND name = ?");
    this.#highestKeys = db.prepare("SELECT (SELECT max(key) FROM source) AS source, (SELECT max(key) FROM session) AS session");
    this.#lastEntry = db.prepare(`${positionsBy("entry_by_session", "position", "session = ?1")} ORDER BY position DESC LIMIT 1`);
    this.#lastCut = db.prepare("SELECT up_to AS position FROM tombstone WHERE session = ? ORDER BY up_to DESC LIMIT 1");
    this.#highest = db.prepare(
      `${positionsBy("entry_by_sequence", "sequence", "session = ?1 AND sequence IS NOT NULL")} ORDER BY sequence DESC LIMIT 1`,
    );
    this.#state = db.prepare("SELECT position, state FROM lifecycle WHERE session = ?");
    this.#tail = db.prepare(`${entriesBy("entry_by_session", ENTRY_COLUMNS, "session = ?1 AND position > ?2")} ORDER BY position`);
    this.#byIdentity = db.prepare(entriesBy("entry_by_identity", "position, agent, said, text", "identity = ?1"));
    const numbered = "session = ?1 AND sequence = ?2 AND position < ?3";
    const order = `ORDER BY position LIMIT ${COMPARED}`;
    this.#bySequence = db.prepare(`${entriesBy("entry_by_sequence", "position, agent", numbered)} ${order}`);
    this.#filedBySequence = db.prepare(
      `SELECT position, agent FROM entry_by_sequence CROSS JOIN entry USING (session, sequence, position) WHERE ${numbered} ${order}`,
    );
    this.#byPosition = db.prepare("SELECT position, agent, said, text FROM entry WHERE position = ?");
    this.#nameUsed = db.prepare(
      "SELECT position FROM answerable WHERE source = ? AND name = ? AND agent = ? AND position < ? ORDER BY position DESC LIMIT 1",
    );
    this.#nameIn = db.prepare("SELECT session FROM answerable WHERE source = ? AND name = ? ORDER BY position DESC LIMIT 1");
    this.#ownName = db.prepare("SELECT name FROM answerable WHERE position = ? AND session = ?");
    this.#beginLook = db.prepare("BEGIN");
    this.#endLook = db.prepare("COMMIT");
    this.#storedIdentities = new KnownKeys(keysOf(db, IDENTITIES_IN_ORDER, [""], UNFILED_IDENTITIES));
    this.#storedNames = new KnownKeys(keysOf(db, NAMES_IN_ORDER, [0, "", 0]));
    this.#readKeys();
  }

  /**
   * What is asked from now on is answered by the file as it is at the first question: beginning and ending a look for each event
   * would cost as much as the looking. Where nothing is asked, which is often, there is no look at all.
   */
  beginLook(): void {
    this.#mayLook = true;
  }

  endLook(): void {
    this.#mayLook = false;
    if (!this.#isLooking) return;
    this.#isLooking = false;
    this.#endLook.run();
  }

  /** The key of a source; a new one is put into the draft. */
  sourceKey(protocol: ProtocolName, name: string, draft: Draft): number {
    const known = this.#sources.get(protocol)?.get(name);
    if (known !== undefined) return known;
    const found = this.#look(this.#source).get(protocol, name) as { key: number } | undefined;
    const key = found?.key ?? this.#nextSource++;
    if (found === undefined) draft.sources.push([key, protocol, name]);
    const others = this.#sources.get(protocol);
    if (others === undefined) this.#sources.set(protocol, new Map([[name, key]]));
    else others.set(name, key);
    return key;
  }

  session(sourceKey: number, id: string): SessionRow | undefined {
    return (
      this.#newSessions.get(`${sourceKey} ${id}`) ?? (this.#look(this.#session).get(sourceKey, id) as unknown as SessionRow | undefined)
    );
  }

  sessionOfKey(key: number): SessionRow | undefined {
    return this.#newSessionKeys.get(key) ?? (this.#look(this.#sessionOfKey).get(key) as unknown as SessionRow | undefined);
  }

  createSession(session: Omit<SessionRow, "key">, draft: Draft): SessionRow {
    const row = { ...session, key: this.#nextSession++ };
    draft.sessions.push([row.key, row.source, row.id]);
    this.#newSessions.set(`${row.source} ${row.id}`, { ...row, draft: draft.number });
    this.#newSessionKeys.set(row.key, row);
    return row;
  }

  /** Position of the last entry, or of the last one that was cut: what is left of a cut that is under way does not count. */
  lastOf(session: number): number {
    const underway = this.#underway.ofSession(session).at(-1)?.row.position;
    if (underway !== undefined) return underway;
    const entry = this.#look(this.#lastEntry).get(session) as { position: number } | undefined;
    return Math.max(entry?.position ?? 0, this.cutUpTo(session));
  }

  /** The highest number given; -1 for none. */
  highestOf(session: number): number {
    const row = this.#look(this.#highest).get(session) as { sequence: number } | undefined;
    let found = row?.sequence ?? -1;
    for (const { row } of this.#underway.ofSession(session)) if (row.sequence !== null && row.sequence > found) found = row.sequence;
    return found;
  }

  cutUpTo(session: number): number {
    return (this.#look(this.#lastCut).get(session) as { position: number } | undefined)?.position ?? 0;
  }

  stateOf(session: number): StoredState | undefined {
    return this.#states.get(session) ?? (this.#look(this.#state).get(session) as unknown as StoredState | undefined);
  }

  *tailOf(session: number, after: number): Generator<EntryRow> {
    let last = after;
    for (const row of this.#look(this.#tail).all(session, after) as unknown as readonly EntryRow[]) {
      last = row.position;
      yield row;
    }
    // Something may have reached the file before the memory was told.
    for (const { row } of this.#underway.ofSession(session)) if (row.position > last) yield row;
  }

  byIdentity(identity: string): KnownRow | undefined {
    const underway = this.#underway.byIdentity(identity);
    if (underway !== undefined) return toKnown(underway);
    if (!this.#storedIdentities.mayHave(identity)) return undefined;
    return this.#look(this.#byIdentity).get(identity) as unknown as KnownRow | undefined;
  }

  /** The entries of a session that have a number already, the first of them. */
  numbered(session: number, sequence: number, before: number): readonly { readonly position: number; readonly agent: string }[] {
    const statement = this.#unfiled.mayHave(session, sequence) ? this.#bySequence : this.#filedBySequence;
    const rows = this.#look(statement).all(session, sequence, before) as unknown as { position: number; agent: string }[];
    const last = rows.at(-1)?.position ?? 0;
    for (const { row } of this.#underway.ofSession(session)) {
      if (row.sequence === sequence && row.position < before && row.position > last && rows.length < COMPARED) rows.push(row);
    }
    return rows;
  }

  at(position: number): KnownRow | undefined {
    const underway = this.#underway.at(position);
    if (underway !== undefined) return toKnown(underway);
    return this.#look(this.#byPosition).get(position) as unknown as KnownRow | undefined;
  }

  /** Where an agent used a name last, before a position. */
  nameUsed(sourceKey: number, name: string, agent: string, before: number): number | null {
    const newest = this.#underway.named(sourceKey, name).findLast(({ row }) => row.agent === agent && row.position < before);
    if (newest !== undefined) return newest.row.position;
    if (!this.#storedNames.mayHave(labelOf(sourceKey, name))) return null;
    const row = this.#look(this.#nameUsed).get(sourceKey, name, agent, before) as { position: number } | undefined;
    return row?.position ?? null;
  }

  /** In which session a name was used last. */
  nameIn(sourceKey: number, name: string): number | undefined {
    const underway = this.#underway.named(sourceKey, name).at(-1);
    if (underway !== undefined) return underway.row.session;
    const label = labelOf(sourceKey, name);
    const recent = this.#recentNames.sessionOf(label);
    if (recent !== undefined) return recent;
    if (!this.#storedNames.mayHave(label)) return undefined;
    return (this.#look(this.#nameIn).get(sourceKey, name) as { session: number } | undefined)?.session;
  }

  ownName(position: number, session: number): string | undefined {
    const underway = this.#underway.ofSession(session).find(({ row }) => row.position === position);
    return underway === undefined
      ? (this.#look(this.#ownName).get(position, session) as { name: string } | undefined)?.name
      : underway.name;
  }

  /** It is on its way to the file, with a draft. */
  add(draft: number, underway: Underway): void {
    this.#underway.add(draft, underway);
    this.#unfiled.count();
  }

  /** A decision is on its way to the file, with a draft: it may become an entry. */
  addDecision(): void {
    this.#unfiled.count();
  }

  /** Gives whether what is not filed yet begins to be filed with the draft that is drawn up now. */
  endDraft(): { readonly files: boolean } {
    const files = this.#unfiled.areMany;
    if (files) this.#unfiled.willBeFiled();
    return { files };
  }

  addState(session: number, state: StoredState & { readonly draft: number }): void {
    this.#states.set(session, state);
  }

  /** A draft is in the file: its entries are found there from now on. */
  written({ number, sessions, states, files }: Draft): void {
    for (const { row, identity, name, sourceKey } of this.#underway.take(number)) {
      if (row.sequence !== null) this.#unfiled.add(row.session, row.sequence);
      if (identity !== null) this.#storedIdentities.add(identity);
      if (name !== undefined) {
        const label = labelOf(sourceKey, name);
        this.#storedNames.add(label);
        this.#recentNames.add(label, row.session);
      }
    }
    if (files) this.#unfiled.begun();
    for (const [session] of states) if (this.#states.get(session)?.draft === number) this.#states.delete(session);
    for (const [key, source, id] of sessions) {
      this.#newSessionKeys.delete(key);
      this.#newSessions.delete(`${source} ${id}`);
    }
  }

  /** Something is being removed from the file, and names with it. */
  forgetNames(): void {
    this.#recentNames.forget();
  }

  /** Nothing is on its way any more: what was could not be written. */
  forgetUnderway(): void {
    this.#underway.clear();
    for (const map of [this.#states, this.#newSessions, this.#newSessionKeys]) map.clear();
    this.#sources.clear();
    // A draft may have reached the file although nobody heard so.
    this.#unfiled.forget();
    this.#storedIdentities.forget();
    this.#storedNames.forget();
    this.#recentNames.forget();
    this.#readKeys();
  }

  #look(statement: StatementSync): StatementSync {
    if (this.#mayLook && !this.#isLooking) {
      this.#beginLook.run();
      this.#isLooking = true;
    }
    return statement;
  }

  #readKeys(): void {
    const highest = this.#highestKeys.get() as { source: number | null; session: number | null };
    this.#nextSource = (highest.source ?? 0) + 1;
    this.#nextSession = (highest.session ?? 0) + 1;
  }
}

type KeyRows = readonly (readonly [string, ...(string | number)[]])[];

/** From page to page by the columns of the last row; the key is the first. Those that are in no order yet come with the first page. */
function keysOf(db: DatabaseSync, query: string, before: readonly (string | number)[], unordered?: string): ReadKeys {
  const page = db.prepare(query);
  const others = unordered === undefined ? undefined : db.prepare(unordered);
  for (const statement of [page, others]) statement?.setReturnArrays(true);
  return () => {
    let after = before;
    let first = (others?.all() ?? []) as unknown as KeyRows;
    return (limit) => {
      const rows = page.all(...after, limit) as unknown as KeyRows;
      after = rows.at(-1)?.slice(1) ?? after;
      const keys = [...first, ...rows].map(([key]) => key);
      first = [];
      return keys;
    };
  };
}

function toKnown({ row, said }: Underway): KnownRow {
  return { position: row.position, agent: row.agent, said, text: row.text };
}
