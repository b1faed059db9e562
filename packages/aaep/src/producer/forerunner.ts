import type { FeedPage, Heard } from "../feed.ts";
import type { Follower } from "./follower.ts";
import type { Station } from "./subscription-ports.ts";

interface ForerunnerPorts {
  readonly station: Pick<Station, "position" | "read" | "recent" | "monotonic" | "onFailure">;
  /** The one that hears now; another one when the subscription was resumed somewhere else. */
  readonly follower: () => Follower;
  /** Whether its stream takes anything now. */
  readonly isOpen: () => boolean;
  /** Sends what may go out. */
  readonly send: () => void;
  /** Nothing could be read: it is to be run again later. */
  readonly failed: (error: unknown) => void;
}

const PAGE = 256;
/** How many critical events wait for what their sessions said before them. Those past this are found again in the feed. */
const MOST_WAITING = 64;

/**
 * Has a subscription that is behind hear what is critical ahead of all the rest. Hardly anything is kept for that: while the
 * stream takes nothing, nothing is heard, and when it takes something again, what came meanwhile is looked for in the feed.
 */
export class Forerunner {
  readonly #ports: ForerunnerPorts;
  #waiting: { readonly critical: Heard; readonly follower: Follower }[] = [];
  #isRunning = false;

  constructor(ports: ForerunnerPorts) {
    this.#ports = ports;
  }

  /** Hears what is critical on a page that was just read, `from` some position on, as far as everything for it is at hand. */
  hear({ heard, upTo, missed }: FeedPage, from: number): void {
    const { station, isOpen } = this.#ports;
    const follower = this.#ports.follower();
    if (missed || !isOpen()) return;
    let isAll = true;
    for (const critical of heard) {
      if (!critical.critical || follower.hasHeard(critical)) continue;
      const before = saidBefore(critical, follower.heardOf(critical.session), station);
      if (before !== undefined) {
        follower.hearAhead(critical, before, station.monotonic());
        continue;
      }
      isAll = false;
      if (this.#waiting.length < MOST_WAITING) this.#waiting.push({ critical, follower });
    }
    if (isAll && follower.criticalUpTo >= from) follower.passCritical(upTo);
  }

  /** Goes after what `hear` could not. */
  run(): void {
    if (this.#isRunning || !this.#hasMore()) return;
    this.#isRunning = true;
    this.#goOn()
      .catch(this.#ports.failed)
      .finally(() => {
        this.#isRunning = false;
      });
  }

  #hasMore(): boolean {
    return this.#ports.isOpen() && (this.#waiting.length > 0 || this.#isStuck());
  }

  /** Whoever has room reads on, and gets to what is critical in its turn. */
  #isStuck(): boolean {
    const { station } = this.#ports;
    const follower = this.#ports.follower();
    return follower.isFull && follower.criticalUpTo < station.position;
  }

  async #goOn(): Promise<void> {
    while (this.#hasMore()) {
      const next = this.#waiting.shift();
      if (next !== undefined) await this.#hearOne(next.critical, next.follower);
      else if (!(await this.#readPage())) return;
    }
  }

  /** False: this got nowhere, for now. */
  async #readPage(): Promise<boolean> {
    const follower = this.#ports.follower();
    const from = follower.criticalUpTo;
    const { heard, upTo } = await this.#ports.station.read(from, PAGE);
    for (const one of heard) {
      if (one.critical && !(await this.#hearOne(one, follower))) return false;
    }
    follower.passCritical(upTo);
    return upTo > from;
  }

  /** False: it could not be heard, because the stream takes nothing more or is another follower's by now. */
  async #hearOne(critical: Heard, follower: Follower): Promise<boolean> {
    const { station, isOpen, send } = this.#ports;
    const isOurs = () => this.#ports.follower() === follower && isOpen();
    if (!isOurs()) return false;
    if (follower.hasHeard(critical)) return true;
    const before = await this.#lookUp(critical, follower);
    if (!isOurs()) return false;
    if (!follower.hasHeard(critical)) follower.hearAhead(critical, before, station.monotonic());
    send();
    return true;
  }

  async #lookUp(critical: Heard, follower: Follower): Promise<SaidBefore> {
    const { station } = this.#ports;
    const after = follower.heardOf(critical.session);
    const found = saidBefore(critical, after, station);
    if (found !== undefined) return found;
    return await findSaidBefore(critical, after, station).catch((error: unknown) => {
      station.onFailure(error);
      return { said: [critical], isAll: false };
    });
  }
}

/** Who is farther behind than this gets what is critical alone. */
const MOST_PAGES = 32;

/** A critical event, after what its session said before it. */
export interface SaidBefore {
  readonly said: readonly Heard[];
  /** Whether that is everything; otherwise it is the event alone. */
  readonly isAll: boolean;
}

/** When all of it is at hand. */
function saidBefore(critical: Heard, after: number, { recent }: Pick<Station, "recent">): SaidBefore | undefined {
  const page = recent(after, Number.POSITIVE_INFINITY);
  return page === undefined ? undefined : { said: ofItsSession(page, critical), isAll: true };
}

/** The same, looked up in the feed. */
async function findSaidBefore(critical: Heard, after: number, { read }: Pick<Station, "read">): Promise<SaidBefore> {
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
