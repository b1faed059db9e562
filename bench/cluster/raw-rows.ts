import pg from "pg";
import { POSTGRES_MIGRATIONS, POSTGRES_SCHEMA } from "../../packages/hub/src/ledger/postgres/schema.ts";

type Row = Readonly<Record<string, unknown>>;

interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly Row[];
}

/** Each table, with the position of the entry that its row was written with. */
const TABLES = {
  source: "0",
  session: "(SELECT min(position) FROM entry WHERE entry.session = session.key)",
  entry: "position",
  answerable: "position",
} as const;

/** Inserts all rows of a ledger into an empty database of the same server, so many entries a commit, and gives entries per second. */
export async function insertRawRows(from: string, to: string, batch: number): Promise<number> {
  await using open = new AsyncDisposableStack();
  const source = await connect(from, open);
  const target = await connect(to, open);
  await target.query(`CREATE SCHEMA earshot; ${POSTGRES_SCHEMA} ${POSTGRES_MIGRATIONS.join("")}`);
  const tables: Table[] = [];
  for (const [name, at] of Object.entries(TABLES)) {
    const columns = await source.query(
      "SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_schema = 'earshot' AND table_name = $1",
      [name],
    );
    tables.push({
      name,
      columns: columns.rows,
      rows: (await source.query(`SELECT *, ${at} AS written_at FROM ${name} ORDER BY written_at`)).rows,
    });
  }
  const positions = tables.find(({ name }) => name === "entry")?.rows.map((row) => Number(row["written_at"])) ?? [];
  const next = new Map(tables.map(({ name }) => [name, 0]));
  const began = performance.now();
  for (let first = 0; first < positions.length; first += batch) {
    const upTo = positions[Math.min(first + batch, positions.length) - 1] ?? 0;
    await target.query("BEGIN");
    for (const { name, columns, rows } of tables) {
      const start = next.get(name) ?? 0;
      let end = start;
      while (end < rows.length && Number(rows[end]?.["written_at"]) <= upTo) end++;
      next.set(name, end);
      if (end === start) continue;
      const names = columns.map((column) => column.name);
      const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`);
      const values = names.map((column) => rows.slice(start, end).map((row) => row[column]));
      await target.query(`INSERT INTO ${name} (${names.join(", ")}) SELECT * FROM unnest(${arrays.join(", ")})`, values);
    }
    await target.query("COMMIT");
  }
  return positions.length / ((performance.now() - began) / 1000);
}

async function connect(address: string, open: AsyncDisposableStack): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: address, options: "-c search_path=earshot" });
  await client.connect();
  open.defer(() => client.end());
  return client;
}
