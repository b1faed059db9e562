import type { StoryItem } from "@earshot/hub";
import type { Activity } from "@earshot/protocol/activities";

/** One row of the timeline. */
export interface TimelineRow {
  /** Unique per row: an entry may produce several rows. */
  readonly key: string;
  readonly item: StoryItem;
  readonly at: number;
  /** Number of equal heartbeats merged into this row. */
  readonly times: number;
}

/** A prompt and everything that it caused. */
export interface Turn {
  readonly key: string;
  /** Undefined if the number of preceding turns is unknown. */
  readonly number: number | undefined;
  readonly title: string | undefined;
  /** The title contains the whole prompt. */
  readonly isWhole: boolean;
  /** The turn starts before the displayed part. */
  readonly isRest: boolean;
  readonly rows: readonly TimelineRow[];
}

export function toTimelineRows(items: readonly StoryItem[]): readonly TimelineRow[] {
  const rows: TimelineRow[] = [];
  let [last, count] = [-1, 0];
  for (const item of items) {
    count = item.position === last ? count + 1 : 0;
    last = item.position;
    const before = rows.at(-1);
    if (before !== undefined && isSameBeat(before.item, item)) {
      rows[rows.length - 1] = { ...before, times: before.times + 1 };
      continue;
    }
    rows.push({ key: count === 0 ? `${item.position}` : `${item.position}.${count}`, item, at: timeOfActivity(item), times: 1 });
  }
  return rows;
}

/** Returns the time by the agent's clock, which is also correct for imported events; otherwise the hub's. */
export function timeOfActivity({ activity, receivedAt }: Pick<StoryItem, "activity" | "receivedAt">): number {
  const said = activity.at === undefined ? Number.NaN : Date.parse(activity.at);
  return Number.isNaN(said) ? receivedAt : said;
}

function isSameBeat(one: StoryItem, other: StoryItem): boolean {
  if (one.activity.kind !== "heartbeat" || other.activity.kind !== "heartbeat") return false;
  const isNoted = [one, other].some(({ flags, alerts }) => flags.length > 0 || alerts.length > 0);
  return !isNoted && one.activity.status === other.activity.status && one.activity.goal === other.activity.goal;
}

export interface TurnsOptions {
  readonly isFirst: boolean;
  /** Goal of the session, for one without prompts. */
  readonly goal: string | undefined;
  /** Number of the first displayed prompt, if known. */
  readonly firstNumber: number | undefined;
}

/** Kinds that precede the first prompt and belong to its turn rather than to a turn of their own. */
const OPENING: ReadonlySet<Activity["kind"]> = new Set(["session.opened", "turn.started", "state", "heartbeat", "workspace.changed"]);

export function toTurns(rows: readonly TimelineRow[], { isFirst, goal, firstNumber }: TurnsOptions): readonly Turn[] {
  const starts = rows.flatMap(({ item }, index) => (isPrompt(item) ? [index] : []));
  const [start] = starts;
  if (start === undefined) {
    const title = goal === undefined ? undefined : titleOf(goal);
    return rows.length === 0
      ? []
      : [
          {
            key: "only",
            number: isFirst ? 1 : undefined,
            title: title?.text,
            isWhole: title?.isWhole ?? false,
            isRest: !isFirst,
            rows,
          },
        ];
  }
  const before = rows.slice(0, start);
  const isOpening = isFirst && before.every(({ item }) => OPENING.has(item.activity.kind) && item.alerts.length === 0);
  const turns = starts.map((index, count): Turn => {
    const first = count === 0 && isOpening ? 0 : index;
    const prompt = rows[index]?.item.activity;
    const { text, isWhole } = titleOf(prompt?.kind === "prompt" ? prompt.text : "");
    return {
      key: rows[index]?.key ?? String(index),
      number: firstNumber === undefined ? undefined : firstNumber + count,
      title: text === "" ? undefined : text,
      isWhole,
      isRest: false,
      rows: rows.slice(first, starts[count + 1] ?? rows.length),
    };
  });
  if (isOpening || before.length === 0) return turns;
  const number = firstNumber === undefined || isFirst ? undefined : firstNumber - 1;
  return [{ key: "before", number, title: undefined, isWhole: false, isRest: !isFirst, rows: before }, ...turns];
}

function isPrompt({ activity, continues }: StoryItem): boolean {
  return activity.kind === "prompt" && continues === undefined;
}

const MAX_HEADING_CHARACTERS = 90;

/** Returns the first line of a prompt, shortened to fit a heading. */
function titleOf(prompt: string): { readonly text: string; readonly isWhole: boolean } {
  const all = prompt.trim();
  const first = all.split("\n", 1)[0]?.trim() ?? "";
  // A markdown heading marker is dropped; other markers may be meant literally and stay.
  const line = first.replace(/^#{1,6}\s+/, "");
  if (line.length <= MAX_HEADING_CHARACTERS) return { text: line, isWhole: first === all };
  const cut = line.slice(0, MAX_HEADING_CHARACTERS);
  return { text: `${cut.slice(0, Math.max(cut.lastIndexOf(" "), MAX_HEADING_CHARACTERS - 20))} …`, isWhole: false };
}

/** "Turn 3: Mend the tests". */
export function turnHeadingOf({ number, title, isRest }: Turn): string {
  const turn =
    number === undefined ? (isRest ? "Earlier turn" : title === undefined ? "Before the first prompt" : "Turn") : `Turn ${number}`;
  return `${turn}${isRest ? ", continued" : ""}${title === undefined ? "" : `: ${title}`}`;
}
