import { findHub, type HubAccess } from "../hub-client.ts";

/** What is asked for, as it stands behind the `?` of an address. */
export function toQuery(asked: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) query.set(name, String(value));
  return query.toString();
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The hub of this user's own folder, when it runs. EARSHOT_URL is not looked at: what is removed must be one's own. */
export function findOwnHub(env: Environment): Promise<HubAccess | undefined> {
  return findHub({ ...env, EARSHOT_URL: "" });
}
