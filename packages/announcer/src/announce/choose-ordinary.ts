import type { Segment } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";
import type { AnnouncementQueues } from "./announcement-queues.ts";
import type { AnnouncementWriter } from "./announcement-writer.ts";
import { type BacklogItem, type BacklogOrder, isBefore } from "./backlog.ts";
import type { AnnouncementCandidate, ChosenAnnouncement } from "./chosen-announcement.ts";
import { composeDigest, type DigestEntry } from "./digest.ts";
import { markAllAnnounced, markCountedAnnounced, type SessionTrack } from "./session-track.ts";
import { isNothing } from "./tally.ts";

/** A short-lived state is not announced; one that keeps changing is, after a while. */
const SETTLE_MS = { low: 3000, medium: 3000, high: 500 } as const;
const UNSETTLED_MS = 12_000;

/** When any announcement that is not critical may follow; Infinity if there is none. */
export function ordinaryAt(room: AnnouncementQueues): number {
  const { settings, backlog, tracks: lanes, elsewhere, elsewhereSince } = room;
  if (settings.quiet) return Number.POSITIVE_INFINITY;
  let earliest = elsewhere.length === 0 ? Number.POSITIVE_INFINITY : elsewhereSince + settings.digestMs;
  for (const item of backlog.items) earliest = Math.min(earliest, item.readyAt);
  for (const lane of lanes.all()) {
    earliest = Math.min(earliest, stateAt(lane, room), digestAt(lane, room));
    if (settings.load === "low") continue;
    for (const { unfinishedAt } of lane.outputs) earliest = Math.min(earliest, unfinishedAt ?? earliest);
  }
  return earliest;
}

/** The most urgent of waiting items, states and summaries; among equals the oldest. */
export function chooseOrdinary(room: AnnouncementQueues, teller: AnnouncementWriter, at: number): ChosenAnnouncement | undefined {
  if (room.settings.quiet) return undefined;
  for (;;) {
    const candidates = [chooseItem(room, teller, at), chooseState(room, teller, at), chooseDigest(room, at)];
    const first = candidates.reduce((one, other) => {
      if (one === undefined || other === undefined) return one ?? other;
      return isBefore(other.waiting, one.waiting, at) ? other : one;
    });
    if (first === undefined) return undefined;
    // Without words for it, the next candidate follows.
    const chosen = first.compose();
    if (chosen !== undefined) return chosen;
  }
}

function chooseItem(room: AnnouncementQueues, teller: AnnouncementWriter, at: number): AnnouncementCandidate | undefined {
  const item = room.backlog.first(at);
  return item === undefined ? undefined : { waiting: item, compose: () => tellItem(room, teller, item) };
}

function tellItem(room: AnnouncementQueues, teller: AnnouncementWriter, item: BacklogItem): ChosenAnnouncement | undefined {
  const { lane, about, urgency } = item;
  const base = { about, urgency, lanes: lane === undefined ? [] : [lane], heardAt: item.at };
  room.backlog.remove((other) => other === item);
  switch (item.what) {
    case "again":
      return { again: item.announcement, lane };
    case "notice":
      return { draft: { ...base, segments: teller.notice(item.notice) } };
    case "settled": {
      const { pending } = item.settled;
      const segments = teller.settled(item.settled, teller.from(pending.lane, pending.activity));
      return { draft: { ...base, segments, requests: [pending.key], events: [pending.activity.eventId] } };
    }
    case "output": {
      const segments = item.output.take(room.phrases);
      // The rest follows after other items.
      if (lane !== undefined) room.queueOutput(lane, item.output);
      return segments.length === 0 ? undefined : { draft: { ...base, segments: teller.output(segments, lane, item.output.speaker) } };
    }
    case "activity": {
      const { activity } = item;
      if (lane !== undefined && activity.kind === "progress") lane.progressToldAt = room.now;
      const segments = teller.activity(activity, lane);
      if (segments.length === 0) return undefined;
      const left = lane !== undefined && activity.kind === "session.closed" ? leftOf(room, lane) : [];
      const repeats = room.backlog.remove((other) => other.lane === lane && other.what === "activity" && isSame(other.activity, activity));
      const more = repeats.length === 0 ? [] : [{ text: room.phrases.more(repeats.length), language: room.phrases.language }];
      return { draft: { ...base, segments: [...segments, ...left, ...more], events: [activity.eventId], count: 1 + repeats.length } };
    }
  }
}

/** Whether two activities differ in nothing but ids and times, and so would be announced in the same words. */
function isSame(one: Activity, other: Activity): boolean {
  const words = ({ eventId: _event, ...activity }: Activity) => JSON.stringify({ ...activity, callId: undefined, time: undefined });
  return one.kind === other.kind && words(one) === words(other);
}

