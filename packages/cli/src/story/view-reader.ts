import type { Listed } from "@earshot/hub";
import { askHub, type HubAccess, openHub } from "../hub-client.ts";
import type { Io } from "../io.ts";

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
      this.#io.err(`earshot: the hub is still catching up: the newest ${answer.behind.toLocaleString("en")} events are not in this yet\n`);
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
