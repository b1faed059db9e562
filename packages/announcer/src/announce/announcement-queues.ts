import type { ActivityTally, Phrases, SessionGroup, WordsFor } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";
import type { AnnouncementSubject, SpokenNotice } from "./announcement.ts";
import { AnnouncementBacklog, type BacklogItem, MAX_ITEM_AGE_MS, type NewBacklogItem } from "./backlog.ts";
import { OpenRequests, type SettledRequest } from "./open-requests.ts";
import type { OutputBuffer } from "./output-buffer.ts";
import { type SessionTrack, trackStandingOf } from "./session-track.ts";
import { SessionTracks } from "./session-tracks.ts";
import { type AnnouncerSettings, changeAnnouncerSettings } from "./settings.ts";
import { groupStandings } from "./standing.ts";
import { impliedState } from "./state-in.ts";
import { addTallies, NOTHING_TALLIED, tallyOf } from "./tally.ts";
import { isAnnouncedAt, type Weight } from "./weigh-activity.ts";

/** A critical event that is not a request. */
export interface CriticalItem {
  readonly lane: SessionTrack | undefined;
  readonly at: number;
  readonly about: AnnouncementSubject;
  readonly content: { readonly activity: Activity } | { readonly notice: SpokenNotice };
  /** Number of further ones from the same session, which are only counted. */
  more: number;
}

export interface AnnouncerLanguage {
  readonly words: WordsFor;
  readonly phrases: (language: string) => Phrases;
}

/** Maximum waiting per session; further ones are counted with the last of them. */
const MAX_CRITICAL_OF_A_LANE = 16;
const MAX_CRITICAL = 256;
const MAX_OUTCOMES = 64;
const MESSAGE: ActivityTally = { ...NOTHING_TALLIED, messages: 1 };
const OUTPUT: ActivityTally = { ...NOTHING_TALLIED, outputs: 1 };

