import { type ActivityTally, cutText, type SessionStanding } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";
import type { OutputBuffer } from "./output-buffer.ts";
import type { AnnouncerSettings, Mute } from "./settings.ts";
import { NOTHING_TALLIED } from "./tally.ts";

type Outcome = Extract<Activity, { kind: "session.closed" }>["outcome"];

/** The known facts of one session and its unannounced ones: of bounded size, changed in place. */
export interface SessionTrack {
  readonly key: string;
  readonly session: string;
  agent: string;
  agentName: string;
  workspace: string | undefined;
  parent: string | undefined;
  heardAt: number;
  ended: Outcome | undefined;
  /** The last reported and the last announced state; a flicker in between is not announced. */
  state: string | undefined;
  announcedState: string | undefined;
  /** The activity that announces the state; undefined when there is none. */
  unannounced: Activity | undefined;
  stateAt: number;
  unannouncedSince: number;
  order: number;
  progressToldAt: number;
  /** Whether a summary must include the state, because it was not announced. */
  owed: boolean;
  tally: ActivityTally;
  /** Since when something awaits a summary; undefined when nothing does. */
  owedSince: number | undefined;
  owedOrder: number;
  /** Everything since the person last asked for a recap. */
  recap: ActivityTally;
  isNew: boolean;
  outputs: OutputBuffer[];
  /** Parts of an unnamed output were announced; the following answer repeats them. */
  hasStreamed: boolean;
  /** Calls whose start was seen. */
  readonly calls: Set<string>;
}

/** Identifies a session of a protocol. */
export function trackKey({ protocol, session }: Activity): string {
  return `${protocol}:${session}`;
}

export function openTrack(key: string, activity: Activity, order: number): SessionTrack {
  return {
    key,
    session: activity.session,
    agent: activity.agent,
    agentName: activity.agentName ?? activity.agent,
    workspace: activity.workspace,
    parent: activity.parent?.session,
    heardAt: 0,
    ended: undefined,
    state: undefined,
    announcedState: undefined,
    unannounced: undefined,
    stateAt: 0,
    unannouncedSince: 0,
    order,
    progressToldAt: Number.NEGATIVE_INFINITY,
    owed: false,
    tally: NOTHING_TALLIED,
    owedSince: undefined,
    owedOrder: order,
    recap: NOTHING_TALLIED,
    isNew: false,
    outputs: [],
    hasStreamed: false,
    calls: new Set(),
  };
}

/** Updates the facts that every activity may report about its session. */
export function updateTrack(lane: SessionTrack, activity: Activity, at: number): void {
  lane.heardAt = at;
  if (activity.agent !== "") lane.agent = activity.agent;
  lane.agentName = activity.agentName ?? (activity.agent === "" ? lane.agentName : activity.agent);
  lane.workspace = activity.workspace ?? lane.workspace;
  if (activity.parent !== undefined && activity.parent.session !== lane.session) lane.parent = activity.parent.session;
}

/** Marks counted activities as announced. The state may have changed since. */
export function markCountedAnnounced(lane: SessionTrack): void {
  lane.tally = NOTHING_TALLIED;
  if (!lane.owed) lane.owedSince = undefined;
}

/** Marks everything about the session as announced. */
export function markAllAnnounced(lane: SessionTrack): void {
  lane.tally = NOTHING_TALLIED;
  lane.owed = false;
  lane.owedSince = undefined;
  lane.unannounced = undefined;
  lane.announcedState = lane.state;
}

export function trackStandingOf({ ended, state }: SessionTrack, requests: number): SessionStanding {
  if (requests > 0) return { is: "waiting", requests };
  if (ended !== undefined) return { is: "ended", outcome: ended };
  return state === undefined ? { is: "running" } : { is: "at", state };
}

const AGENT_CHARACTERS = 14;
const PROJECT_CHARACTERS = 12;

/** Short enough that a verb still fits into the first 40 characters. */
export function shortAgent({ agentName }: Pick<SessionTrack, "agentName">): string {
  return shorten(agentName === "" ? "Agent" : agentName, AGENT_CHARACTERS);
}

export function shortProject({ workspace }: Pick<SessionTrack, "workspace">): string | undefined {
  const name = projectOf(workspace);
  return name === undefined ? undefined : shorten(name, PROJECT_CHARACTERS);
}

function shorten(name: string, characters: number): string {
  const plain = cutText(name, 200)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return plain.length <= characters ? plain : `${cutText(plain, characters - 1).trimEnd()}…`;
}

/** The name of the session's working folder. */
export function projectOf(workspace: string | undefined): string | undefined {
  return workspace?.split(/[/\\]/).findLast((part) => part !== "");
}

const DEEPEST = 8;

/** Whether ordinary activities are announced as they happen. */
export function isAudible(
  lane: SessionTrack,
  { quiet, follow, mutes }: AnnouncerSettings,
  parentOf: (session: string) => string | undefined,
): boolean {
  if (quiet) return false;
  if (follow === undefined && mutes.length === 0) return true;
  const family = new Set([lane.session]);
  for (let above = lane.parent; above !== undefined && family.size < DEEPEST && !family.has(above); above = parentOf(above))
    family.add(above);
  if (follow !== undefined && !family.has(follow)) return false;
  return !mutes.some((mute) => isMuted(lane, mute, family));
}

function isMuted(lane: SessionTrack, mute: Mute, family: ReadonlySet<string>): boolean {
  if ("session" in mute) return family.has(mute.session);
  if ("agent" in mute) return lane.agent === mute.agent || lane.agentName === mute.agent;
  return lane.workspace !== undefined && (lane.workspace === mute.project || projectOf(lane.workspace) === mute.project);
}
