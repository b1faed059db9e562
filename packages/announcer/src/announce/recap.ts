import type { Draft } from "./compose.ts";
import { digestOf, type Entry } from "./digest.ts";
import { tellAll } from "./lane.ts";
import { NOTHING_TALLIED } from "./tally.ts";
import type { WaitingRoom } from "./waiting-room.ts";

/** Where everybody stands of whom something was heard since the person last asked. Nothing of it needs telling any more. */
export function recapOf(room: WaitingRoom): Draft {
  const { lanes, phrases, requests, elsewhere } = room;
  const entries: Entry[] = [];
  for (const lane of lanes.all()) {
    const open = requests.countOf(lane);
    if (lane.isNew || open > 0) entries.push({ lane, requests: open, tally: lane.recap, stands: true });
    lane.recap = NOTHING_TALLIED;
    lane.isNew = false;
    tellAll(lane);
    for (const output of lane.outputs) output.abandon();
  }
  room.backlog.remove(() => true);
  room.moreNotices = 0;
  room.elsewhere = [];
  if (entries.length === 0 && elsewhere.length === 0) return plain(phrases.nothingNew, phrases.language);
  return digestOf(entries, phrases, { about: "overview", more: false, elsewhere });
}

/** Who waits and who runs. */
export function overviewOf({ lanes, phrases, requests }: WaitingRoom): Draft {
  const entries = lanes
    .all()
    .map((lane): Entry => ({ lane, requests: requests.countOf(lane), tally: NOTHING_TALLIED, stands: true }))
    .filter((entry) => entry.lane.ended === undefined || entry.requests > 0);
  if (entries.length === 0) return plain(phrases.nobodyRuns, phrases.language);
  return digestOf(entries, phrases, { about: "overview", more: false, elsewhere: [] });
}

function plain(text: string, language: string): Draft {
  return { about: "overview", urgency: "normal", segments: [{ text, language }], lanes: [] };
}
