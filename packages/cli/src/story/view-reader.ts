import type { Listed, SessionView } from "@earshot/hub";
import { formatNumber, protocolName } from "@earshot/narrate";
import { EarshotError } from "@earshot/protocol/problem";
import type { Io } from "@earshot/terminal/io";
import { usage } from "@earshot/terminal/usage";
import { askHub, type HubAccess, openHub } from "../hub-client.ts";

/** What is not a command's own: where the hub is, and what time it is. */
export interface ViewPorts {
  readonly open: () => Promise<HubAccess>;
  readonly now: () => number;
}

export const OF_THIS_PROCESS: ViewPorts = { open: () => openHub(process.env), now: Date.now };

/** What a view is asked for; what is undefined is not asked. */
export type ViewQuery = Readonly<Record<string, string | number | boolean | undefined>>;
type ListQuery = ViewQuery & { readonly limit: number };

/** At most this many at a time; the hub may give fewer. */
const PAGE = 200;

/** Reads what happened from the hub. Says once, beside the answer, when the hub has not yet worked everything in. */
export class ViewReader {
  readonly hub: HubAccess;
  readonly #io: Io;
  #hasTold = false;

  constructor(hub: HubAccess, io: Io) {
    this.hub = hub;
    this.#io = io;
  }

  async read<Answer extends object>(path: string, query: ViewQuery = {}): Promise<Answer> {
    const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
    const search = new URLSearchParams(given as [string, string][]).toString();
    const answer = (await (await askHub(this.hub, `${path}${search === "" ? "" : `?${search}`}`)).json()) as Answer;
    if ("behind" in answer && typeof answer.behind === "number" && !this.#hasTold) {
      this.#hasTold = true;
      this.#io.err(`earshot: the hub is still catching up: the newest ${formatNumber(answer.behind)} events are not in this yet\n`);
    }
    return answer;
  }

  /** As many as are wanted, page by page, each as it comes. Gives where to go on, when there is more. */
  async *list<Item>(path: string, { limit, ...query }: ListQuery): AsyncGenerator<readonly Item[], string | undefined> {
    let after = query["after"];
    for (let left = limit, isFirst = true; left > 0; isFirst = false) {
      // Where to begin is said once: from then on every page goes on after the one before.
      const from = isFirst ? query["from"] : undefined;
      const page: Listed<Item> = await this.read(path, { ...query, from, after, limit: Math.min(left, PAGE) });
      left -= page.items.length;
      after = page.next;
      if (page.items.length > 0) yield page.items;
      if (page.next === undefined) return undefined;
    }
    return typeof after === "string" ? after : undefined;
  }

  /** The same, all at once: for what is short enough to be held. */
  async collect<Item>(path: string, query: ListQuery): Promise<Listed<Item>> {
    const items: Item[] = [];
    const pages = this.list<Item>(path, query);
    for (let page = await pages.next(); ; page = await pages.next()) {
      if (page.done === true) return { items, ...(page.value === undefined ? {} : { next: page.value }) };
      items.push(...page.value);
    }
  }
}

export interface SessionHints {
  readonly protocol?: string | undefined;
  readonly source?: string | undefined;
}

/** How many sessions are looked through for one that begins so. */
const LOOKED_THROUGH = 2000;
const LISTED = 8;

/**
 * The session that a person means: by its id, by its key, or by the beginning of an id that no other one shares, among those
 * heard last. Several sources may use the same id: then they are listed, and nothing is guessed.
 */
export async function findSession(views: ViewReader, name: string, hints: SessionHints = {}): Promise<SessionView> {
  if (name === "") throw usage("The name of the session is empty.", "`earshot sessions` lists them.");
  const isMeant = ({ protocol, source }: SessionView) =>
    (hints.protocol === undefined || protocol === hints.protocol) && (hints.source === undefined || source === hints.source);
  const { items } = await views.read<Listed<SessionView>>("/api/sessions", { id: name, limit: 100 });
  const exact = items.filter(isMeant);
  if (exact.length > 0) return theOne(exact, `is called ${JSON.stringify(name)}`);
  if (/^\d{1,15}$/.test(name)) {
    const byKey = await orNothing(views.read<SessionView>(`/api/sessions/${name}`));
    if (byKey !== undefined) return byKey;
  }
  const beginning: SessionView[] = [];
  for await (const page of views.list<SessionView>("/api/sessions", { limit: LOOKED_THROUGH })) {
    beginning.push(...page.filter((session) => session.id.startsWith(name) && isMeant(session)));
  }
  if (beginning.length > 0) return theOne(beginning, `begins with ${JSON.stringify(name)}`);
  const message = `No session ${JSON.stringify(name.slice(0, 80))} was heard${items.length > 0 ? " from there" : ""}.`;
  throw new EarshotError({
    code: "NOT_FOUND",
    message,
    hint: "`earshot sessions` lists those that were, `earshot search WORDS` finds more.",
  });
}

function theOne(found: readonly SessionView[], what: string): SessionView {
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  const list = found
    .slice(0, LISTED)
    .map(({ id, protocol, source, key }) => `${id} (${protocolName(protocol)} from ${source}, key ${key})`);
  const more = found.length > LISTED ? `; and ${found.length - LISTED} more` : "";
  throw usage(
    `More than one session ${what}: ${list.join("; ")}${more}.`,
    "Give more of the id, add --protocol or --source, or name it by its key.",
  );
}

async function orNothing<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (EarshotError.is(error) && error.problem.code === "NOT_FOUND") return undefined;
    throw error;
  }
}
