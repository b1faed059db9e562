import type { Activity } from "@earshot/protocol/activities";
import type { LedgerEntry, SessionCursor, SessionInfo } from "../ledger/ledger.ts";
import type { CallView, OutputView, StoryItem, StoryPage } from "./api.ts";
import { boundActivity } from "./bounded.ts";
import { toCallView } from "./call-fold.ts";
import { nameOfId } from "./joining.ts";
import { activitiesOf, jsonOf, type LedgerReading, readEntriesAfter } from "./ledger-reading.ts";
import { toOutputView } from "./output-fold.ts";
import { sessionEndOf } from "./session-fold.ts";
import type { ViewTables } from "./view-tables.ts";
import type { ViewsStoryQuery } from "./views.ts";

/** Maximum entries read for one page: output pieces and call ends are shown where they began. */
const MAX_READ_ENTRIES = 2000;
const PAGE = 200;
/** The ledger cursor's ordinal for entries without a number. */
const UNNUMBERED = Number.MAX_SAFE_INTEGER;
/** After the last entry of a session. */
const END: SessionCursor = { ordinal: UNNUMBERED, position: Number.MAX_SAFE_INTEGER };

/**
 * A page of a session's story: a call is one item from request to outcome, an output one text. Made from a page of the ledger; calls,
 * outputs and alerts are looked up by position.
 */
export async function readStory(query: ViewsStoryQuery, ledger: LedgerReading, tables: ViewTables): Promise<StoryPage> {
  const stored = tables.sessions.load(query.session);
  if (stored === undefined) return { items: [] };
  const { name: session, state } = stored;
  const builder = new StoryBuilder(tables, session, sessionEndOf(state.fold) !== null);
  if (query.before !== undefined) return readBackwards(query.before, query.limit, session, { ledger, builder });
  let after = query.after === undefined ? await placeOf(query.from, session, ledger) : readStoryCursor(query.after);
  const items: StoryItem[] = [];
  for (let read = 0; read < MAX_READ_ENTRIES && items.length < query.limit; ) {
    const limit = Math.min(PAGE, query.limit);
    const page = await ledger.readSession({ session, limit, ...(after === undefined ? {} : { after }) });
    for (const entry of page.entries) {
      const added = builder.itemsOf(entry);
      // All items of an entry are on one page.
      if (items.length > 0 && items.length + added.length > query.limit) return { items, next: writeStoryCursor(after) };
      items.push(...added);
      after = cursorOf(entry, session);
    }
    read += page.entries.length;
    if (page.next === undefined) return { items };
    after = page.next;
  }
  return after === undefined ? { items } : { items, next: writeStoryCursor(after) };
}

async function readBackwards(
  before: number | "end",
  limit: number,
  session: SessionInfo,
  { ledger, builder }: { readonly ledger: LedgerReading; readonly builder: StoryBuilder },
): Promise<StoryPage> {
  let place = before === "end" ? END : await placeBefore(before, session, ledger);
  let earlier: number | undefined;
  let items: readonly StoryItem[] = [];
  for (let read = 0; read < MAX_READ_ENTRIES && items.length < limit; ) {
    const page = await ledger.readSession({ session, limit: Math.min(PAGE, limit), before: place });
    for (const entry of page.entries) {
      const added = builder.itemsOf(entry);
      if (items.length > 0 && items.length + added.length > limit) return { items, ...(earlier === undefined ? {} : { earlier }) };
      items = [...added, ...items];
      earlier = entry.position;
    }
    read += page.entries.length;
    if (page.next === undefined) return { items };
    place = page.next;
  }
  return earlier === undefined ? { items } : { items, earlier };
}

class StoryBuilder {
  readonly #tables: ViewTables;
  readonly #session: SessionInfo;
  readonly #ended: boolean;

  constructor(tables: ViewTables, session: SessionInfo, ended: boolean) {
    this.#tables = tables;
    this.#session = session;
    this.#ended = ended;
  }

