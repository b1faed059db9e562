import type { RequestSettling } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";
import { ActivityRouter } from "./activity-router.ts";
import type { AnnouncedRequest, Announcement, SpokenNotice } from "./announcement.ts";
import { AnnouncementQueues, type AnnouncerLanguage } from "./announcement-queues.ts";
import { AnnouncementWriter } from "./announcement-writer.ts";
import type { Announcer } from "./announcer.ts";
import { chooseCritical, criticalAt } from "./choose-critical.ts";
import { chooseOrdinary, ordinaryAt } from "./choose-ordinary.ts";
import type { ChosenAnnouncement, ReturnToBacklog } from "./chosen-announcement.ts";
import { type AnnouncementDraft, speakerLabelOf, toAnnouncement } from "./compose.ts";
import { composeDigest, type DigestEntry } from "./digest.ts";
import type { PendingRequest } from "./open-requests.ts";
import { markAllAnnounced, type SessionTrack } from "./session-track.ts";
import type { AnnouncerSettings } from "./settings.ts";
import { NOTHING_TALLIED } from "./tally.ts";

interface Speaking {
  readonly announcement: Announcement;
  readonly lane: SessionTrack | undefined;
  readonly giveBack: ReturnToBacklog | undefined;
  /** After this time the next announcement is due although the end was not reported. */
  readonly giveUpAt: number;
}

const HISTORY = 100;
const MINUTE_MS = 60_000;
/** A voice may be slower than configured. */
const PATIENT = 3;
const PATIENCE_MS = 10_000;

/** One voice: the current announcement, when it is free, and what it has spoken. */
export class PacedAnnouncer implements Announcer {
  readonly #queues: AnnouncementQueues;
  readonly #hearing: ActivityRouter;
  readonly #writer: AnnouncementWriter;
  #speaking: Speaking | undefined;
  #freeAt = Number.NEGATIVE_INFINITY;
  #past: Announcement[] = [];
  #count = 0;

  constructor(language: AnnouncerLanguage, settings: AnnouncerSettings) {
    this.#queues = new AnnouncementQueues(language, settings);
    this.#hearing = new ActivityRouter(this.#queues);
    this.#writer = new AnnouncementWriter(this.#queues);
  }

  get settings(): AnnouncerSettings {
    return this.#queues.settings;
  }

  change(changes: Partial<AnnouncerSettings>, at: number): void {
    this.#queues.now = at;
    this.#queues.change(changes);
  }

  handle(activity: Activity, at: number): void {
    this.#queues.now = at;
    this.#hearing.handle(activity);
  }

  notice(notice: SpokenNotice, at: number): void {
    this.#queues.now = at;
    this.#queues.notice(notice);
  }

