import type { Activity } from "@earshot/protocol/activities";
import type { Parentage } from "./api.ts";
import { shorten } from "./bounded.ts";
import { type EntryPlace, isAfter, laterPlace, type ViewEntry } from "./ledger-reading.ts";
import { openSpend, type Spend } from "./spend.ts";

/**
 * The known facts about one session of any protocol: a plain JSON value of bounded size, changed in place. Every entry is folded once, in
 * order of position. Because posts may travel on parallel connections and the end of a session may arrive before its start, each fact has
 * a place, and the later place counts.
 */
export interface SessionFold {
  verified: boolean;
  events: number;
  firstPosition: number;
  lastPosition: number;
  firstHeardAt: number;
  lastHeardAt: number;
  /** By the agent's clock. */
  firstMs: number | null;
  lastMs: number | null;
  /** The lowest and highest sequence number, and their count. */
  firstSequence: number | null;
  lastSequence: number | null;
  numbered: number;
  readonly agents: string[];
  model: string | null;
  workspace: string | null;
  conversation: string | null;
  goal: (EntryPlace & { readonly text: string }) | null;
  /** The first prompt, shown as the goal when the session names none. */
  prompt: (EntryPlace & { readonly text: string }) | null;
  opened: EntryPlace | null;
  /** Entries that arrived before the session's start. */
  eventsBeforeOpened: number;
  closed: (EntryPlace & { readonly outcome: SessionOutcome; readonly receivedAt: number }) | null;
  /** The last event other than the end. */
  said: EntryPlace | null;
  /** The last event that shows activity. */
  worked: EntryPlace | null;
  /** Whether it has sent a heartbeat, which lowers the silence limit. */
  beats: boolean;
  /** The last report of being idle or waiting. */
  pause: (EntryPlace & { readonly word: "idle" | "waiting" }) | null;
  parent: (EntryPlace & Omit<Parentage, "key">) | null;
  calls: number;
  failedCalls: number;
  errors: number;
  prompts: number;
  alerts: number;
  flags: number;
  /** By rule; bounded by the number of rules in the catalogue. */
  readonly rules: Record<string, [severity: "error" | "warning" | "info", count: number, first: number, last: number]>;
  readonly spend: Spend;
  spendEvents: number;
  lastSummary: (EntryPlace & { readonly text: string }) | null;
}

export type SessionOutcome = "completed" | "failed" | "cancelled" | "timeout" | "ended";

const MAX_AGENTS = 8;
const MAX_RULES = 500;
const MAX_NAME = 256;
const MAX_GOAL = 4000;
const MAX_SUMMARY = 300;

export function openSessionFold(): SessionFold {
  return {
    verified: true,
    events: 0,
    firstPosition: 0,
    lastPosition: 0,
    firstHeardAt: 0,
    lastHeardAt: 0,
    firstMs: null,
    lastMs: null,
    firstSequence: null,
    lastSequence: null,
    numbered: 0,
    agents: [],
    model: null,
    workspace: null,
    conversation: null,
    goal: null,
    prompt: null,
    opened: null,
    eventsBeforeOpened: 0,
    closed: null,
    said: null,
    worked: null,
    beats: false,
    pause: null,
    parent: null,
    calls: 0,
    failedCalls: 0,
    errors: 0,
    prompts: 0,
    alerts: 0,
    flags: 0,
    rules: {},
    spend: openSpend(),
    spendEvents: 0,
    lastSummary: null,
  };
}

/** Folds an entry and its activities, apart from calls, outputs and amounts, which have tables of their own. */
export function foldEntry(fold: SessionFold, entry: ViewEntry, id: string): void {
  foldEnvelope(fold, entry);
  for (const activity of entry.activities) foldActivity(fold, activity, entry, id);
}

/** The end of the session, unless it was started again afterwards. */
export function sessionEndOf({ closed, opened }: SessionFold): SessionFold["closed"] {
  return closed !== null && opened !== null && isAfter(opened, closed) ? null : closed;
}

function foldEnvelope(fold: SessionFold, entry: ViewEntry): void {
  fold.events++;
  if (!entry.verified) fold.verified = false;
  if (fold.firstPosition === 0) {
    fold.firstPosition = entry.position;
    fold.firstHeardAt = entry.receivedAt;
  }
  fold.lastPosition = entry.position;
  if (entry.receivedAt > fold.lastHeardAt) fold.lastHeardAt = entry.receivedAt;
  if (entry.ms !== null) {
    if (fold.firstMs === null || entry.ms < fold.firstMs) fold.firstMs = entry.ms;
    if (fold.lastMs === null || entry.ms > fold.lastMs) fold.lastMs = entry.ms;
  }
  if (entry.sequence !== null) {
    fold.numbered++;
    fold.firstSequence = Math.min(fold.firstSequence ?? entry.sequence, entry.sequence);
    fold.lastSequence = Math.max(fold.lastSequence ?? entry.sequence, entry.sequence);
  }
  // An answer to an event is not sent by an agent.
  if (entry.kind === "event" && fold.agents.length < MAX_AGENTS) {
    const agent = shorten(entry.agent, MAX_NAME);
    if (agent !== "" && !fold.agents.includes(agent)) fold.agents.push(agent);
  }
  for (const { rule, severity, at } of entry.flags) {
    fold.flags++;
    if (rule === undefined) continue;
    const known = fold.rules[rule];
    const position = at ?? entry.position;
    if (known === undefined) {
      if (Object.keys(fold.rules).length < MAX_RULES) fold.rules[rule] = [severity, 1, position, position];
      continue;
    }
    known[1]++;
    known[2] = Math.min(known[2], position);
    known[3] = Math.max(known[3], position);
  }
}

