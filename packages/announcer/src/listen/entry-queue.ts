import type { HeardEntry } from "./wire.ts";

/** What a coding agent sends before it acts: the hub may make a request of it, and says so a moment later. */
const MAY_ASK: ReadonlySet<string> = new Set(["action.requested", "question.asked"]);
/** How long to wait for that: on a busy machine a moment is not enough, and nobody may hear that something is done which still waits. */
const HOLD_MS = 2000;

/**
 * Entries in their order. One that may ask waits a moment for the hub's word about it, and those after it wait with it: otherwise
 * it would be told first that an agent does something, and then that it asks whether it may. What comes of the action says as well
 * that it need not wait.
 */
export class EntryQueue {
  #entries: { readonly entry: HeardEntry; readonly until: number }[] = [];

  push(entries: readonly HeardEntry[], at: number): void {
    for (const entry of entries) this.#entries.push({ entry, until: mayAsk(entry) ? at + HOLD_MS : at });
  }

  /** Those that need wait no longer. `isKnown`: the hub has spoken about what was said there. */
  take(at: number, isKnown: (position: number) => boolean): readonly HeardEntry[] {
    const gone = new Set(this.#entries.filter(({ entry }) => !MAY_ASK.has(entry.type)).map(({ entry }) => actionOf(entry)));
    gone.delete(undefined);
    const waits = (entry: HeardEntry) => !isKnown(entry.position) && !gone.has(actionOf(entry));
    const stop = this.#entries.findIndex(({ entry, until }) => until > at && waits(entry));
    return this.#entries.splice(0, stop < 0 ? this.#entries.length : stop).map(({ entry }) => entry);
  }

  takeAll(): readonly HeardEntry[] {
    return this.#entries.splice(0).map(({ entry }) => entry);
  }

  /** When to look again; undefined when nothing waits. */
  dueAt(): number | undefined {
    return this.#entries[0]?.until;
  }
}

function mayAsk({ protocol, type, verified }: HeardEntry): boolean {
  return protocol === "aep" && verified && MAY_ASK.has(type);
}

/** The action of an event; or that which a hook was answered about. */
function actionOf({ session, event }: HeardEntry): string | undefined {
  const { action, action_id: answered } = event;
  const id = typeof action === "object" && action !== null && "id" in action ? action.id : answered;
  return typeof id === "string" ? `${session} ${id}` : undefined;
}
