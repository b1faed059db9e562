import type { EngineWrites, HashedEntryRow } from "../ledger-engine.ts";
import type { RunQuery } from "./postgres-reader.ts";
import { withoutNul } from "./without-nul.ts";

const MAX_REFUSALS = 10_000;

/** Writes the rows of one planned transaction, with one statement per table. */
export async function writeRows(
  { head, sources, sessions, entries, names, requests, chainHeads, refusals, counts }: EngineWrites,
  query: RunQuery,
): Promise<void> {
  await insertRows(
    "source (key, protocol, name)",
    ["bigint", "text", "text"],
    sources.map(({ key, protocol, source }) => [key, protocol, source]),
    query,
  );
  const hashOf = (key: number) => Buffer.from(chainHeads.get(key) ?? "", "hex");
  const created = sessions.filter(({ isNew }) => isNew);
  const columns = ["bigint", "bigint", "text", "bigint", "bytea"];
  await insertRows(
    "session (key, source, id, last, head)",
    columns,
    created.map(({ key, sourceKey, id, last }) => [key, sourceKey, id, last, hashOf(key)]),
    query,
  );
  const continued = sessions.filter(({ key, isNew }) => !isNew && chainHeads.has(key));
  if (continued.length > 0) {
    await query(
      `UPDATE session SET last = new.last, head = new.head FROM unnest($1::bigint[], $2::bigint[], $3::bytea[]) AS new (key, last, head)
        WHERE session.key = new.key`,
      [continued.map(({ key }) => key), continued.map(({ last }) => last), continued.map(({ key }) => hashOf(key))],
    );
  }
  const judged = sessions.filter(({ state }) => state !== undefined);
  if (judged.length > 0) {
    await query(
      `UPDATE session SET state_at = new.at, state = new.state FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS new (key, at, state)
        WHERE session.key = new.key`,
      [judged.map(({ key }) => key), judged.map(({ state }) => state?.at), judged.map(({ state }) => state?.json)],
    );
  }
  await insertRows(
    "entry (position, session, received_at, kind, verified, type, agent, sequence, identity, said, notes, text, hash, repeated, name_used_at)",
    [
      "bigint",
      "bigint",
      "bigint",
      "smallint",
      "smallint",
      "text",
      "text",
      "bigint",
      "text",
      "bytea",
      "text",
      "text",
      "bytea",
      "smallint",
      "bigint",
    ],
    entries.map(toEntryValues),
    query,
  );
  const nameRows = names.map(({ sourceKey, name, agent, session, position }) => [
    sourceKey,
    withoutNul(name),
    withoutNul(agent),
    session,
    position,
  ]);
  await insertRows(
    "answerable (source, name, agent, session, position)",
    ["bigint", "text", "text", "bigint", "bigint"],
    nameRows,
    query,
    "ON CONFLICT DO NOTHING",
  );
  await insertRows(
    "request (id, kind, position, session, opened_at, deadline_at, state, card, digest, settled_by)",
    ["text", "text", "bigint", "bigint", "bigint", "bigint", "text", "text", "text", "bigint"],
    requests.map(({ id, kind, position, sessionKey, openedAt, deadlineAt, state, card, digest, settledBy }) => [
      id,
      kind,
      position,
      sessionKey,
      openedAt,
      deadlineAt,
      state,
      card,
      digest,
      settledBy,
    ]),
    query,
    "ON CONFLICT (id) DO UPDATE SET deadline_at = excluded.deadline_at, state = excluded.state, settled_by = excluded.settled_by",
  );
  const bytes = entries.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (entries.length > 0) await query("UPDATE ledger SET head = $1, bytes = bytes + $2 WHERE shard = 0", [head, bytes]);
  await writeRefusals(refusals, counts, query);
}

async function writeRefusals(refusals: EngineWrites["refusals"], counts: EngineWrites["counts"], query: RunQuery): Promise<void> {
  const rows = refusals.map(({ receivedAt, source, problem, text, sizeBytes }) => [
    receivedAt,
    withoutNul(source),
    withoutNul(JSON.stringify(problem)),
    withoutNul(text),
    sizeBytes,
  ]);
  await insertRows("refused (received_at, source, problem, text, size_bytes)", ["bigint", "text", "text", "text", "bigint"], rows, query);
  if (refusals.length > 0) await query("DELETE FROM refused WHERE number <= (SELECT max(number) FROM refused) - $1", [MAX_REFUSALS]);
  for (const { what, source, howMany, lastAt } of counts) {
    await query(
      `INSERT INTO count VALUES ($1, $2, $3, $4)
        ON CONFLICT (what, source) DO UPDATE SET how_many = count.how_many + excluded.how_many, last_at = excluded.last_at`,
      [what, withoutNul(source), howMany, lastAt],
    );
  }
}

/** Inserts rows with one statement and one array parameter per column, so that the number of parameters is constant. */
async function insertRows(
  into: string,
  types: readonly string[],
  rows: readonly (readonly unknown[])[],
  query: RunQuery,
  onConflict = "",
): Promise<void> {
  if (rows.length === 0) return;
  const arrays = types.map((type, column) => `$${column + 1}::${type}[]`).join(", ");
  await query(
    `INSERT INTO ${into} SELECT * FROM unnest(${arrays}) ${onConflict}`,
    types.map((_type, column) => rows.map((row) => row[column])),
  );
}

function toEntryValues(row: HashedEntryRow): readonly unknown[] {
  const { position, session, receivedAt, kind, verified, type, agent, sequence, identity, said, notes, text, hash, repeated, nameUsedAt } =
    row;
  const names = [withoutNul(type), withoutNul(agent), sequence, identity === null ? null : withoutNul(identity)];
  return [
    position,
    session,
    receivedAt,
    kind,
    verified,
    ...names,
    said === null ? null : Buffer.from(said),
    notes,
    text,
    Buffer.from(hash, "hex"),
    repeated,
    nameUsedAt,
  ];
}
