import type { Listed, SessionView } from "@earshot/hub";
import { formatNumber, protocolName } from "@earshot/narrate";
import { EarshotError } from "@earshot/protocol/problem";
import type { CommandIo } from "@earshot/terminal/io";
import { createUsageError } from "@earshot/terminal/usage";
import { type HubAccess, openHub, requestFromHub } from "../hub-client.ts";

/** Everything outside a command: the hub and the time. */
export interface ViewPorts {
  readonly open: () => Promise<HubAccess>;
  readonly now: () => number;
}

export const PROCESS_PORTS: ViewPorts = { open: () => openHub(process.env), now: Date.now };

/** Query parameters; undefined ones are left out. */
export type ViewQuery = Readonly<Record<string, string | number | boolean | undefined>>;
type ListQuery = ViewQuery & { readonly limit: number };

/** Maximum items per page; the hub may return fewer. */
const PAGE = 200;

/** Reads views from the hub. Notes once if the hub is still processing entries. */
export class ViewReader {
  readonly hub: HubAccess;
  readonly #io: CommandIo;
  #hasTold = false;

  constructor(hub: HubAccess, io: CommandIo) {
    this.hub = hub;
    this.#io = io;
  }

  async read<Answer extends object>(path: string, query: ViewQuery = {}): Promise<Answer> {
    const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
    const search = new URLSearchParams(given as [string, string][]).toString();
    const answer = (await (await requestFromHub(this.hub, `${path}${search === "" ? "" : `?${search}`}`)).json()) as Answer;
    if ("behind" in answer && typeof answer.behind === "number" && !this.#hasTold) {
      this.#hasTold = true;
      this.#io.err(`earshot: the hub is still catching up: the newest ${formatNumber(answer.behind)} events are not in this yet\n`);
    }
    return answer;
  }

  /** Yields pages up to a limit. Returns the cursor if there is more. */
  async *list<Item>(path: string, { limit, ...query }: ListQuery): AsyncGenerator<readonly Item[], string | undefined> {
    let after = query["after"];
    for (let left = limit, isFirst = true; left > 0; isFirst = false) {
      // The start is only in the first request; later pages continue after the previous one.
      const from = isFirst ? query["from"] : undefined;
      const page: Listed<Item> = await this.read(path, { ...query, from, after, limit: Math.min(left, PAGE) });
      left -= page.items.length;
      after = page.next;
      if (page.items.length > 0) yield page.items;
      if (page.next === undefined) return undefined;
    }
    return typeof after === "string" ? after : undefined;
  }

  /** The same at once, for short lists. */
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

/** Sessions searched for an id prefix. */
const LOOKED_THROUGH = 2000;
const LISTED = 8;

/**
 * The session a person means: by id, by key, or by a unique id prefix among recent ones. If several sources use the id, they are listed
 * instead of guessing.
 */
export async function findSessionByName(views: ViewReader, name: string, hints: SessionHints = {}): Promise<SessionView> {
  if (name === "") throw createUsageError("The name of the session is empty.", "`earshot sessions` lists them.");
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
  throw createUsageError(
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
