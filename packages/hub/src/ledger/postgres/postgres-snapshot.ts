import {
  identityKey,
  type JudgeSnapshot,
  type KnownEntry,
  type Lookups,
  MAX_COMPARED_ENTRIES,
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
import type { ProtocolName } from "@earshot/protocol";
import type { PostgresRow } from "./connections.ts";
import type { PostgresReader, RunQuery } from "./postgres-reader.ts";
import { DATABASE_NOW, LEASE } from "./schema.ts";
import { withoutNul } from "./without-nul.ts";

interface SessionColumns extends PostgresRow {
  readonly key: number;
  readonly source: number;
  readonly protocol: ProtocolName;
  readonly name: string;
  readonly id: string;
  readonly last: number;
  readonly head: Buffer | null;
  readonly cut: number;
  readonly state_at: number;
}

/** Reads what a batch is judged against, under the append lock. One statement per requested kind of lookup. */
export async function readSnapshot(lookups: Lookups, query: RunQuery, reader: PostgresReader): Promise<JudgeSnapshot> {
  const sources = await readSources(lookups, query);
  const keyOf = ({ protocol, source }: Pick<SourceSession, "protocol" | "source">) => sources.get(sourceLabel({ protocol, source })) ?? -1;
  const wanted = new Map<string, SessionLookup>(lookups.sessions);
  const answered = await readAnswered(lookups, { query, keyOf, wanted });
  const requests = await readRequests(lookups, { reader, wanted });
  const { sessions, cuts } = await readSessions(wanted, query);
  const [next] = await query<{ head: number; now: number; fence: number | null; source: number; session: number; removals: number }>(
    `SELECT head, ${DATABASE_NOW} AS now, (SELECT fence FROM lease WHERE name = '${LEASE}') AS fence, (SELECT coalesce(max(key), 0) FROM source) AS source, (SELECT coalesce(max(key), 0) FROM session) AS session,
      (SELECT coalesce(max(number), 0) FROM tombstone) AS removals FROM ledger WHERE shard = 0`,
  );
  return {
    head: next?.head ?? 0,
    now: next?.now ?? 0,
    ...(typeof next?.fence === "number" ? { fence: next.fence } : {}),
    nextSource: (next?.source ?? 0) + 1,
    nextSession: (next?.session ?? 0) + 1,
    removals: next?.removals ?? 0,
    sources: new Map([...sources].filter(([label]) => lookups.sources.has(label))),
    sessions,
    answered,
    identities: await readIdentities(lookups, { query, keyOf }),
    numbers: await readNumbers(lookups, { query, sessions, cuts }),
    names: await readNames(lookups, { query, keyOf }),
    requests,
  };
}

/** Keys of all sources named by any lookup. */
async function readSources(lookups: Lookups, query: RunQuery): Promise<ReadonlyMap<string, number>> {
  const named = [lookups.sources, lookups.sessions, lookups.answered, lookups.identities, lookups.names].flatMap((map) => [
    ...map.values(),
  ]);
  const byLabel = new Map(named.map((one) => [sourceLabel(one), one]));
  if (byLabel.size === 0) return new Map();
  const values = [...byLabel.values()];
  const rows = await query<{ key: number; protocol: ProtocolName; source: string }>(
    `SELECT key, protocol, name AS source FROM source
      JOIN unnest($1::text[], $2::text[]) AS wanted (p, n) ON wanted.p = source.protocol AND wanted.n = source.name`,
    [values.map(({ protocol }) => protocol), values.map(({ source }) => source)],
  );
  return new Map(rows.map((row) => [sourceLabel(row), row.key]));
}

interface Asking {
  readonly query: RunQuery;
  readonly keyOf: (source: Pick<SourceSession, "protocol" | "source">) => number;
}

async function readAnswered({ answered }: Lookups, { query, keyOf, wanted }: Asking & { readonly wanted: Map<string, SessionLookup> }) {
  const found = new Map<string, string>();
  if (answered.size === 0) return found;
  const asked = [...answered];
  const rows = await query<{ number: number } & SessionColumns>(
    `SELECT wanted.number, source.protocol, source.name, session.id
      FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS wanted (source, name, number)
      CROSS JOIN LATERAL (SELECT answerable.session FROM answerable JOIN session ON session.key = answerable.session
        WHERE answerable.source = wanted.source AND answerable.name = wanted.name AND position > cut
        ORDER BY position DESC LIMIT 1) AS newest
      JOIN session ON session.key = newest.session JOIN source ON source.key = session.source`,
    [asked.map(([, one]) => keyOf(one)), asked.map(([, { name }]) => withoutNul(name))],
  );
  for (const { number, protocol, name, id } of rows) {
    const [label] = asked[number - 1] ?? [""];
    found.set(label, addWanted(wanted, { protocol, source: name, id }));
  }
  return found;
}

async function readRequests(
  { requests: ids }: Lookups,
  { reader, wanted }: { readonly reader: PostgresReader; readonly wanted: Map<string, SessionLookup> },
) {
  const requests = new Map<string, RequestRow>();
  if (ids.size === 0) return requests;
  for (const { protocol, source, session, ...row } of await reader.requests({ ids: [...ids], limit: ids.size })) {
    requests.set(row.id, { ...row, session: addWanted(wanted, { protocol, source, id: session }) });
  }
  return requests;
}

function addWanted(wanted: Map<string, SessionLookup>, session: SourceSession): string {
  const label = sessionLabel(session);
  if (!wanted.has(label)) wanted.set(label, { ...session, stateAt: undefined });
  return label;
}

async function readSessions(wanted: ReadonlyMap<string, SessionLookup>, query: RunQuery) {
  const sessions = new Map<string, SessionSnapshot>();
  const cuts = new Map<string, number>();
  if (wanted.size === 0) return { sessions, cuts };
  const names = [...wanted.values()];
  const rows = await query<SessionColumns>(
    `SELECT session.key, session.source, source.protocol, source.name, session.id, last, session.head, cut, state_at
      FROM unnest($1::text[], $2::text[], $3::text[]) AS wanted (protocol, name, id)
      JOIN source ON source.protocol = wanted.protocol AND source.name = wanted.name
      JOIN session ON session.source = source.key AND session.id = wanted.id`,
    [names.map(({ protocol }) => protocol), names.map(({ source }) => source), names.map(({ id }) => id)],
  );
  const labelOf = ({ protocol, name, id }: SessionColumns) => sessionLabel({ protocol, source: name, id });
  const states = await readStates(
    rows.filter((row) => wanted.get(labelOf(row))?.stateAt !== row.last),
    query,
  );
  for (const row of rows) {
    const { key, source: sourceKey, protocol, name: source, id, last, head, cut } = row;
    const chainHead = head?.toString("hex") ?? "";
    sessions.set(labelOf(row), { protocol, source, id, key, sourceKey, last, chainHead, stored: states.get(key) ?? null });
    cuts.set(labelOf(row), cut);
  }
  return { sessions, cuts };
}

async function readStates(sessions: readonly SessionColumns[], query: RunQuery): Promise<ReadonlyMap<number, StoredState>> {
  if (sessions.length === 0) return new Map();
  const keys = sessions.map(({ key }) => key);
  const states = await query<{ key: number; state: string | null; highest: number | null }>(
    `SELECT key, state, (SELECT max(sequence) FROM entry WHERE entry.session = session.key AND sequence IS NOT NULL) AS highest
      FROM session WHERE key = ANY($1)`,
    [keys],
  );
  const tails = await query<TailEntry & { session: number } & PostgresRow>(
    `SELECT entry.session, position, kind, verified, text, repeated, name_used_at AS "nameUsedAt"
      FROM entry JOIN session ON session.key = entry.session
      WHERE entry.session = ANY($1) AND position > greatest(cut, state_at) ORDER BY position`,
    [keys],
  );
  const atOf = new Map(sessions.map(({ key, state_at: at }) => [key, at]));
  return new Map(
    states.map(({ key, state, highest }) => {
      const tail = tails.filter(({ session }) => session === key);
      return [key, { state, at: atOf.get(key) ?? 0, highest: highest ?? -1, tail }];
    }),
  );
}

async function readIdentities({ identities }: Lookups, { query, keyOf }: Asking): Promise<Map<string, KnownEntry>> {
  const labels = new Map([...identities].map(([label, one]) => [withoutNul(identityKey(keyOf(one), one.keyEnd)), label]));
  const known = new Map<string, KnownEntry>();
  for (const [identity, entry] of await findIdentities([...labels.keys()], query)) known.set(labels.get(identity) ?? "", entry);
  return known;
}

async function findIdentities(identities: readonly string[], query: RunQuery): Promise<ReadonlyMap<string, KnownEntry>> {
  if (identities.length === 0) return new Map();
  const rows = await query<KnownEntry & { identity: string } & PostgresRow>(
    `SELECT identity, position, said, text FROM entry JOIN session ON session.key = entry.session
      WHERE identity = ANY($1) AND position > cut ORDER BY position DESC`,
    [identities],
  );
  return new Map(rows.map(({ identity, ...entry }) => [identity, entry])); // the first in order of position stays
}

interface Sessions {
  readonly query: RunQuery;
  readonly sessions: ReadonlyMap<string, SessionSnapshot>;
  readonly cuts: ReadonlyMap<string, number>;
}

async function readNumbers({ numbers }: Lookups, { query, sessions, cuts }: Sessions): Promise<Map<string, UsedNumber>> {
  const used = new Map<string, UsedNumber>();
  const asked = [...numbers].flatMap(([label, lookup]) => {
    const session = sessions.get(lookup.session);
    return session === undefined ? [] : [{ label, lookup, session, cut: cuts.get(lookup.session) ?? 0 }];
  });
  if (asked.length === 0) return used;
  const rows = await query<KnownEntry & { number: number; agent: string } & PostgresRow>(
    `SELECT wanted.number, found.* FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS wanted (session, sequence, cut, number)
      CROSS JOIN LATERAL (SELECT position, agent, said, text FROM entry
        WHERE entry.session = wanted.session AND entry.sequence = wanted.sequence AND position > wanted.cut
        ORDER BY position LIMIT ${MAX_COMPARED_ENTRIES}) AS found
      ORDER BY position`,
    [asked.map(({ session }) => session.key), asked.map(({ lookup }) => lookup.sequence), asked.map(({ cut }) => cut)],
  );
  const repeats = asked.map(({ lookup, session }) => repeatKey(session.sourceKey, session.key, lookup.keyEnd));
  const repeated = await findIdentities(rows.length === 0 ? [] : repeats, query);
  for (const [index, { label, lookup }] of asked.entries()) {
    const entries = rows.filter(({ number }) => number === index + 1);
    if (entries.length === 0) continue;
    const first = entries.find(({ agent }) => agent === withoutNul(lookup.agent));
    used.set(label, { first, again: repeated.get(repeats[index] ?? "")?.position });
  }
  return used;
}

async function readNames({ names }: Lookups, { query, keyOf }: Asking): Promise<Map<string, number>> {
  if (names.size === 0) return new Map();
  const asked = [...names];
  const rows = await query<{ number: number; position: number }>(
    `SELECT wanted.number, max(position) AS position
      FROM unnest($1::bigint[], $2::text[], $3::text[]) WITH ORDINALITY AS wanted (source, name, agent, number)
      JOIN answerable ON answerable.source = wanted.source AND answerable.name = wanted.name AND answerable.agent = wanted.agent
      JOIN session ON session.key = answerable.session WHERE position > cut GROUP BY wanted.number`,
    [asked.map(([, one]) => keyOf(one)), asked.map(([, { name }]) => withoutNul(name)), asked.map(([, { agent }]) => withoutNul(agent))],
  );
  return new Map(rows.map(({ number, position }) => [asked[number - 1]?.[0] ?? "", position]));
}