function foldActivity(fold: SessionFold, activity: Activity, entry: ViewEntry, id: string): void {
  const { sequence, ms, position } = entry;
  const place: EntryPlace = { sequence, ms, position };
  if (activity.model !== undefined) fold.model = shorten(activity.model, MAX_NAME);
  if (activity.workspace !== undefined) fold.workspace = shorten(activity.workspace, MAX_GOAL);
  if (activity.conversation !== undefined) fold.conversation ??= activity.conversation.slice(0, MAX_NAME);
  foldParent(fold, activity, place, id);
  if (entry.kind === "event" && activity.kind !== "session.closed") fold.said = laterPlace(fold.said, place);
  if (isWork(activity)) fold.worked = laterPlace(fold.worked, place);
  const summary = summaryOf(activity);
  if (summary !== undefined && (fold.lastSummary === null || isAfter(place, fold.lastSummary))) {
    fold.lastSummary = { ...place, text: shorten(summary, MAX_SUMMARY) };
  }
  foldKind(fold, activity, entry, place);
}

function foldKind(fold: SessionFold, activity: Activity, entry: ViewEntry, place: EntryPlace): void {
  switch (activity.kind) {
    case "session.opened":
      if (fold.opened === null) fold.eventsBeforeOpened = fold.events - 1;
      fold.opened = laterPlace(fold.opened, place);
      if (activity.goal !== undefined) fold.goal = firstGoal(fold.goal, activity.goal, place);
      break;
    case "session.closed":
      if (fold.closed === null || isAfter(place, fold.closed)) {
        const { outcome } = activity;
        fold.closed = { ...place, outcome: outcome === "unknown" ? "ended" : outcome, receivedAt: entry.receivedAt };
      }
      break;
    case "turn.ended":
      foldPause(fold, "idle", place);
      break;
    case "heartbeat":
      fold.beats = true;
      foldPause(fold, pauseOfState(activity.status ?? ""), place);
      break;
    case "state":
      foldPause(fold, pauseOfState(activity.to), place);
      break;
    case "goal":
      // Only when the start names no goal: a later one is one of several.
      if (fold.goal === null && activity.text !== "") fold.goal = firstGoal(null, activity.text, place);
      break;
    case "prompt":
      fold.prompts++;
      if (activity.text !== "") fold.prompt = firstGoal(fold.prompt, activity.text, place);
      break;
    case "error":
      fold.errors++;
      break;
  }
}

function firstGoal(known: SessionFold["goal"], text: string, place: EntryPlace): SessionFold["goal"] {
  return known === null || isAfter(known, place) ? { ...place, text: shorten(text, MAX_GOAL) } : known;
}

/** A session that names itself as its parent has none. Of several parents, the first counts. */
function foldParent(fold: SessionFold, { parent, type }: Activity, place: EntryPlace, id: string): void {
  if (parent === undefined || parent.session === "" || parent.session === id) return;
  if (fold.parent !== null && !isAfter(fold.parent, place)) return;
  const relation = parent.relation ?? "subagent";
  fold.parent = { ...place, id: parent.session.slice(0, MAX_NAME), relation, inferred: false, because: `its own ${type} names it` };
}

function foldPause(fold: SessionFold, word: "idle" | "waiting" | undefined, place: EntryPlace): void {
  if (fold.pause !== null && !isAfter(place, fold.pause)) return;
  fold.pause = word === undefined ? null : { ...place, word };
}

/** Maps an agent's state word; undefined for a state in which it works. */
export function pauseOfState(state: string): "idle" | "waiting" | undefined {
  if (/wait|await|blocked|paused/i.test(state)) return "waiting";
  return /^(?:idle|ready|done|stopped|sleeping)$/i.test(state) ? "idle" : undefined;
}

const AT_WORK: ReadonlySet<Activity["kind"]> = new Set([
  "turn.started",
  "progress",
  "thought",
  "decision",
  "uncertainty",
  "prompt",
  "response",
  "output.chunk",
  "tool.requested",
  "tool.started",
  "tool.ended",
  "subagent.started",
  "subagent.ended",
  "memory",
  "external.call",
  "plan",
]);

function isWork({ kind }: Activity): boolean {
  return AT_WORK.has(kind);
}

/** A one-line summary, in the agent's own words if it has some. */
function summaryOf(activity: Activity): string | undefined {
  if (activity.summary !== undefined && activity.summary !== "") return activity.summary;
  switch (activity.kind) {
    case "thought":
    case "decision":
    case "uncertainty":
    case "prompt":
    case "response":
    case "notification":
    case "goal":
      return activity.text === "" ? undefined : activity.text;
    case "tool.requested":
    case "tool.started":
      return activity.tool === "" ? undefined : `${activity.tool}${activity.subject === undefined ? "" : ` ${activity.subject}`}`;
    case "tool.ended":
      return activity.error ?? activity.result;
    case "error":
      return activity.message === "" ? undefined : activity.message;
    case "request.asked":
      return activity.prompt === "" ? undefined : activity.prompt;
    default:
      return undefined;
  }
}
