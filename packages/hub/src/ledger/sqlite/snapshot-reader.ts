import {
  identityKey,
  type JudgeSnapshot,
  type KnownEntry,
  type Lookups,
  MAX_COMPARED_ENTRIES,
  type NumberLookup,
  type RequestRow,
  repeatKey,
  type SessionLookup,
  type SessionSnapshot,
  type SourceSession,
  type StoredState,
  sessionLabel,
  sourceLabel,
  type TailEntry,
  type UsedNumber,
} from "@earshot/judge";
import type { LedgerReader } from "./ledger-reader.ts";
import { numberColumn, type Statements } from "./statements.ts";

interface SessionColumns {
  readonly key: number;
  readonly source: number;
  readonly last: number;
  readonly head: Uint8Array | null;
  readonly cut: number;
  readonly state_at: number;
}

/** The first entries of a session with one number. */
const OF_NUMBER = `SELECT position, agent FROM entry WHERE session = ? AND sequence = ? AND position > ? ORDER BY position LIMIT ${MAX_COMPARED_ENTRIES}`;
/** Entries after the stored state. */
const TAIL = `SELECT position, kind, verified, text, repeated, name_used_at AS nameUsedAt
  FROM entry WHERE session = ? AND position > ? ORDER BY position`;
const NAME = "FROM answerable JOIN session ON session.key = answerable.session WHERE answerable.source = ? AND name = ? AND position > cut";

/** Looks up what a batch is judged against, inside the writing transaction. */
export class SnapshotReader {
  readonly #sql: Statements;
  readonly #reader: LedgerReader;

  constructor(sql: Statements, reader: LedgerReader) {
    this.#sql = sql;
    this.#reader = reader;
  }

