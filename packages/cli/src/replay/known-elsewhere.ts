import { setTimeout as pause } from "node:timers/promises";
import { askHub, type HubAccess } from "../hub-client.ts";

/** A session of the recording that the hub has from somebody else, too. */
export interface KnownElsewhere {
  readonly session: string;
  readonly sources: readonly string[];
}

const LOOKED_AT = 10;
/** A hub that has just taken a million events is still busy with them. */
const PATIENCE_MS = 3000;
/** What is posted without a credential. */
const OURS = "local";
const NOBODY: readonly undefined[] = [];

/**
 * Which of these sessions the hub has under another source: the agent that was recorded, when it is replayed where it was recorded.
 * They are other sessions for the hub, with the same name. Only the first few are looked at, and a hub that does not tell is not
 * pressed: it is a hint.
 */
export async function knownElsewhere(hub: HubAccess, sessions: Iterable<string>): Promise<readonly KnownElsewhere[]> {
  const looks = [...sessions].slice(0, LOOKED_AT).map((session) => look(hub, session).catch(() => undefined));
  const found = await Promise.race([Promise.all(looks), pause(PATIENCE_MS, NOBODY, { ref: false })]);
  return found.filter((one) => one !== undefined);
}

async function look(hub: HubAccess, session: string): Promise<KnownElsewhere | undefined> {
  const answer = await askHub(hub, `/api/sessions?${new URLSearchParams({ id: session })}`);
  const { items = [] } = (await answer.json()) as { readonly items?: readonly { readonly source: string }[] };
  const sources = items.map(({ source }) => source).filter((source) => source !== OURS);
  return sources.length > 0 ? { session, sources } : undefined;
}
