import { introduce } from "@earshot/narrate";
import type { AnnouncementQueues, CriticalItem } from "./announcement-queues.ts";
import type { AnnouncementWriter } from "./announcement-writer.ts";
import type { ChosenAnnouncement } from "./chosen-announcement.ts";
import { speakerLabelOf } from "./compose.ts";
import { composeDigest, type DigestEntry } from "./digest.ts";
import type { PendingRequest, SettledRequest } from "./open-requests.ts";
import { markCountedAnnounced, type SessionTrack } from "./session-track.ts";
import { NOTHING_TALLIED } from "./tally.ts";

/** Requests within this time are announced together; nobody could answer the first one sooner. */
export const REQUEST_GATHER_MS = 100;

/** When a critical announcement may follow; Infinity if there is none. */
export function criticalAt({ criticals, outcomes, requests, now }: AnnouncementQueues): number {
  const [asked] = requests.unannounced();
  return Math.min(
    criticals[0]?.at ?? Number.POSITIVE_INFINITY,
    asked === undefined ? Number.POSITIVE_INFINITY : asked.at + REQUEST_GATHER_MS,
    outcomes.length > 0 || (asked === undefined && requests.unannouncedUnlisted().length > 0) ? now : Number.POSITIVE_INFINITY,
  );
}

/** Waiting requests and failures in order of arrival, then requests settled before they were announced. */
export function chooseCritical(room: AnnouncementQueues, teller: AnnouncementWriter, at: number): ChosenAnnouncement | undefined {
  const { criticals, outcomes, requests } = room;
  const untold = requests.unannounced();
  const [asked] = untold;
  const [first] = criticals;
  const isAsked = asked !== undefined && asked.at + REQUEST_GATHER_MS <= at;
  if (isAsked && (first === undefined || asked.at <= first.at)) return tellRequests(room, teller, [asked, ...untold.slice(1)]);
  if (first !== undefined) return tellCritical(room, teller, first);
  const [outcome, ...others] = outcomes.splice(0);
  if (outcome !== undefined) return tellOutcomes(room, teller, [outcome, ...others]);
  const uncounted = asked === undefined ? requests.unannouncedUnlisted() : [];
  return uncounted.length === 0 ? undefined : tellUnlisted(room, uncounted);
}

type Some<Value> = readonly [Value, ...Value[]];

/** The first request in full, and the number of requests. */
function tellRequests(room: AnnouncementQueues, teller: AnnouncementWriter, untold: Some<PendingRequest>): ChosenAnnouncement {
  const { requests, phrases } = room;
  const [first] = untold;
  const count = untold.length + requests.tellUnlisted();
  const lanes = [...new Set(untold.map(({ lane }) => lane))];
  const from =
    teller.from(first.lane, first.activity) ?? (lanes.length > 1 ? speakerLabelOf(first.lane, phrases, first.activity) : undefined);
  for (const pending of untold) pending.isAnnounced = true;
  return {
    draft: {
      about: "request",
      urgency: "critical",
      heardAt: first.at,
      segments: introduce(teller.request(first), from, count === 1 ? undefined : phrases.firstOf(count)),
      lanes,
      requests: untold.map(({ key }) => key),
      events: untold.map(({ activity }) => activity.eventId),
      count,
    },
    giveBack: () => {
      for (const pending of untold) pending.isAnnounced = false;
      // Some may have ended meanwhile.
      for (const { settled } of untold) {
        if (settled === undefined) continue;
        room.backlog.remove((item) => item.what === "settled" && item.settled === settled);
        room.end(settled);
      }
    },
  };
}

/** Counts requests of sessions that have too many. */
function tellUnlisted({ requests, phrases }: AnnouncementQueues, lanes: readonly SessionTrack[]): ChosenAnnouncement {
  const entries = lanes.map((lane): DigestEntry => ({ lane, requests: requests.countOf(lane), tally: NOTHING_TALLIED, stands: true }));
  const digest = composeDigest(entries, phrases, { about: "digest", more: true, elsewhere: [] });
  return { draft: { ...digest, about: "request", urgency: "critical", count: requests.tellUnlisted() } };
}

function tellCritical(room: AnnouncementQueues, teller: AnnouncementWriter, critical: CriticalItem): ChosenAnnouncement {
  const { criticals, phrases } = room;
  const { lane, about, content: said, more } = critical;
  criticals.shift();
  const isNotice = "notice" in said;
  const segments = isNotice ? teller.notice(said.notice) : teller.activity(said.activity, lane);
  if (lane !== undefined && !isNotice && said.activity.kind === "session.closed") markCountedAnnounced(lane);
  return {
    draft: {
      about,
      urgency: "critical",
      heardAt: critical.at,
      segments: more === 0 ? segments : [...segments, { text: phrases.more(more), language: phrases.language }],
      lanes: lane === undefined ? [] : [lane],
      events: isNotice ? [] : [said.activity.eventId],
      count: 1 + more,
    },
    giveBack: () => {
      criticals.unshift(critical);
    },
  };
}

function tellOutcomes(room: AnnouncementQueues, teller: AnnouncementWriter, outcomes: Some<SettledRequest>): ChosenAnnouncement {
  const { phrases } = room;
  const [first] = outcomes;
  const count = outcomes.length + room.moreOutcomes;
  const from =
    teller.from(first.pending.lane, first.pending.activity) ?? speakerLabelOf(first.pending.lane, phrases, first.pending.activity);
  room.moreOutcomes = 0;
  return {
    draft: {
      about: "settled",
      urgency: "critical",
      segments: teller.settled(first, from, count === 1 ? undefined : phrases.firstOf(count)),
      lanes: [...new Set(outcomes.map(({ pending }) => pending.lane))],
      requests: outcomes.map(({ pending }) => pending.key),
      events: outcomes.map(({ pending }) => pending.activity.eventId),
      count,
    },
    giveBack: () => {
      room.outcomes.unshift(...outcomes);
    },
  };
}
