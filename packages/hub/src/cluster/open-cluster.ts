import type { HubHome } from "../home.ts";
import { connectHub } from "../ledger/postgres/open-ledger.ts";
import { ClusterMember, type MemberOptions } from "./member.ts";

const MAX_CONNECTIONS = 2;
/** A beat that takes longer than a lease is worth nothing. */
const STATEMENT_TIMEOUT_MS = 4000;

/** Joins the hubs that use a database. */
export async function joinCluster(address: string, home: HubHome, options: MemberOptions): Promise<ClusterMember> {
  const limits = { maxConnections: MAX_CONNECTIONS, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  return ClusterMember.join(connectHub(address, home.folder, limits), options);
}
