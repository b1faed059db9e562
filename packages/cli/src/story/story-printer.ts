import type { StoryItem } from "@earshot/hub";
import { agentName as agentNameOf, type DescriptionWords, isSameDay } from "@earshot/narrate";
import { toItemSaying } from "@earshot/terminal/narration-lines";
import { plainText } from "@earshot/terminal/plain-text";
import { type Layout, layOutItem } from "@earshot/terminal/saying";

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
  readonly wording: DescriptionWords;
}

/**
 * Prints items in order and remembers what was shown: a change of agent, folder or model is shown once, a pause gets a line, and
 * heartbeats without news are counted.
 */
export class StoryPrinter {
  readonly #layout: Layout;
  readonly #now: number;
  readonly #wording: DescriptionWords;
  #agent: string | undefined;
  readonly #known = new Map<string, string>();
  #at: number | undefined;
  #state: string | undefined;
  #beats: { readonly last: StoryItem; readonly times: number; readonly since: number } | undefined;

  constructor(layout: Layout, { now, agent, model, workspace, wording }: Known) {
    this.#layout = layout;
    this.#now = now;
    this.#wording = wording;
    this.#agent = agent;
    if (model !== undefined) this.#known.set("model", model);
    if (workspace !== undefined) this.#known.set("workspace", workspace);
  }

  /** The lines of the next item; none yet for a heartbeat, because more may follow. */
  print(item: StoryItem): readonly string[] {
    const { kind } = item.activity;
    if (kind === "heartbeat" && item.flags.length === 0 && item.alerts.length === 0 && !this.#layout.full) {
      const beats = this.#beats;
      if (beats !== undefined && isSameBeat(beats.last, item)) {
        this.#beats = { last: item, times: beats.times + 1, since: beats.since };
        return [];
      }
      const before = this.finish();
      this.#beats = { last: item, times: 1, since: timeOfItem(item) };
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
    const { sessions } = this.#wording;
    const often = times === 1 ? [] : [sessions.counts.times(times), sessions.since(this.#wording.clock(since))];
    return this.#tellNow(last, often);
  }

  #tellNow(item: StoryItem, remarks: readonly string[]): readonly string[] {
    const saying = toItemSaying(this.#withoutKnownState(item), this.#wording, { notes: this.#layout.full });
    // It is only repeated for its notices, which are not wanted.
    if (item.continues !== undefined && (saying.below ?? []).length === 0) return [];
    const isHeading = saying.tone === "heading";
    const pause = this.#pauseBefore(item);
    const changes = this.#changesIn(item);
    const time = item.activity.kind === "prompt" && pause.length === 0 ? [this.#wording.clock(timeOfItem(item))] : [];
    return [
      ...(isHeading ? [""] : []),
      ...pause,
      ...changes,
      ...layOutItem({ ...saying, remarks: [...time, ...remarks, ...(saying.remarks ?? [])] }, item.position, this.#layout),
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
    const at = timeOfItem(item);
    const gap = this.#at === undefined ? 0 : at - this.#at;
    const isFirst = this.#at === undefined;
    this.#at = at;
    const { sessions } = this.#wording;
    const clock = this.#wording.clock(at);
    const moment = this.#wording.moment(at, this.#now);
    if (isFirst) return [isSameDay(at, this.#now) ? sessions.at(clock) : sessions.on(moment)];
    if (gap < PAUSE_MS) return [];
    const duration = this.#wording.duration(gap);
    return [gap < DAY_MS ? sessions.laterAt(duration, clock) : sessions.laterOn(duration, moment)];
  }

  #changesIn({ activity }: StoryItem): readonly string[] {
    const { agent, agentName, workspace, model, kind } = activity;
    const { sessions } = this.#wording;
    const lines: string[] = [];
    // An answer may have no named sender.
    if (this.#agent !== agent && agent !== "") {
      const own = agentNameOf(agent, agentName);
      const name = agentName === undefined || agentName === own ? own : sessions.callsItself(own, agentName);
      if (this.#agent !== undefined) lines.push(sessions.speaks(plainText(name)));
      this.#agent = agent;
    }
    for (const [name, value] of [
      ["model", model],
      ["workspace", workspace],
    ] as const) {
      if (value === undefined || this.#known.get(name) === value || (name === "workspace" && kind === "workspace.changed")) continue;
      this.#known.set(name, value);
      lines.push(`${sessions.labels[name]}: ${plainText(value)}`);
    }
    return lines;
  }
}

/** By the agent's own clock, which is right for imports as well; otherwise by the hub's. */
export function timeOfItem({ activity, receivedAt }: StoryItem): number {
  const said = activity.at === undefined ? Number.NaN : Date.parse(activity.at);
  return Number.isNaN(said) ? receivedAt : said;
}

function isSameBeat({ activity: one }: StoryItem, { activity: other }: StoryItem): boolean {
  return one.kind === "heartbeat" && other.kind === "heartbeat" && one.status === other.status && one.goal === other.goal;
}
