import type { Activity } from "@earshot/protocol/activities";
import { isAudible, type Lane, laneKey, openLane, recognise } from "./lane.ts";
import type { AnnouncerSettings } from "./settings.ts";

/** Maximum number of known sessions. */
const MAX_LANES = 256;

/** All known sessions, least recently active first. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #onForget: (lane: Lane) => void;

  /** `onForget` is called with each evicted session. */
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
    if (known === undefined && this.#lanes.size > MAX_LANES) this.#forgetOne(lane);
    return lane;
  }

  all(): readonly Lane[] {
    return [...this.#lanes.values()];
  }

  has(lane: Lane): boolean {
    return this.#lanes.get(lane.key) === lane;
  }

  /** Whether other sessions are running, so that the source must be named. */
  hasOthers(lane: Lane): boolean {
    return this.all().some((other) => other !== lane && other.ended === undefined);
  }

  isAudible(lane: Lane, settings: AnnouncerSettings): boolean {
    return isAudible(lane, settings, (session) => this.#parentOf(session));
  }

  #parentOf(session: string): string | undefined {
    return this.all().find((lane) => lane.session === session)?.parent;
  }

  /** Evicts an ended and announced session, if there is one. */
  #forgetOne(newest: Lane): void {
    const others = this.all().filter((lane) => lane !== newest);
    const gone = others.find(({ ended, owed, owedSince }) => ended !== undefined && !owed && owedSince === undefined) ?? others[0];
    if (gone === undefined) return;
    this.#lanes.delete(gone.key);
    this.#onForget(gone);
  }
}
