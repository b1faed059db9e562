import { hash53 } from "./bounded.ts";
import type { ToolActivityOfCall } from "./call-fold.ts";
import type { ViewEntry } from "./ledger-reading.ts";

/**
 * State for joining parts without an id: a plain value of bounded size. Calls of one tool are assumed to end in the order in which they
 * began. Matching the most recent call would be wrong, because agents run tools in parallel.
 */
export interface JoinState {
  readonly open: OpenCall[];
  /** Ends whose start has not arrived yet. */
  readonly orphans: [tool: number, name: string, ms: number | null][];
  /** The output that pieces without an id belong to. */
  output: string | null;
}

type OpenCall = [tool: number, name: string, started: boolean, event: number];

const MAX_OPEN_CALLS = 64;
const MAX_ORPHANS = 16;
const MAX_ID_CHARACTERS = 200;

export function openJoinState(): JoinState {
  return { open: [], orphans: [], output: null };
}

/** A bounded name for an id within its session. */
export function nameOfId(id: string): string {
  return id.length <= MAX_ID_CHARACTERS ? `i${id}` : `h${id.length}.${hash53(id)}.${hash53([...id].reverse().join(""))}`;
}

/** The name of a call or output without an id: that of its first entry. */
export function nameOfPart(position: number, index: number): string {
  return `n${position}.${index}`;
}

/** The call a part belongs to; undefined for a decision about an unknown call. */
export function callNameOf(joining: JoinState, activity: ToolActivityOfCall, entry: ViewEntry, index: number): string | undefined {
  if (activity.callId !== undefined && activity.callId !== "") return nameOfId(activity.callId);
  const own = nameOfPart(entry.position, index);
  const tool = hash53(activity.tool ?? "");
  const { open } = joining;
  switch (activity.kind) {
    case "tool.decided": {
      const event = hash53(activity.requestEventId ?? "");
      return activity.requestEventId === undefined ? undefined : open.find((one) => one[3] === event)?.[1];
    }
    case "tool.requested":
      return begin(joining, [tool, own, false, hash53(activity.eventId ?? own)]);
    case "tool.started": {
      const requested = open.find((one) => one[0] === tool && !one[2]);
      if (requested !== undefined) {
        requested[2] = true;
        return requested[1];
      }
      const orphan = joining.orphans.findIndex((one) => one[0] === tool && one[2] !== null && entry.ms !== null && entry.ms <= one[2]);
      if (orphan >= 0) return joining.orphans.splice(orphan, 1)[0]?.[1];
      return begin(joining, [tool, own, true, hash53(activity.eventId ?? own)]);
    }
    case "tool.ended": {
      const started = open.findIndex((one) => one[0] === tool && one[2]);
      const oldest = started >= 0 ? started : open.findIndex((one) => one[0] === tool);
      if (oldest >= 0) return open.splice(oldest, 1)[0]?.[1];
      joining.orphans.push([tool, own, entry.ms]);
      if (joining.orphans.length > MAX_ORPHANS) joining.orphans.shift();
      return own;
    }
  }
}

function begin(joining: JoinState, call: OpenCall): string {
  joining.open.push(call);
  if (joining.open.length > MAX_OPEN_CALLS) joining.open.shift();
  return call[1];
}