/** Everything received and not yet announced, sorted by how it will be announced. Bounded. */
export class AnnouncementQueues {
  settings: AnnouncerSettings;
  /** The time of the current input. */
  now = 0;
  readonly language: AnnouncerLanguage;
  readonly requests = new OpenRequests();
  readonly backlog = new AnnouncementBacklog();
  readonly tracks = new SessionTracks((lane) => this.#forget(lane));
  readonly criticals: CriticalItem[] = [];
  /** Results of requests that were never announced. */
  readonly outcomes: SettledRequest[] = [];
  moreOutcomes = 0;
  moreNotices = 0;
  /** Evicted sessions that still need a summary. */
  elsewhere: readonly SessionGroup[] = [];
  elsewhereSince = 0;
  #order = 0;

  constructor(language: AnnouncerLanguage, settings: AnnouncerSettings) {
    this.language = language;
    this.settings = settings;
  }

  get phrases(): Phrases {
    return this.language.phrases(this.settings.language);
  }

  nextOrder(): number {
    return ++this.#order;
  }

  isTold(lane: SessionTrack, weight: Weight): boolean {
    return isAnnouncedAt(this.settings.load, weight) && this.tracks.isAudible(lane, this.settings);
  }

  /** Activities no longer announced as they happen are summed up instead. */
  change(changes: Partial<AnnouncerSettings>): void {
    this.settings = changeAnnouncerSettings(this.settings, changes);
    for (const lane of this.tracks.all()) {
      if (this.tracks.isAudible(lane, this.settings)) continue;
      this.foldItems((item) => item.lane === lane && item.what !== "again");
      if (lane.unannounced !== undefined) this.oweStanding(lane);
      lane.unannounced = undefined;
      for (const output of lane.outputs) this.abandon(lane, output);
    }
  }

  add(item: NewBacklogItem): void {
    this.backlog.add({ ...item, order: this.nextOrder(), at: this.now, readyAt: this.now });
  }

  addCritical(critical: Omit<CriticalItem, "at" | "more">): void {
    const own = this.criticals.filter(({ lane }) => lane === critical.lane);
    const last =
      own.length >= MAX_CRITICAL_OF_A_LANE ? own.at(-1) : this.criticals.length >= MAX_CRITICAL ? this.criticals.at(-1) : undefined;
    if (last === undefined) this.criticals.push({ ...critical, at: this.now, more: 0 });
    else last.more++;
  }

  notice(notice: SpokenNotice): void {
    const { topic } = notice;
    if (topic !== "other") this.addCritical({ lane: undefined, about: topic === "request" ? "request" : "guard", content: { notice } });
    else this.add({ what: "notice", notice, lane: undefined, about: "message", urgency: "normal", worth: 3 });
    this.trim(undefined);
  }

  /** Ends a request. Returns whether the ending activity's words are announced with it. */
  end(settled: SettledRequest): boolean {
    const { pending, how, activity } = settled;
    const { lane } = pending;
    if (!pending.isAnnounced) {
      if (this.outcomes.length < MAX_OUTCOMES) this.outcomes.push(settled);
      else this.moreOutcomes++;
      return activity !== undefined;
    }
    if (how === "withdrawn" || how === "no-answer" || settled.tellsItself === true || !this.tracks.isAudible(lane, this.settings))
      return false;
    this.add({ what: "settled", settled, lane, about: "settled", urgency: "normal", worth: 3 });
    return activity !== undefined;
  }

  /** Moves overflow into summaries. */
  trim(lane: SessionTrack | undefined): void {
    for (let item = this.backlog.overflow(lane); item !== undefined; item = this.backlog.overflow(lane)) this.#fold(item);
  }

  /** Summarizes items that are too old to be announced. */
  foldStale(at: number): void {
    this.foldItems((item) => at - item.at > MAX_ITEM_AGE_MS);
  }

  foldItems(isMeant: (item: BacklogItem) => boolean): void {
    for (const item of this.backlog.remove(isMeant)) this.#fold(item);
  }

  queueOutput(lane: SessionTrack, output: OutputBuffer): void {
    if (!output.hasWords || (this.settings.load === "low" && !output.isComplete)) return;
    if (this.backlog.items.some((item) => item.what === "output" && item.output === output)) return;
    this.add({ what: "output", output, lane, about: "output", urgency: "normal", worth: 4 });
  }

  abandon(lane: SessionTrack, output: OutputBuffer): void {
    if (!output.isComplete || output.hasWords) this.owe(lane, OUTPUT);
    output.abandon();
  }

  /** Adds an activity to the session's summary. */
  oweActivity(lane: SessionTrack, activity: Activity): void {
    if (activity.kind === "session.closed" || activity.kind === "session.opened" || impliedState(activity) !== undefined)
      this.oweStanding(lane);
    const tally = tallyOf(activity);
    if (tally !== NOTHING_TALLIED) this.owe(lane, tally);
  }

  oweStanding(lane: SessionTrack): void {
    lane.owed = true;
    this.owe(lane, NOTHING_TALLIED);
  }

  owe(lane: SessionTrack, tally: ActivityTally): void {
    lane.tally = addTallies(lane.tally, tally);
    if (lane.owedSince !== undefined) return;
    lane.owedSince = this.now;
    lane.owedOrder = this.nextOrder();
    if (!this.tracks.has(lane)) this.#forget(lane);
  }

  #fold(item: BacklogItem): void {
    const { lane } = item;
    if (item.what === "again") {
      const { sessions } = item.announcement;
      for (const one of this.tracks.all()) if (sessions.includes(one.session)) this.oweStanding(one);
    } else if (lane === undefined) this.moreNotices++;
    else if (item.what === "activity") this.oweActivity(lane, item.activity);
    else if (item.what === "output") this.abandon(lane, item.output);
    else this.owe(lane, MESSAGE);
  }

  #forget(lane: SessionTrack): void {
    if (lane.owedSince === undefined && lane.unannounced === undefined) return;
    if (this.elsewhere.length === 0) this.elsewhereSince = this.now;
    this.elsewhere = groupStandings([trackStandingOf(lane, this.requests.countOf(lane))], this.elsewhere);
    lane.owedSince = undefined;
    lane.unannounced = undefined;
  }
}