  settled(request: string, how: RequestSettling, { at, by }: { readonly at: number; readonly by?: string }): void {
    this.#queues.now = at;
    for (const settled of this.#queues.requests.settle(request, { how, by })) this.#queues.end(settled);
  }

  extended(request: string, deadline: number): void {
    const pending = this.#queues.requests.all.find(({ key }) => key === request);
    if (pending !== undefined) pending.deadline = deadline;
  }

  next(at: number): Announcement | undefined {
    this.#pass(at);
    if (this.#speaking !== undefined && this.#speaking.giveUpAt <= at) this.#speaking = undefined;
    const critical = this.#speaking?.announcement.urgency === "critical" ? undefined : chooseCritical(this.#queues, this.#writer, at);
    if (critical !== undefined) return this.#start(critical, at);
    if (this.#speaking !== undefined || at < this.#freeAt) return undefined;
    const ordinary = chooseOrdinary(this.#queues, this.#writer, at);
    return ordinary === undefined ? undefined : this.#start(ordinary, at);
  }

  dueAt(): number | undefined {
    const critical = criticalAt(this.#queues);
    const ordinary = ordinaryAt(this.#queues);
    if (this.#speaking === undefined) return orUndefined(Math.min(critical, Math.max(this.#freeAt, ordinary)));
    const { announcement, giveUpAt } = this.#speaking;
    const interrupting = announcement.urgency === "critical" ? Number.POSITIVE_INFINITY : critical;
    const somethingWaits = Math.min(critical, ordinary) < Number.POSITIVE_INFINITY;
    return orUndefined(Math.min(interrupting, somethingWaits ? giveUpAt : Number.POSITIVE_INFINITY));
  }

  spoken(id: string, at: number): void {
    // It ended just when it was to be interrupted, so it need not be repeated.
    this.#queues.backlog.remove((item) => item.what === "again" && item.announcement.id === id);
    if (this.#speaking?.announcement.id !== id) return;
    this.#speaking = undefined;
    this.#freeAt = Math.max(this.#freeAt, at);
  }

  interrupted(id: string, at: number): void {
    if (this.#speaking?.announcement.id === id) this.#giveBack(at);
  }

  skipped(id: string, at: number): void {
    this.#queues.backlog.remove((item) => item.what === "again" && item.announcement.id === id);
    if (this.#speaking?.announcement.id !== id) return;
    this.#speaking = undefined;
    this.#freeAt = at;
  }

  waiting(at: number): readonly AnnouncedRequest[] {
    this.#pass(at);
    return this.#queues.requests.all.map((pending) => this.#toOpenRequest(pending));
  }

  get unlisted(): number {
    return this.#queues.requests.unlisted;
  }

  missed(at: number): Announcement {
    this.#pass(at);
    // Includes the announcement being spoken.
    if (this.#speaking !== undefined && this.#speaking.announcement.urgency !== "critical") {
      this.#speaking = { ...this.#speaking, giveBack: () => undefined };
    }
    return this.#demand(recapOf(this.#queues), at);
  }

  overview(at: number): Announcement {
    this.#pass(at);
    return this.#demand(overviewOf(this.#queues), at);
  }

  repeat(at: number, back = 0): Announcement | undefined {
    const said = this.#past.at(-1 - back);
    if (said === undefined) return undefined;
    const again: Announcement = { ...said, id: `${said.id}r${++this.#count}`, interrupts: this.#speaking !== undefined, demanded: true };
    if (this.#speaking !== undefined) this.#giveBack(at);
    this.#speak(again, { lane: undefined, giveBack: () => undefined, at });
    return again;
  }

  pastAnnouncements(): readonly Announcement[] {
    return [...this.#past];
  }

  get backlog(): number {
    const { backlog, criticals, outcomes, requests, tracks: lanes, elsewhere } = this.#queues;
    const summaries = lanes.all().some(({ owedSince }) => owedSince !== undefined) || elsewhere.length > 0 ? 1 : 0;
    const states = lanes.all().filter(({ unannounced: untold }) => untold !== undefined).length;
    return (
      backlog.items.length +
      criticals.length +
      Math.min(1, outcomes.length) +
      Math.min(1, requests.unannounced().length) +
      summaries +
      states
    );
  }

  /** A new request by the person replaces the previous one. */
  #demand(draft: AnnouncementDraft, at: number): Announcement {
    if (this.#speaking?.announcement.demanded === true) this.#speaking = { ...this.#speaking, giveBack: () => undefined };
    return this.#start({ draft }, at, true);
  }

  #pass(at: number): void {
    this.#queues.now = at;
    this.#hearing.pass(at);
    this.#queues.foldStale(at);
  }

  #start(chosen: ChosenAnnouncement, at: number, demanded = false): Announcement {
    const interrupts = this.#speaking !== undefined;
    if (interrupts) this.#giveBack(at);
    const isAgain = "again" in chosen;
    const announcement = isAgain
      ? { ...chosen.again, interrupts }
      : toAnnouncement(chosen.draft, `a${++this.#count}`, { interrupts, demanded, at });
    const lane = isAgain ? chosen.lane : chosen.draft.lanes.length === 1 ? chosen.draft.lanes[0] : undefined;
    this.#past = [...this.#past.filter(({ id }) => id !== announcement.id), announcement].slice(-HISTORY);
    this.#speak(announcement, { lane, giveBack: isAgain ? undefined : chosen.giveBack, at });
    return announcement;
  }

  #speak(announcement: Announcement, { lane, giveBack, at }: Pick<Speaking, "lane" | "giveBack"> & { readonly at: number }): void {
    const durationMs = (announcement.words * MINUTE_MS) / this.settings.paceWpm;
    this.#freeAt = Math.max(this.#freeAt, at) + durationMs;
    this.#speaking = { announcement, lane, giveBack, giveUpAt: at + PATIENT * durationMs + PATIENCE_MS };
  }

  /** Puts an interrupted announcement back, before later ones. */
  #giveBack(at: number): void {
    if (this.#speaking === undefined) return;
    const { announcement, lane, giveBack } = this.#speaking;
    this.#speaking = undefined;
    const { about } = announcement;
    if (giveBack !== undefined) giveBack();
    else if (about === "started" && lane?.ended !== undefined)
      return; // it has ended meanwhile
    else
      this.#queues.backlog.add({
        what: "again",
        announcement,
        lane,
        about,
        urgency: "normal",
        worth: 6,
        order: 0,
        at: announcement.heardAt,
        readyAt: at,
      });
  }

  #toOpenRequest(pending: PendingRequest): AnnouncedRequest {
    const { key, lane, activity, at, deadline, isAnnounced: told } = pending;
    const { segments } = this.#writer.request(pending);
    const { session, agent, eventId } = activity;
    const token = activity.kind === "request.asked" ? activity.token : undefined;
    const choices = activity.kind === "request.asked" ? activity.choices : undefined;
    return {
      key,
      session,
      agent,
      from: speakerLabelOf(lane, this.#queues.phrases, activity),
      kind: activity.kind === "request.asked" ? activity.request : activity.kind === "handoff" ? "handoff" : "permission",
      ...(token === undefined ? {} : { token }),
      ...(eventId === undefined ? {} : { eventId }),
      segments,
      text: segments.map(({ text }) => text).join(" "),
      ...(choices === undefined ? {} : { choices }),
      askedAt: at,
      ...(deadline === undefined ? {} : { deadline }),
      isAnnounced: told,
    };
  }
}

function orUndefined(time: number): number | undefined {
  return time === Number.POSITIVE_INFINITY ? undefined : time;
}

/** The states of all sessions active since the last recap, which counts as announcing them. */
function recapOf(room: AnnouncementQueues): AnnouncementDraft {
  const { tracks: lanes, phrases, requests, elsewhere } = room;
  const entries: DigestEntry[] = [];
  for (const lane of lanes.all()) {
    const open = requests.countOf(lane);
    if (lane.isNew || open > 0) entries.push({ lane, requests: open, tally: lane.recap, stands: true });
    lane.recap = NOTHING_TALLIED;
    lane.isNew = false;
    markAllAnnounced(lane);
    for (const output of lane.outputs) output.abandon();
  }
  room.backlog.remove(() => true);
  room.moreNotices = 0;
  room.elsewhere = [];
  if (entries.length === 0 && elsewhere.length === 0) return plain(phrases.nothingNew, phrases.language);
  return composeDigest(entries, phrases, { about: "overview", more: false, elsewhere });
}

/** Waiting and running sessions. */
function overviewOf({ tracks: lanes, phrases, requests }: AnnouncementQueues): AnnouncementDraft {
  const entries = lanes
    .all()
    .map((lane): DigestEntry => ({ lane, requests: requests.countOf(lane), tally: NOTHING_TALLIED, stands: true }))
    .filter((entry) => entry.lane.ended === undefined || entry.requests > 0);
  if (entries.length === 0) return plain(phrases.nobodyRuns, phrases.language);
  return composeDigest(entries, phrases, { about: "overview", more: false, elsewhere: [] });
}

function plain(text: string, language: string): AnnouncementDraft {
  return { about: "overview", urgency: "normal", segments: [{ text, language }], lanes: [] };
}
