import type { StoryItem } from "@earshot/hub";
import { agentName as agentNameOf, formatClock, formatCount, formatDuration, formatMoment } from "@earshot/narrate";
import { sayItem } from "@earshot/terminal/narration-lines";
import { plainText } from "@earshot/terminal/plain-text";
import { type Layout, layOut } from "@earshot/terminal/saying";

/** A pause worth its own line. */
const PAUSE_MS = 60_000;
/** Beyond this the day is shown as well. */
const DAY_MS = 86_400_000;

/** Already shown before the story. */
interface Known {
  readonly now: number;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly workspace?: string | undefined;
}

/**
 * Prints items in order and remembers what was shown: a change of agent, folder or model is shown once, a pause gets a line, and
 * heartbeats without news are counted.
 */
export class StoryTeller {
  readonly #layout: Layout;
  readonly #now: number;
  #agent: string | undefined;
  readonly #known = new Map<string, string>();
  #at: number | undefined;
  #state: string | undefined;
  #beats: { readonly last: StoryItem; readonly times: number; readonly since: number } | undefined;

  constructor(layout: Layout, { now, agent, model, workspace }: Known) {
    this.#layout = layout;
    this.#now = now;
    this.#agent = agent;
    if (model !== undefined) this.#known.set("Model", model);
    if (workspace !== undefined) this.#known.set("Workspace", workspace);
  }

  /** The lines of the next item; none yet for a heartbeat, because more may follow. */
  tell(item: StoryItem): readonly string[] {
    const { kind } = item.activity;
    if (kind === "heartbeat" && item.flags.length === 0 && item.alerts.length === 0 && !this.#layout.full) {
      const beats = this.#beats;
      if (beats !== undefined && isSameBeat(beats.last, item)) {
        this.#beats = { last: item, times: beats.times + 1, since: beats.since };
        return [];
      }
      const before = this.finish();
      this.#beats = { last: item, times: 1, since: momentOf(item) };
      return before;
    }
    return [...this.finish(), ...this.#tellNow(item, [])];
  }

  /** The remaining lines. */
  finish(): readonly string[] {
    const beats = this.#beats;
    this.#beats = undefined;
    if (beats === undefined) return [];
    const { last, times, since } = beats;
    const often = times === 1 ? [] : [formatCount(times, "time"), `since ${formatClock(since)}`];
    return this.#tellNow(last, often);
  }

  #tellNow(item: StoryItem, remarks: readonly string[]): readonly string[] {
    const saying = sayItem(this.#withoutKnownState(item), { notes: this.#layout.full });
    // It is only repeated for its notices, which are not wanted.
    if (item.continues !== undefined && (saying.below ?? []).length === 0) return [];
    const isHeading = saying.tone === "heading";
    const pause = this.#pauseBefore(item);
    const changes = this.#changesIn(item);
    const time = item.activity.kind === "prompt" && pause.length === 0 ? [formatClock(momentOf(item))] : [];
    return [
      ...(isHeading ? [""] : []),
      ...pause,
      ...changes,
      ...layOut({ ...saying, remarks: [...time, ...remarks, ...(saying.remarks ?? [])] }, item.position, this.#layout),
    ];
  }

  /** The previous state is only worth showing if it differs from the last one shown. */
  #withoutKnownState(item: StoryItem): StoryItem {
    const { activity } = item;
    if (activity.kind !== "state") return item;
    const { from, ...rest } = activity;
    const isKnown = from === this.#state;
    this.#state = activity.to;
    return isKnown ? { ...item, activity: rest } : item;
  }

  #pauseBefore(item: StoryItem): readonly string[] {
    const at = momentOf(item);
    const gap = this.#at === undefined ? 0 : at - this.#at;
    const isFirst = this.#at === undefined;
    this.#at = at;
    if (isFirst) return [`${atInWords(at, this.#now)}:`];
    if (gap < PAUSE_MS) return [];
    return [`${formatDuration(gap)} later, ${gap < DAY_MS ? `at ${formatClock(at)}` : `on ${formatMoment(at, this.#now)}`}:`];
  }

  #changesIn({ activity }: StoryItem): readonly string[] {
    const { agent, agentName, workspace, model, kind } = activity;
    const lines: string[] = [];
    // An answer may have no named sender.
    if (this.#agent !== agent && agent !== "") {
      const own = agentNameOf(agent, agentName);
      const name = agentName === undefined || agentName === own ? own : `${own}, which calls itself ${agentName}`;
      if (this.#agent !== undefined) lines.push(`Now speaks: ${plainText(name)}`);
      this.#agent = agent;
    }
    for (const [label, value] of Object.entries({ Model: model, Workspace: workspace })) {
      if (value === undefined || this.#known.get(label) === value || (label === "Workspace" && kind === "workspace.changed")) continue;
      this.#known.set(label, value);
      lines.push(`${label}: ${plainText(value)}`);
    }
    return lines;
  }
}

/** `At 14:02:11`, `On 15 November 2026 at 14:02:11`. */
function atInWords(at: number, now: number): string {
  const moment = formatMoment(at, now);
  return moment.includes(" at ") ? `On ${moment}` : `At ${moment}`;
}

/** By the agent's own clock, which is right for imports as well; otherwise by the hub's. */
export function momentOf({ activity, receivedAt }: StoryItem): number {
  const said = activity.at === undefined ? Number.NaN : Date.parse(activity.at);
  return Number.isNaN(said) ? receivedAt : said;
}

function isSameBeat({ activity: one }: StoryItem, { activity: other }: StoryItem): boolean {
  return one.kind === "heartbeat" && other.kind === "heartbeat" && one.status === other.status && one.goal === other.goal;
}
