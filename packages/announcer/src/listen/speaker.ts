import type { Announcement } from "../announce/announcement.ts";
import type { Announcer } from "../announce/announcer.ts";

export interface SpeakerPorts {
  readonly announcer: Announcer;
  readonly now: () => number;
  /** Says it, and fulfils when it was said to its end. */
  readonly say: (announcement: Announcement) => Promise<void>;
  readonly stop: () => void;
  /** Whether whoever listens knows it already. */
  readonly isKnown: (announcement: Announcement) => boolean;
  readonly onSay: (announcement: Announcement) => void;
  /** It was said, and there may be more. */
  readonly onOver: () => void;
}

const MOST_REST = 20;
const MINUTE_MS = 60_000;
/** What was said so far need not be said again from the beginning. */
const MOSTLY = 0.8;

/** Says one announcement after the other, and tells the announcer how that went. */
export class Speaker {
  readonly #ports: SpeakerPorts;
  #saying: Announcement | undefined;
  #since = 0;

  constructor(ports: SpeakerPorts) {
    this.#ports = ports;
  }

  /** What is due, if anything is. */
  sayNext(): void {
    const { announcer, now, isKnown } = this.#ports;
    for (let next = announcer.next(now()); next !== undefined; next = announcer.next(now())) {
      if (!isKnown(next)) {
        this.say(next);
        return;
      }
      announcer.skipped(next.id, now());
    }
  }

  say(announcement: Announcement): void {
    const { announcer, now, say, stop, onSay, onOver } = this.#ports;
    const cut = this.#saying;
    // It has nearly ended: who heard that much need not hear it twice.
    if (cut !== undefined && this.#isMostlySaid(cut)) announcer.spoken(cut.id, now());
    this.#saying = announcement;
    this.#since = now();
    if (announcement.interrupts) stop();
    onSay(announcement);
    void say(announcement).then(() => {
      if (this.#saying !== announcement) return;
      this.#saying = undefined;
      announcer.spoken(announcement.id, now());
      onOver();
    });
  }

  /** Something that no announcement says is said now: what is being said is said again later. */
  interrupt(): void {
    const { announcer, now, stop } = this.#ports;
    const cut = this.#saying;
    if (cut === undefined) return;
    if (cut.urgency !== "critical" && this.#isMostlySaid(cut)) announcer.spoken(cut.id, now());
    else announcer.interrupted(cut.id, now());
    this.#saying = undefined;
    stop();
  }

  get saying(): Announcement | undefined {
    return this.#saying;
  }

  /** No more of what is being said. */
  enough(): void {
    const { announcer, now, stop, onOver } = this.#ports;
    if (this.#saying === undefined) return;
    announcer.skipped(this.#saying.id, now());
    this.#saying = undefined;
    stop();
    onOver();
  }

  /** Lets what waits pass unsaid. Gives the first of it. */
  swallow(): readonly Announcement[] {
    const { announcer, now } = this.#ports;
    const rest: Announcement[] = [];
    for (let next = announcer.next(now()); next !== undefined; next = announcer.next(now())) {
      announcer.skipped(next.id, now());
      if (rest.length < MOST_REST) rest.push(next);
    }
    return rest;
  }

  #isMostlySaid({ words }: Announcement): boolean {
    const { announcer, now } = this.#ports;
    return now() - this.#since >= (MOSTLY * words * MINUTE_MS) / announcer.settings.paceWpm;
  }

  /** Stops, and gives what was still to be said. `isCut`: what is being said is only heard as far as it was said. */
  leave(isCut: boolean): readonly Announcement[] {
    const cut = this.#saying;
    if (cut !== undefined) {
      this.#ports.announcer.skipped(cut.id, this.#ports.now());
      this.#saying = undefined;
      this.#ports.stop();
    }
    const rest = this.swallow();
    return cut === undefined || !isCut ? rest : [cut, ...rest];
  }
}
