import type { Waiting } from "./backlog.ts";
import type { Candidate, Chosen } from "./chosen.ts";
import { digestOf, type Entry } from "./digest.ts";
import { type Lane, tellAll } from "./lane.ts";
import { isNothing } from "./tally.ts";
import type { WaitingRoom } from "./waiting-room.ts";

/** How long a summary waits for the rest of what it sums up. */
const GATHER_MS = 20_000;

/** What is told as it goes is summed up when nothing else of it waits; the rest from time to time. */
export function digestAt(lane: Lane, room: WaitingRoom): number {
  if (lane.owedSince === undefined) return Number.POSITIVE_INFINITY;
  if (isThinned(lane, room)) return lane.owedSince + room.settings.digestMs;
  return lane.owedSince + (room.backlog.has(lane) ? GATHER_MS : 0);
}

function isThinned(lane: Lane, { settings, lanes }: WaitingRoom): boolean {
  return settings.load === "low" || !lanes.isAudible(lane, settings);
}

/** Once some are summed up, all are of which little is heard otherwise: one line for all of them. */
export function chooseDigest(room: WaitingRoom, at: number): Candidate | undefined {
  const { elsewhere, elsewhereSince, settings } = room;
  const owed = room.lanes.all().filter(({ owedSince }) => owedSince !== undefined);
  const due = owed.filter((lane) => digestAt(lane, room) <= at);
  const isElsewhereDue = elsewhere.length > 0 && elsewhereSince + settings.digestMs <= at;
  if (due.length === 0 && !isElsewhereDue) return undefined;
  const isThinnedDue = due.some((lane) => isThinned(lane, room));
  const lanes = owed.filter((lane) => due.includes(lane) || (isThinnedDue && isThinned(lane, room)));
  const isNews = lanes.some(({ tally, ended, owed: stands }) => tally.failures > 0 || (stands && ended !== undefined));
  const waiting: Waiting = {
    urgency: isNews ? "normal" : "background",
    at: Math.min(...lanes.map(({ owedSince = at }) => owedSince), isElsewhereDue ? elsewhereSince : at),
    order: Math.min(...lanes.map(({ owedOrder }) => owedOrder), Number.MAX_SAFE_INTEGER),
  };
  return { waiting, tell: () => tellDigest(room, lanes) };
}

function tellDigest(room: WaitingRoom, lanes: readonly Lane[]): Chosen {
  const { requests, phrases, elsewhere } = room;
  const more = !lanes.some((lane) => isThinned(lane, room));
  const entries = lanes.map(
    (lane): Entry => ({ lane, requests: requests.countOf(lane), tally: lane.tally, stands: lane.owed || isNothing(lane.tally) }),
  );
  const draft = digestOf(entries, phrases, { about: "digest", more, elsewhere });
  for (const { lane, stands } of entries) {
    const { untold, toldState } = lane;
    tellAll(lane);
    // Only a summary that says where the session stands tells its state.
    if (!stands) Object.assign(lane, { untold, toldState });
  }
  room.elsewhere = [];
  return { draft };
}