  itemsOf(entry: LedgerEntry): readonly StoryItem[] {
    const value = jsonOf(entry);
    if (value === undefined) return [];
    const alerts = this.#tables.alerts.at(this.#session.key, entry.position);
    const isNoted = alerts.length > 0 || entry.flags.some(({ severity }) => severity !== "info");
    const items: StoryItem[] = [];
    const activities = activitiesOf(entry, value);
    activities.forEach((activity, number) => {
      const call = this.#callOf(activity, entry.position, number);
      const output = this.#outputOf(activity, entry.position, number);
      const shownAt = call?.position ?? output?.position ?? entry.position;
      // Shown where it began, unless this entry has alerts or flags of its own.
      const continues = shownAt !== entry.position;
      if (continues && !(isNoted && items.length === 0 && number === activities.length - 1)) return;
      const isFirst = items.length === 0;
      items.push({
        position: entry.position,
        receivedAt: entry.receivedAt,
        activity: boundActivity(activity),
        ...(call === undefined ? {} : { call }),
        ...(output === undefined ? {} : { output: output.view }),
        ...(continues ? { continues: shownAt } : {}),
        flags: isFirst ? entry.flags : [],
        alerts: isFirst ? alerts : [],
        redactions: isFirst ? entry.redactions.length : 0,
      });
    });
    return items;
  }

  #callOf(activity: Activity, position: number, number: number): CallView | undefined {
    switch (activity.kind) {
      case "tool.requested":
      case "tool.decided":
      case "tool.started":
      case "tool.ended": {
        const { key } = this.#session;
        const name = activity.callId === undefined ? this.#tables.calls.partName(key, position, number) : nameOfId(activity.callId);
        const fold = name === undefined ? undefined : this.#tables.calls.load("call", key, name);
        return fold === undefined ? undefined : toCallView(fold, key, this.#ended);
      }
      default:
        return undefined;
    }
  }

  #outputOf(activity: Activity, position: number, number: number): { readonly view: OutputView; readonly position: number } | undefined {
    if (activity.kind !== "output.chunk") return undefined;
    const { key } = this.#session;
    const name = activity.outputId === undefined ? this.#tables.calls.partName(key, position, number) : nameOfId(activity.outputId);
    const fold = name === undefined ? undefined : this.#tables.calls.load("output", key, name);
    return fold === undefined ? undefined : { view: toOutputView(fold), position: fold.position };
  }
}

function cursorOf({ sequence, position }: LedgerEntry, { protocol }: SessionInfo): SessionCursor {
  return { ordinal: protocol === "aop" ? (sequence ?? UNNUMBERED) : position, position };
}

/** The place just before an entry, in the session's own order. */
async function placeOf(from: number | undefined, session: SessionInfo, ledger: LedgerReading): Promise<SessionCursor | undefined> {
  if (from === undefined) return undefined;
  const before = Math.max(0, from - 1);
  if (session.protocol !== "aop") return { ordinal: before, position: before };
  const [entry] = await readEntriesAfter(ledger, session, before, PAGE);
  return entry === undefined ? END : { ordinal: entry.sequence ?? UNNUMBERED, position: entry.position - 1 };
}

async function placeBefore(position: number, session: SessionInfo, ledger: LedgerReading): Promise<SessionCursor> {
  if (session.protocol !== "aop") return { ordinal: position, position };
  const [entry] = await readEntriesAfter(ledger, session, position - 1, PAGE);
  return entry === undefined ? END : { ordinal: entry.sequence ?? UNNUMBERED, position: entry.position };
}

function readStoryCursor(text: string): SessionCursor | undefined {
  const match = /^(\d{1,16})_(\d{1,16})$/.exec(text);
  return match === null ? undefined : { ordinal: Number(match[1]), position: Number(match[2]) };
}

function writeStoryCursor(cursor: SessionCursor | undefined): string {
  return `${cursor?.ordinal ?? 0}_${cursor?.position ?? 0}`;
}
