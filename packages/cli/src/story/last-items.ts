import type { Listed, SessionView, StoryItem } from "@earshot/hub";

export interface LastItems {
  readonly items: readonly StoryItem[];
  /** There is something before them. */
  readonly hasEarlier: boolean;
}

export type ReadStory = (query: { readonly from?: number; readonly after?: string; readonly limit: number }) => Promise<Listed<StoryItem>>;

/** As many as these of a hundred are enough: looking on for the rest would cost more than it shows. */
const ENOUGH = 0.6;
/** Pages that are read from one place, since many entries may be one item: the pieces of an output. */
const MOST_PAGES = 40;

/**
 * The end of a story, or its end before a position. A story is read forwards from any position, so this looks for the place
 * from which about as many items follow as are wanted: backwards in growing steps, then halving. That takes a few pages
 * however long the session is.
 */
export async function readLastItems(
  { firstPosition, lastPosition, counts }: SessionView,
  { limit, before = Number.POSITIVE_INFINITY }: { readonly limit: number; readonly before?: number },
  read: ReadStory,
): Promise<LastItems> {
  const take = (from?: number) => readFrom(from, { limit, before }, read);
  if (counts.events <= limit * 4) {
    const whole = await take();
    if (whole.isEnd) return { items: whole.items, hasEarlier: false };
  }
  let tooEarly = firstPosition - 1;
  let late = Math.min(lastPosition, before - 1) + 1;
  let best: readonly StoryItem[] = [];
  for (let step = limit; late - tooEarly > 1; step *= 4) {
    const isGrowing = tooEarly < firstPosition;
    const from = isGrowing ? Math.max(firstPosition, late - step) : Math.floor((tooEarly + late) / 2);
    const { items, isEnd } = await take(from);
    if (isEnd) {
      best = items;
      late = from;
      if (best.length >= limit * ENOUGH) break;
    } else {
      tooEarly = from;
      // More in one place than is wanted: better its beginning than nothing.
      if (best.length === 0 && late - tooEarly <= 1) best = items;
    }
  }
  return { items: best, hasEarlier: late > firstPosition };
}

/** Up to as many items as are wanted; `isEnd` when nothing is left after them. */
async function readFrom(from: number | undefined, wanted: { readonly limit: number; readonly before: number }, read: ReadStory) {
  const { limit, before } = wanted;
  const items: StoryItem[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const place = after === undefined ? (from === undefined ? {} : { from }) : { after };
    const page: Listed<StoryItem> = await read({ ...place, limit: limit - items.length });
    const own = page.items.filter(({ position }) => position < before);
    items.push(...own);
    after = page.next;
    if (after === undefined || own.length < page.items.length) return { items, isEnd: true };
    if (items.length >= limit) break;
  }
  return { items, isEnd: false };
}
