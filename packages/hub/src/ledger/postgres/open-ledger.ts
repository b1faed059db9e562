import { join } from "node:path";
import { EarshotError } from "@earshot/protocol";
import { EngineLedger, type LedgerOptions } from "../engine-ledger.ts";
import type { LastQuery, LedgerHistory } from "../history.ts";
import { openSealKey } from "../seal-key.ts";
import { toRemoval } from "../seal-line.ts";
import { SEAL_FILE } from "../sqlite/open-ledger.ts";
import { type ConnectionLimits, PostgresConnections, type Transaction } from "./connections.ts";
import { UNFINISHED } from "./migrate-ledger.ts";
import { PostgresEngine } from "./postgres-engine.ts";

export interface PostgresLedgerOptions extends LedgerOptions {
  /** `postgres://user@host:5432/database`, with several hosts if there are standbys. */
  readonly address: string;
  /** Folder of the signing key and of the copied signatures. */
  readonly folder: string;
}

/** Opens the ledger in a PostgreSQL database and creates missing tables. */
export function openPostgresLedger({ address, folder, ...options }: PostgresLedgerOptions): EngineLedger {
  const engine = new PostgresEngine(connectHub(address, folder));
  return new EngineLedger(engine, { key: openSealKey(folder), file: join(folder, SEAL_FILE), isShared: true }, options);
}

/** Connects a hub to its database. A hub with another key than the one that signed there is refused. */
export function connectHub(address: string, folder: string, limits?: ConnectionLimits): PostgresConnections {
  const publicKey = openSealKey(folder).publicKey.export({ type: "spki", format: "pem" }).toString();
  return new PostgresConnections(address, { claim: (transaction) => claimLedger(publicKey, { transaction, folder }), ...limits });
}

/** The first hub stores its key's name in the database. A hub with another key is refused. */
async function claimLedger(
  publicKey: string,
  { transaction, folder }: { readonly transaction: Transaction; readonly folder: string },
): Promise<void> {
  await transaction.query("UPDATE ledger SET signed_by = $1 WHERE shard = 0 AND signed_by IS NULL", [publicKey]);
  const signedBy = String((await transaction.query("SELECT signed_by FROM ledger WHERE shard = 0")).rows[0]?.["signed_by"]);
  if (signedBy === publicKey) return;
  if (signedBy.startsWith(UNFINISHED)) {
    const message = "A ledger is being copied into this database, and that has not finished.";
    throw new EarshotError({ code: "LEDGER_REFUSED", message, hint: "Finish it: run earshot migrate-store again." });
  }
  throw new EarshotError({
    code: "LEDGER_REFUSED",
    message: "The ledger in this database is signed with another key than this hub has.",
    hint: `Copy seal-key.pem and seal-key.pub.pem of the hub that wrote it into ${folder}, or use another database.`,
  });
}

/** Opens it read-only. */
export function openPostgresHistory(address: string): LedgerHistory {
  const connections = new PostgresConnections(address);
  const engine = new PostgresEngine(connections);
  return {
    head: () => engine.head(),
    read: (query) => engine.read(query),
    readSession: (query) => engine.readSession(query),
    findSessions: (id, protocol) => engine.findSessions(id, protocol),
    requests: (query) => engine.requests(query),
    removals: async (query) => (await engine.removals(query)).map(({ line }) => toRemoval(line)),
    lastOf: async ({ after, upTo, types, limit }: LastQuery) => {
      const rows = await connections.query<{ position: number }>(
        "SELECT position FROM entry WHERE position > $1 AND position <= $2 AND kind = 0 AND type = ANY($3) ORDER BY position DESC LIMIT $4",
        [after, upTo, types, limit],
      );
      return rows.map(({ position }) => position);
    },
    [Symbol.asyncDispose]: () => engine.close(),
  };
}