/** The unannounced part of a session is announced with its end, and nothing of it afterwards. */
function leftOf(room: AnnouncementQueues, lane: SessionTrack): readonly Segment[] {
  const { phrases } = room;
  room.foldItems((item) => item.lane === lane);
  const counted = isNothing(lane.tally) ? "" : phrases.counted(lane.tally, true);
  markCountedAnnounced(lane);
  return counted === "" ? [] : [{ text: `${counted}.`, language: phrases.language }];
}

function stateAt(lane: SessionTrack, { settings }: AnnouncementQueues): number {
  if (lane.unannounced === undefined) return Number.POSITIVE_INFINITY;
  return Math.min(lane.stateAt + SETTLE_MS[settings.load], lane.unannouncedSince + UNSETTLED_MS);
}

function chooseState(room: AnnouncementQueues, teller: AnnouncementWriter, at: number): AnnouncementCandidate | undefined {
  let earliest: AnnouncementCandidate | undefined;
  for (const lane of room.tracks.all()) {
    if (stateAt(lane, room) > at) continue;
    const waiting: BacklogOrder = { urgency: "background", at: lane.unannouncedSince, order: lane.order };
    if (earliest === undefined || isBefore(waiting, earliest.waiting, at)) earliest = { waiting, compose: () => tellState(teller, lane) };
  }
  return earliest;
}

function tellState(teller: AnnouncementWriter, lane: SessionTrack): ChosenAnnouncement | undefined {
  const { unannounced: untold, announcedState: toldState, state } = lane;
  lane.unannounced = undefined;
  lane.announcedState = state;
  if (untold === undefined) return undefined;
  return {
    draft: { about: "state", urgency: "background", segments: teller.state(untold, lane), lanes: [lane], events: [untold.eventId] },
    giveBack: () => {
      if (lane.ended !== undefined || lane.announcedState !== state || lane.unannounced !== undefined) return;
      lane.announcedState = toldState;
      lane.unannounced = untold;
    },
  };
}

/** How long a summary collects activities. */
const GATHER_MS = 20_000;

/** Progress is summed up when nothing else of its session waits, everything else at intervals. */
function digestAt(lane: SessionTrack, room: AnnouncementQueues): number {
  if (lane.owedSince === undefined) return Number.POSITIVE_INFINITY;
  if (isThinned(lane, room)) return lane.owedSince + room.settings.digestMs;
  return lane.owedSince + (room.backlog.has(lane) ? GATHER_MS : 0);
}

function isThinned(lane: SessionTrack, { settings, tracks: lanes }: AnnouncementQueues): boolean {
  return settings.load === "low" || !lanes.isAudible(lane, settings);
}

/** When one summary is due, all sessions with little news share it. */
function chooseDigest(room: AnnouncementQueues, at: number): AnnouncementCandidate | undefined {
  const { elsewhere, elsewhereSince, settings } = room;
  const owed = room.tracks.all().filter(({ owedSince }) => owedSince !== undefined);
  const due = owed.filter((lane) => digestAt(lane, room) <= at);
  const isElsewhereDue = elsewhere.length > 0 && elsewhereSince + settings.digestMs <= at;
  if (due.length === 0 && !isElsewhereDue) return undefined;
  const isThinnedDue = due.some((lane) => isThinned(lane, room));
  const lanes = owed.filter((lane) => due.includes(lane) || (isThinnedDue && isThinned(lane, room)));
  const isNews = lanes.some(({ tally, ended, owed: stands }) => tally.failures > 0 || (stands && ended !== undefined));
  const waiting: BacklogOrder = {
    urgency: isNews ? "normal" : "background",
    at: Math.min(...lanes.map(({ owedSince = at }) => owedSince), isElsewhereDue ? elsewhereSince : at),
    order: Math.min(...lanes.map(({ owedOrder }) => owedOrder), Number.MAX_SAFE_INTEGER),
  };
  return { waiting, compose: () => tellDigest(room, lanes) };
}

function tellDigest(room: AnnouncementQueues, lanes: readonly SessionTrack[]): ChosenAnnouncement {
  const { requests, phrases, elsewhere } = room;
  const more = !lanes.some((lane) => isThinned(lane, room));
  const entries = lanes.map(
    (lane): DigestEntry => ({ lane, requests: requests.countOf(lane), tally: lane.tally, stands: lane.owed || isNothing(lane.tally) }),
  );
  const draft = composeDigest(entries, phrases, { about: "digest", more, elsewhere });
  for (const { lane, stands } of entries) {
    const { unannounced: untold, announcedState: toldState } = lane;
    markAllAnnounced(lane);
    // Only a summary that includes the session's state counts as announcing it.
    if (!stands) Object.assign(lane, { unannounced: untold, announcedState: toldState });
  }
  room.elsewhere = [];
  return { draft };
}
