import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { Ledger, Submission } from "./ledger/ledger.ts";

/** The source of what the hub itself records, such as who paused it: no token can have this name. */
export const HUB_SOURCE = "Earshot";
const CONTROL_SESSION = "control";
/** What was recorded longer ago than this is recorded again, so that it is not removed as old. */
export const RECORD_AGAIN_MS = 86_400_000;

/** Records what a person or the hub itself has changed. Fulfills with the position when it is on disk. */
export async function recordOwnEntry(
  ledger: Ledger,
  { type, by, now, value }: { readonly type: string; readonly by: string; readonly now: number; readonly value: JsonObject },
): Promise<number> {
  const [verdict] = await ledger.append([ownSubmission(type, by, { type, by, at: new Date(now).toISOString(), ...value }, now)]);
  if (verdict === undefined || !verdict.ok) throw new Error("The hub's own entry was refused.");
  return verdict.position;
}

/** An entry that the hub writes about itself. */
export function ownSubmission(type: string, by: string, value: JsonObject, receivedAt: number): Submission {
  return {
    source: { protocol: "aep", name: HUB_SOURCE, verified: true },
    kind: "message",
    session: CONTROL_SESSION,
    agent: by,
    type,
    sequence: null,
    identity: null,
    text: JSON.stringify(value),
    receivedAt,
    reading: { protocol: "aep", kind: "message", type, value, eventId: undefined, sessionId: undefined, agentId: undefined, findings: [] },
    redactions: [],
  };
}

/** The newest of the hub's own entries that has the wanted member. */
export async function readLast(
  ledger: Ledger,
  wanted: string,
): Promise<{ readonly value: JsonObject; readonly receivedAt: number } | undefined> {
  const session = (await ledger.findSessions(CONTROL_SESSION, "aep")).find(({ source }) => source === HUB_SOURCE);
  if (session === undefined) return undefined;
  let last: { readonly value: JsonObject; readonly receivedAt: number } | undefined;
  let page = await ledger.readSession({ session, limit: 500 });
  for (;;) {
    for (const { text, receivedAt } of page.entries) {
      const value = JSON.parse(text) as JsonValue;
      if (isObject(value) && value[wanted] !== undefined) last = { value, receivedAt };
    }
    if (page.next === undefined) return last;
    page = await ledger.readSession({ session, limit: 500, after: page.next });
  }
}
