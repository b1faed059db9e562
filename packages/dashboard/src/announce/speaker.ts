import type { Announcement, Announcer } from "@earshot/sdk";

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

/** Says one announcement after the other, and tells the announcer how that went. */
export class Speaker {
  readonly #ports: SpeakerPorts;
  #saying: Announcement | undefined;

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
    this.#saying = announcement;
    if (announcement.interrupts) stop();
    onSay(announcement);
    void say(announcement).then(() => {
      if (this.#saying !== announcement) return;
      this.#saying = undefined;
      announcer.spoken(announcement.id, now());
      onOver();
    });
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
