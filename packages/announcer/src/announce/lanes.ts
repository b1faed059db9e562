import type { Activity } from "@earshot/protocol/activities";
import { isAudible, type Lane, laneKey, openLane, recognise } from "./lane.ts";
import type { AnnouncerSettings } from "./settings.ts";

/** Sessions that are known at once. */
const MOST_LANES = 256;

/** All sessions that were heard, least recently heard first. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #onForget: (lane: Lane) => void;

  /** `onForget` hears of a session that has to make room. */
  constructor(onForget: (lane: Lane) => void) {
    this.#onForget = onForget;
  }

  hear(activity: Activity, at: number, order: number): Lane {
    const key = laneKey(activity);
    const known = this.#lanes.get(key);
    const lane = known ?? openLane(key, activity, order);
    recognise(lane, activity, at);
    this.#lanes.delete(key);
    this.#lanes.set(key, lane);
    if (known === undefined && this.#lanes.size > MOST_LANES) this.#forgetOne(lane);
    return lane;
  }

  all(): readonly Lane[] {
    return [...this.#lanes.values()];
  }

  has(lane: Lane): boolean {
    return this.#lanes.get(lane.key) === lane;
  }

  /** Whether anybody else is running: then it is to be said who speaks. */
  hasOthers(lane: Lane): boolean {
    return this.all().some((other) => other !== lane && other.ended === undefined);
  }

  isAudible(lane: Lane, settings: AnnouncerSettings): boolean {
    return isAudible(lane, settings, (session) => this.#parentOf(session));
  }

  #parentOf(session: string): string | undefined {
    return this.all().find((lane) => lane.session === session)?.parent;
  }

  /** One that is over and told, if there is any. */
  #forgetOne(newest: Lane): void {
    const others = this.all().filter((lane) => lane !== newest);
    const gone = others.find(({ ended, owed, owedSince }) => ended !== undefined && !owed && owedSince === undefined) ?? others[0];
    if (gone === undefined) return;
    this.#lanes.delete(gone.key);
    this.#onForget(gone);
  }
}
