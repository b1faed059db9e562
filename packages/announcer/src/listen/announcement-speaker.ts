import type { Announcement } from "../announce/announcement.ts";
import type { Announcer } from "../announce/announcer.ts";

export interface SpeakerPorts {
  readonly announcer: Announcer;
  readonly now: () => number;
  /** Speaks it and fulfills at its end. */
  readonly speak: (announcement: Announcement) => Promise<void>;
  readonly stop: () => void;
  /** Whether the listener knows it already. */
  readonly isKnown: (announcement: Announcement) => boolean;
  readonly onSay: (announcement: Announcement) => void;
  /** Called after each announcement. */
  readonly onOver: () => void;
}

const MAX_REST = 20;
const MINUTE_MS = 60_000;
/** Above this share, an interrupted announcement is not repeated. */
const MOSTLY = 0.8;

/** Speaks one announcement after the other and reports the results to the announcer. */
export class AnnouncementSpeaker {
  readonly #ports: SpeakerPorts;
  #saying: Announcement | undefined;
  #since = 0;

  constructor(ports: SpeakerPorts) {
    this.#ports = ports;
  }

  /** Speaks the announcement that is due, if any. */
  sayNext(): void {
    const { announcer, now, isKnown } = this.#ports;
    for (let next = announcer.next(now()); next !== undefined; next = announcer.next(now())) {
      if (!isKnown(next)) {
        this.speak(next);
        return;
      }
      announcer.skipped(next.id, now());
    }
  }

  speak(announcement: Announcement): void {
    const { announcer, now, speak: say, stop, onSay, onOver } = this.#ports;
    const cut = this.#saying;
    // It had nearly ended, so it need not be repeated.
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

  /** Interrupts for a text outside the announcer; the current announcement is repeated later. */
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

  /** Stops the current announcement. */
  enough(): void {
    const { announcer, now, stop, onOver } = this.#ports;
    if (this.#saying === undefined) return;
    announcer.skipped(this.#saying.id, now());
    this.#saying = undefined;
    stop();
    onOver();
  }

  /** Drops waiting announcements. Returns the first ones. */
  swallow(): readonly Announcement[] {
    const { announcer, now } = this.#ports;
    const rest: Announcement[] = [];
    for (let next = announcer.next(now()); next !== undefined; next = announcer.next(now())) {
      announcer.skipped(next.id, now());
      if (rest.length < MAX_REST) rest.push(next);
    }
    return rest;
  }

  #isMostlySaid({ words }: Announcement): boolean {
    const { announcer, now } = this.#ports;
    return now() - this.#since >= (MOSTLY * words * MINUTE_MS) / announcer.settings.paceWpm;
  }

  /** Stops and returns the unspoken announcements. `isCut`: the current one counts only as far as it was spoken. */
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
