import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { Ledger, Submission } from "../ledger/ledger.ts";
import { HUB_SOURCE } from "../own-source.ts";
import { type Answer, isWord } from "./answer.ts";

/** What people have set for all requests, or for a session. A plain value: each change is stored whole. */
export interface Control {
  readonly pause: { readonly until: number; readonly by: string; readonly reason: string } | null;
  readonly away: { readonly since: number; readonly by: string } | null;
  readonly stopped: readonly StoppedSession[];
  readonly kept: readonly KeptAnswer[];
  readonly deferred: readonly string[];
  readonly remembered: readonly Remembered[];
}

/** What an approver allowed for more than once: `always` stands in the file of rules, the others only here. */
export interface Remembered {
  readonly name: string;
  readonly yaml: string;
  readonly scope: "session" | "project" | "always";
  /** The decision that it came from. */
  readonly request: string;
  readonly source: string;
  readonly session: string;
  readonly by: string;
  readonly at: number;
  readonly until: number | null;
}

export interface StoppedSession {
  readonly protocol: string;
  readonly source: string;
  readonly session: string;
  readonly by: string;
  readonly at: number;
  readonly reason?: string;
}

/** An answer that waits for the same question: same session, same digest, once. */
export interface KeptAnswer {
  readonly request: string;
  readonly source: string;
  readonly session: string;
  readonly digest: string;
  readonly answer: Answer;
  readonly by: string;
  readonly until: number;
}

export const NO_CONTROL: Control = { pause: null, away: null, stopped: [], kept: [], deferred: [], remembered: [] };
/** The oldest go first. */
const MOST_KEPT = 100;
const MOST_STOPPED = 1000;
const MOST_REMEMBERED = 100;

export const CONTROL_SESSION = "control";

/** What is left of it now: a pause ends by itself, and so does an answer that was kept. */
export function controlAt(control: Control, now: number): Control {
  const { pause } = control;
  return {
    ...control,
    pause: pause !== null && pause.until > now ? pause : null,
    kept: control.kept.filter(({ until }) => until > now).slice(-MOST_KEPT),
    stopped: control.stopped.slice(-MOST_STOPPED),
    deferred: control.deferred.slice(-MOST_KEPT),
    remembered: control.remembered.filter(({ until }) => until === null || until > now).slice(-MOST_REMEMBERED),
  };
}

/** Records a change: what, who, why, and how everything stands then. Fulfils when it is on disk. */
export async function recordControl(
  ledger: Ledger,
  change: { readonly type: string; readonly by: string; readonly now: number; readonly more: JsonObject; readonly control: Control },
): Promise<number> {
  const { type, by, now, more, control } = change;
  const value = { type, by, at: new Date(now).toISOString(), ...more, control: control as unknown as JsonValue };
  const [verdict] = await ledger.append([ownSubmission(type, by, value, now)]);
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

/** The hub's own entries, oldest first: the last of each type with `wanted` in it is what counts. */
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
      const value: unknown = JSON.parse(text);
      if (isObject(value as JsonValue) && (value as JsonObject)[wanted] !== undefined) last = { value: value as JsonObject, receivedAt };
    }
    if (page.next === undefined) return last;
    page = await ledger.readSession({ session, limit: 500, after: page.next });
  }
}

/** What was stored, as far as it can be understood; ours, but perhaps of another version. */
export function readControl(value: JsonValue | undefined): Control {
  if (!isObject(value)) return NO_CONTROL;
  const { pause, away, stopped, kept, deferred, remembered } = value as unknown as Partial<Control>;
  return {
    pause: pause ?? null,
    away: away ?? null,
    stopped: Array.isArray(stopped) ? stopped : [],
    kept: Array.isArray(kept) ? kept.filter((one: KeptAnswer) => isWord(one?.answer?.word)) : [],
    deferred: Array.isArray(deferred) ? deferred : [],
    remembered: Array.isArray(remembered) ? remembered : [],
  };
}