  read(lookups: Lookups): JudgeSnapshot {
    const sources = new Map<string, number>();
    for (const [label, { protocol, source }] of lookups.sources) {
      const key = this.#sql.get("SELECT key FROM source WHERE protocol = ? AND name = ?", protocol, source)?.["key"];
      if (key !== undefined) sources.set(label, Number(key));
    }
    const wanted = new Map<string, SessionLookup>(lookups.sessions);
    const answered = this.#readAnswered(lookups, sources, wanted);
    const requests = this.#readRequests(lookups, wanted);
    const sessions = new Map<string, SessionSnapshot>();
    const cuts = new Map<string, number>();
    for (const [label, lookup] of wanted) this.#readSession(label, lookup, { sources, sessions, cuts });
    const next = this.#sql.get(
      "SELECT (SELECT max(key) FROM source) AS source, (SELECT max(key) FROM session) AS session, (SELECT max(number) FROM tombstone) AS removals",
    );
    return {
      head: this.#reader.head(),
      nextSource: Number(next?.["source"] ?? 0) + 1,
      nextSession: Number(next?.["session"] ?? 0) + 1,
      removals: Number(next?.["removals"] ?? 0),
      sources,
      sessions,
      answered,
      identities: this.#readIdentities(lookups, sources),
      numbers: this.#readNumbers(lookups, sessions, cuts),
      names: this.#readNames(lookups, sources),
      requests,
    };
  }

  #readAnswered(lookups: Lookups, sources: ReadonlyMap<string, number>, wanted: Map<string, SessionLookup>): Map<string, string> {
    const answered = new Map<string, string>();
    for (const [label, one] of lookups.answered) {
      const row = this.#sql.get(`SELECT session.key ${NAME} ORDER BY position DESC LIMIT 1`, this.#sourceKey(sources, one), one.name);
      if (row === undefined) continue;
      answered.set(label, this.#want(wanted, this.#reader.sessionOf(Number(row["key"]))));
    }
    return answered;
  }

  #readRequests({ requests: ids }: Lookups, wanted: Map<string, SessionLookup>): Map<string, RequestRow> {
    const requests = new Map<string, RequestRow>();
    for (const id of ids) {
      const [request] = this.#reader.requests({ ids: [id], limit: 1 });
      if (request === undefined) continue;
      const { protocol, source, session, ...row } = request;
      requests.set(id, { ...row, session: this.#want(wanted, { protocol, source, id: session }) });
    }
    return requests;
  }

  #want(wanted: Map<string, SessionLookup>, { protocol, source, id }: SourceSession): string {
    const label = sessionLabel({ protocol, source, id });
    if (!wanted.has(label)) wanted.set(label, { protocol, source, id, stateAt: undefined });
    return label;
  }

  #readSession(
    label: string,
    { protocol, source, id, stateAt }: SessionLookup,
    {
      sources,
      sessions,
      cuts,
    }: { sources: ReadonlyMap<string, number>; sessions: Map<string, SessionSnapshot>; cuts: Map<string, number> },
  ): void {
    const columns = "SELECT key, source, last, head, cut, state_at FROM session WHERE source = ? AND id = ?";
    const sourceKey = this.#sourceKey(sources, { protocol, source });
    const row = this.#sql.get(columns, sourceKey, id) as unknown as SessionColumns | undefined;
    if (row === undefined) return;
    const { key, last, head, cut } = row;
    const chainHead = head === null ? "" : Buffer.from(head).toString("hex");
    const stored = stateAt === last ? null : this.#readState(row);
    sessions.set(label, { protocol, source, id, key, sourceKey, last, chainHead, stored });
    cuts.set(label, cut);
  }

  #readState({ key, cut, state_at: at }: SessionColumns): StoredState {
    const state = this.#sql.get("SELECT state FROM session WHERE key = ?", key)?.["state"] as string | null;
    const highest = this.#sql.get("SELECT max(sequence) AS highest FROM entry WHERE session = ? AND sequence IS NOT NULL", key)?.[
      "highest"
    ];
    const tail = this.#sql.all(TAIL, key, Math.max(cut, at)) as unknown as readonly TailEntry[];
    return { state, at, highest: Number(highest ?? -1), tail };
  }

  #readIdentities({ identities }: Lookups, sources: ReadonlyMap<string, number>): Map<string, KnownEntry> {
    const known = new Map<string, KnownEntry>();
    for (const [label, one] of identities) {
      const entry = this.#findIdentity(identityKey(this.#sourceKey(sources, one), one.keyEnd));
      if (entry !== undefined) known.set(label, entry);
    }
    return known;
  }

  #findIdentity(identity: string): KnownEntry | undefined {
    const sql = "SELECT position, said, text FROM entry JOIN session ON session.key = session WHERE identity = ? AND position > cut";
    return this.#sql.get(sql, identity) as unknown as KnownEntry | undefined;
  }

  #readNumbers(
    { numbers }: Lookups,
    sessions: ReadonlyMap<string, SessionSnapshot>,
    cuts: ReadonlyMap<string, number>,
  ): Map<string, UsedNumber> {
    const used = new Map<string, UsedNumber>();
    for (const [label, lookup] of numbers) {
      const session = sessions.get(lookup.session);
      const found = session === undefined ? undefined : this.#findNumber(lookup, session, cuts.get(lookup.session) ?? 0);
      if (found !== undefined) used.set(label, found);
    }
    return used;
  }

  #findNumber({ agent, sequence, keyEnd }: NumberLookup, { key, sourceKey }: SessionSnapshot, cut: number): UsedNumber | undefined {
    const rows = this.#sql.all(OF_NUMBER, key, sequence, cut);
    if (rows.length === 0) return undefined;
    const own = rows.find((row) => row["agent"] === agent);
    const sql = "SELECT position, said, text FROM entry WHERE position = ?";
    const first = own === undefined ? undefined : this.#sql.get(sql, numberColumn(own, "position"));
    const again = this.#findIdentity(repeatKey(sourceKey, key, keyEnd))?.position;
    return { first: first as unknown as KnownEntry | undefined, again };
  }

  #readNames({ names }: Lookups, sources: ReadonlyMap<string, number>): Map<string, number> {
    const used = new Map<string, number>();
    for (const [label, one] of names) {
      const row = this.#sql.get(
        `SELECT max(position) AS position ${NAME} AND agent = ?`,
        this.#sourceKey(sources, one),
        one.name,
        one.agent,
      );
      if (typeof row?.["position"] === "number") used.set(label, row["position"]);
    }
    return used;
  }

  /** -1, which no row has, for a new source. */
  #sourceKey(sources: ReadonlyMap<string, number>, { protocol, source }: Pick<SourceSession, "protocol" | "source">): number {
    const known = sources.get(sourceLabel({ protocol, source }));
    if (known !== undefined) return known;
    return Number(this.#sql.get("SELECT key FROM source WHERE protocol = ? AND name = ?", protocol, source)?.["key"] ?? -1);
  }
}
