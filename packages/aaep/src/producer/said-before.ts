import type { FeedPage } from "../feed.ts";
import type { Heard } from "../heard.ts";
import type { Station } from "./station.ts";

const PAGE = 256;
/** Who is farther behind than this gets what is critical alone. */
const MOST_PAGES = 32;

/** A critical event, after what its session said before it. */
export interface SaidBefore {
  readonly said: readonly Heard[];
  /** Whether that is everything; otherwise it is the event alone. */
  readonly isAll: boolean;
}

/** When all of it is at hand. */
export function saidBefore(critical: Heard, after: number, { recent }: Pick<Station, "recent">): SaidBefore | undefined {
  const page = recent(after, Number.POSITIVE_INFINITY);
  return page === undefined ? undefined : { said: ofItsSession(page, critical), isAll: true };
}

/** The same, looked up in the feed. */
export async function findSaidBefore(critical: Heard, after: number, { read }: Pick<Station, "read">): Promise<SaidBefore> {
  const said: Heard[] = [];
  let place = after;
  for (let pages = 0; place < critical.position && pages < MOST_PAGES; pages++) {
    const page = await read(place, PAGE);
    said.push(...ofItsSession(page, critical));
    if (page.upTo <= place) break;
    place = page.upTo;
  }
  return place < critical.position ? { said: [critical], isAll: false } : { said, isAll: true };
}

function ofItsSession({ heard }: FeedPage, critical: Heard): readonly Heard[] {
  return heard.filter(({ session, position }) => session === critical.session && position <= critical.position);
}
