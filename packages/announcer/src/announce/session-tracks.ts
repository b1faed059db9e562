import type { Activity } from "@earshot/protocol/activities";
import { isAudible, openTrack, type SessionTrack, trackKey, updateTrack } from "./session-track.ts";
import type { AnnouncerSettings } from "./settings.ts";

/** Maximum number of known sessions. */
const MAX_LANES = 256;

/** All known sessions, least recently active first. */
export class SessionTracks {
  readonly #tracks = new Map<string, SessionTrack>();
  readonly #onForget: (lane: SessionTrack) => void;

  /** `onForget` is called with each evicted session. */
  constructor(onForget: (lane: SessionTrack) => void) {
    this.#onForget = onForget;
  }

  handle(activity: Activity, at: number, order: number): SessionTrack {
    const key = trackKey(activity);
    const known = this.#tracks.get(key);
    const lane = known ?? openTrack(key, activity, order);
    updateTrack(lane, activity, at);
    this.#tracks.delete(key);
    this.#tracks.set(key, lane);
    if (known === undefined && this.#tracks.size > MAX_LANES) this.#forgetOne(lane);
    return lane;
  }

  all(): readonly SessionTrack[] {
    return [...this.#tracks.values()];
  }

  has(lane: SessionTrack): boolean {
    return this.#tracks.get(lane.key) === lane;
  }

  /** Whether other sessions are running, so that the source must be named. */
  hasOthers(lane: SessionTrack): boolean {
    return this.all().some((other) => other !== lane && other.ended === undefined);
  }

  isAudible(lane: SessionTrack, settings: AnnouncerSettings): boolean {
    return isAudible(lane, settings, (session) => this.#parentOf(session));
  }

  #parentOf(session: string): string | undefined {
    return this.all().find((lane) => lane.session === session)?.parent;
  }

  /** Evicts an ended and announced session, if there is one. */
  #forgetOne(newest: SessionTrack): void {
    const others = this.all().filter((lane) => lane !== newest);
    const gone = others.find(({ ended, owed, owedSince }) => ended !== undefined && !owed && owedSince === undefined) ?? others[0];
    if (gone === undefined) return;
    this.#tracks.delete(gone.key);
    this.#onForget(gone);
  }
}
