import type { SessionView, StoryItem, StoryPage } from "@earshot/hub";

/** A contiguous range of a session's story. */
export interface StoryWindow {
  readonly items: readonly StoryItem[];
  /** No items precede these. */
  readonly isFirst: boolean;
  /** The place of the next items; undefined if there are none yet. */
  readonly later: StoryPlace | undefined;
}

export type StoryPlace = { readonly after: string } | { readonly from: number };
/** A page from a place on, or the last items, optionally before a position. */
export type StoryPageQuery = (Partial<StoryPlace> & { readonly limit: number }) | { readonly last: number; readonly before?: number };
export type ReadStory = (query: StoryPageQuery) => Promise<StoryPage>;
export type StoryExtent = Pick<SessionView, "lastPosition" | "counts" | "endedAt">;

/** Page size limit of the hub. */
export const STORY_PAGE_ITEMS = 200;
/** A session with at most this many events is read whole, which allows counting its turns. */
const SMALL = 400;
/** Number of items shown before the linked one. */
const BEFORE = 40;

/**
 * Returns the initial window: all of a small session; otherwise the part around a position, the start of an ended session, or the end of
 * a running one.
 */
export async function openStory(extent: StoryExtent, at: number | undefined, read: ReadStory): Promise<StoryWindow> {
  if (extent.counts.events <= SMALL) return readOn(await openBeginning(read), read, SMALL);
  if (at !== undefined) return openAround(extent, at, read);
  return extent.endedAt === undefined ? openEnd(read) : openBeginning(read);
}

export async function openBeginning(read: ReadStory): Promise<StoryWindow> {
  const { items, next } = await read({ limit: STORY_PAGE_ITEMS });
  return { items, isFirst: true, later: next === undefined ? undefined : { after: next } };
}

export async function openEnd(read: ReadStory): Promise<StoryWindow> {
  const { items, earlier } = await read({ last: STORY_PAGE_ITEMS });
  return { items, isFirst: earlier === undefined, later: undefined };
}

export async function openAround(extent: StoryExtent, at: number, read: ReadStory): Promise<StoryWindow> {
  const from = Math.max(1, Math.min(at, extent.lastPosition));
  const [{ items, next }, before] = await Promise.all([read({ from, limit: STORY_PAGE_ITEMS }), read({ last: BEFORE, before: from })]);
  const known = new Set(before.items.map(({ position }) => position));
  return {
    items: [...before.items, ...items.filter(({ position }) => !known.has(position))],
    isFirst: before.earlier === undefined,
    later: next === undefined ? undefined : { after: next },
  };
}

/** Appends the next part. Beyond the maximum, the first items are dropped. */
export async function readLater(window: StoryWindow, read: ReadStory, most = Number.POSITIVE_INFINITY): Promise<StoryWindow> {
  if (window.later === undefined) return window;
  const { items, next } = await read({ ...window.later, limit: STORY_PAGE_ITEMS });
  const all = [...window.items, ...items];
  const kept = all.slice(-most);
  return { items: kept, isFirst: window.isFirst && kept.length === all.length, later: next === undefined ? undefined : { after: next } };
}

/** Prepends the part before it. Beyond the maximum, the last items are dropped. */
export async function readEarlier(window: StoryWindow, read: ReadStory, most = Number.POSITIVE_INFINITY): Promise<StoryWindow> {
  const [first] = window.items;
  if (window.isFirst || first === undefined) return window;
  const { items, earlier } = await read({ last: STORY_PAGE_ITEMS, before: first.position });
  const all = [...items, ...window.items];
  const kept = all.slice(0, most);
  const gone = all[kept.length];
  return { items: kept, isFirst: earlier === undefined, later: gone === undefined ? window.later : { from: gone.position } };
}

/** Reads to the end or to the maximum number of items. */
export async function readOn(window: StoryWindow, read: ReadStory, most: number): Promise<StoryWindow> {
  let now = window;
  while (now.later !== undefined && now.items.length < most) now = await readLater(now, read);
  return now;
}

/** Number of last items read again on new events: a call may have ended. */
const TAIL = 40;
const LONGEST_TAIL = 150;
/** Number of earlier calls without an end that are read again each time. */
const MAX_OPEN = 3;
const MAX_PAGES = 3;

/** Returns the same range with later changes. Unchanged items keep their object identity. */
export async function readTail(window: StoryWindow, read: ReadStory): Promise<StoryWindow> {
  const { items } = window;
  const start = tailOf(items);
  const anchor = items[start];
  let page = await read(anchor === undefined ? { limit: STORY_PAGE_ITEMS } : { from: anchor.position, limit: STORY_PAGE_ITEMS });
  const fresh = [...page.items];
  for (let pages = 1; page.next !== undefined && pages < MAX_PAGES; pages++) {
    page = await read({ after: page.next, limit: STORY_PAGE_ITEMS });
    fresh.push(...page.items);
  }
  const before = await refreshOpen(items.slice(0, start), read);
  const known = new Map(items.slice(start).map((item) => [nameOf(item), item]));
  const kept = fresh.map((item) => {
    const old = known.get(nameOf(item));
    return old !== undefined && JSON.stringify(old) === JSON.stringify(item) ? old : item;
  });
  return { ...window, items: [...before, ...kept], later: page.next === undefined ? undefined : { after: page.next } };
}

function tailOf(items: readonly StoryItem[]): number {
  let start = Math.max(0, items.length - TAIL);
  for (let index = Math.max(0, items.length - LONGEST_TAIL); index < start; index++) {
    if (isOpen(items[index])) start = index;
  }
  while (start > 0 && items[start - 1]?.position === items[start]?.position) start--; // an entry is read whole
  return start;
}

async function refreshOpen(items: readonly StoryItem[], read: ReadStory): Promise<readonly StoryItem[]> {
  const open = items.filter(isOpen).slice(-MAX_OPEN);
  if (open.length === 0) return items;
  const pages = await Promise.all(open.map(({ position }) => read({ from: position, limit: 1 })));
  const fresh = new Map(pages.flatMap((page) => page.items).map((item) => [nameOf(item), item]));
  return items.map((item) => (isOpen(item) ? (fresh.get(nameOf(item)) ?? item) : item));
}

const OPEN: ReadonlySet<string> = new Set(["requested", "approved", "waiting", "paused", "left-to-the-agent", "running"]);

export function isOpen(item: StoryItem | undefined): boolean {
  return item !== undefined && ((item.call !== undefined && OPEN.has(item.call.state)) || item.output?.complete === false);
}

function nameOf({ position, activity, continues }: StoryItem): string {
  return `${position} ${activity.kind} ${continues ?? ""}`;
}
