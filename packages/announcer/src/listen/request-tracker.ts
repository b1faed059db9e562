import { agentName, type ListenerPhrases, listenerPhrases, type RequestPhase } from "@earshot/narrate";
import { type Activity, readActivities } from "@earshot/protocol/activities";
import type { JsonObject } from "@earshot/protocol/json";
import type { SpokenNotice } from "../announce/announcement.ts";
import type { Announcer } from "../announce/announcer.ts";
import type { KnownSources } from "./known-sources.ts";
import { type DescribeWanted, deciderOf, describeBriefly, settlingOf, toAskedActivity } from "./request-activity.ts";
import type { LiveDecision, LiveLedgerEntry, LiveRequest, LiveRequestNews } from "./wire.ts";

type Decided = Extract<Activity, { kind: "tool.decided" }>;

interface Known {
  /** The announcer's key. */
  readonly key: string;
  readonly view: LiveRequest;
}

export interface RequestTrackerPorts {
  readonly announcer: Announcer;
  readonly sources: KnownSources;
  /** The device name under which this listener decides. */
  readonly me: string;
  readonly wants: DescribeWanted;
}

const MAX_REMEMBERED = 512;
/** The language of the hub's sentences. */
const HUBS_OWN = "en";

/** Phrases about an open request and their urgency. */
const MEANWHILE: ReadonlyMap<string, readonly [SpokenNotice["topic"], RequestPhase]> = new Map([
  ["half-time", ["other", "half-time"]],
  ["last-call", ["request", "last-call"]],
  ["unattended", ["other", "unattended"]],
  ["attended", ["request", "attended"]],
]);

/**
 * Joins the ledger's events with the hub's request states for the announcer. An AAEP event asks in its own words; a coding agent only
 * reports what it is about to do, and the hub opens a request for it. Both are identified by the entry's position.
 */
export class RequestTracker {
  readonly #ports: RequestTrackerPorts;
  /** By the position of the asking entry. */
  readonly #keys = new Map<number, string>();
  readonly #known = new Map<string, Known>();
  /** Requests announced before the ledger stream delivered their entry. */
  readonly #early = new Map<number, LiveRequest>();
  /** Ended requests: an earlier query may be answered after the end. */
  readonly #over = new Set<string>();
  /** Tool names by call, because a decision about a call does not name its tool. */
  readonly #tools = new Map<string, string>();
  /** Calls that a request is about. */
  readonly #asked = new Set<string>();
  /** Decided by this listener, who knows the result. */
  readonly #own = new Set<string>();
  #readUpTo = 0;

  constructor(ports: RequestTrackerPorts) {
    this.#ports = ports;
  }

  handle(entry: LiveLedgerEntry, at: number): void {
    const { position } = entry;
    const early = this.#early.get(position);
    const replaces = early?.decision === null && entry.protocol === "aep";
    for (const activity of activitiesOf(entry, this.#phrases)) {
      if (isAsking(activity) && (replaces || this.#keys.has(position))) continue;
      if ("callId" in activity && "tool" in activity && activity.tool !== "") this.#tools.set(callOf(activity), activity.tool ?? "");
      if (replaces && activity.kind === "tool.requested") continue;
      if (activity.kind === "tool.decided" && this.#isTold(activity)) continue;
      this.#handle(activity.kind === "tool.decided" ? this.#withTool(activity) : activity, at);
      if (isAsking(activity)) this.#remember(position, activity, at);
    }
    bound(this.#tools);
    this.heardUpTo(position, at);
  }

  /** No entry up to this position will follow. */
  heardUpTo(position: number, at: number): void {
    this.#readUpTo = Math.max(this.#readUpTo, position);
    for (const [asked, view] of [...this.#early]) if (asked <= this.#readUpTo) this.take(view, at);
  }

  /** Whether the hub has announced the entry's request. */
  isKnown(position: number): boolean {
    return this.#early.has(position);
  }

  /** Updates a request's state from the hub. `isHistory`: it was asked before this page listened. */
  take(view: LiveRequest, at: number, isHistory = false): void {
    const { id, position, decision } = view;
    this.#early.delete(position);
    const key = this.#known.get(id)?.key ?? this.#keys.get(position);
    if (decision !== null) {
      if (key !== undefined) this.#settle(key, decision, at);
      this.#known.delete(id);
      this.#over.add(id);
    } else if (this.#over.has(id)) return;
    else if (key !== undefined) this.#keep(view, key, at);
    else if (isHistory || position <= this.#readUpTo) {
      const asking = this.#named(toAskedActivity(view, this.#ports.wants));
      this.#asked.add(callOf(asking));
      this.#handle(asking, at);
      const own = this.#remember(position, asking, at);
      if (own !== undefined) this.#known.set(id, { key: own, view });
    } else this.#early.set(position, view);
    for (const kept of [this.#early, this.#known, this.#over, this.#asked]) bound(kept);
  }

  /** Handles news about a request. */
  applyNews({ what, text, session }: LiveRequestNews, view: LiveRequest | undefined, at: number): void {
    const meanwhile = MEANWHILE.get(what);
    if (what === "alarm") this.#notice("guard-lost", { text, language: HUBS_OWN }, session, at);
    else if (what === "refused" || what === "control") this.#notice("other", { text, language: HUBS_OWN }, session, at);
    else if (meanwhile !== undefined && view?.decision === null) {
      const [topic, which] = meanwhile;
      const what = describeBriefly(view.card, this.#ports.wants, this.#phrases);
      this.#notice(topic, { text: `${this.#phrases.meanwhile[which]} ${what}`, language: this.#phrases.language }, session, at);
    }
  }

  /** Ids of the open requests. */
  get open(): readonly string[] {
    return [...this.#known.keys()];
  }

  /** An open request by the announcer's key. */
  viewOf(key: string): LiveRequest | undefined {
    for (const known of this.#known.values()) if (known.key === key) return known.view;
    return undefined;
  }

  /** The announcer's key of an open request. */
  keyOf(id: string): string | undefined {
    return this.#known.get(id)?.key;
  }

  /** Whether this listener decided the request with this announcer key. */
  isOwn(key: string): boolean {
    return this.#own.has(key);
  }

  /** A hook's answer is announced through its request, with the decider. */
  #isTold(decision: Decided): boolean {
    return (decision.verdict === "approved" || decision.verdict === "denied") && this.#asked.has(callOf(decision));
  }

  #withTool(decision: Decided): Decided {
    const tool = decision.tool ?? this.#tools.get(callOf(decision));
    return tool === undefined ? decision : { ...decision, tool };
  }

  get #phrases(): ListenerPhrases {
    return listenerPhrases(this.#ports.announcer.settings.language);
  }

  #handle(said: Activity, at: number): void {
    const activity = this.#named(said);
    this.#ports.sources.handle(activity);
    this.#ports.announcer.handle(activity, at);
  }

  /** Uses one agent name everywhere: two names would sound like two agents. */
  #named(activity: Activity): Activity {
    const { agent, session } = activity;
    if (agent === "" && activity.agentName === undefined) return activity;
    const called = activity.agentName ?? this.#ports.sources.nameOf(session, agent);
    return { ...activity, agentName: agentName(agent, called) };
  }

  #notice(topic: SpokenNotice["topic"], words: Pick<SpokenNotice, "text" | "language">, session: string | null, at: number): void {
    const { announcer, sources } = this.#ports;
    const source = sources.find(session);
    announcer.notice(
      {
        topic,
        ...words,
        ...(source === undefined ? {} : { agent: source.agent, session: source.session }),
        ...(source?.project === undefined ? {} : { project: source.project }),
      },
      at,
    );
  }

  #keep(view: LiveRequest, key: string, at: number): void {
    const { id, leftMs, deadlineAt } = view;
    const before = this.#known.get(id);
    this.#known.set(id, { key, view });
    if (before !== undefined && before.view.deadlineAt !== deadlineAt && leftMs !== null) this.#ports.announcer.extended(key, at + leftMs);
  }

  #settle(key: string, decision: LiveDecision, at: number): void {
    if (decision.by === this.#ports.me) {
      this.#own.add(key);
      bound(this.#own);
    }
    const by = deciderOf(decision, this.#phrases);
    this.#ports.announcer.settled(key, settlingOf(decision), by === undefined ? { at } : { at, by });
  }

  #remember(position: number, activity: Activity, at: number): string | undefined {
    const token = activity.kind === "request.asked" ? activity.token : undefined;
    const { session, eventId } = activity;
    const found = this.#ports.announcer
      .waiting(at)
      .find((one) => one.session === session && (token === undefined ? one.eventId === eventId : one.token === token));
    if (found === undefined) return undefined;
    this.#keys.set(position, found.key);
    bound(this.#keys);
    return found.key;
  }
}

function callOf({ session, callId }: { readonly session: string; readonly callId?: string }): string {
  return `${session} ${callId ?? ""}`;
}

function isAsking(activity: Activity): boolean {
  return activity.kind === "request.asked" || activity.kind === "handoff";
}

/** Drops the oldest. */
function bound(kept: Map<unknown, unknown> | Set<unknown>): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_REMEMBERED) return;
    kept.delete(oldest);
  }
}

/** The activities of a ledger entry; none for the hub's own records. */
function activitiesOf(
  { protocol, session, agent, type, kind, verified, event }: LiveLedgerEntry,
  phrases: ListenerPhrases,
): readonly Activity[] {
  if (kind !== "event" && kind !== "message") return [];
  const activities = readActivities(protocol, event as JsonObject, { session, agent, type, kind });
  return verified ? activities : activities.map((activity) => believable(activity, phrases));
}

/** Unverified requests cannot be answered, and any local program can send them: they are announced in turn as a message. */
function believable(activity: Activity, phrases: ListenerPhrases): Activity {
  const { urgency: _urgency, ...calm } = activity;
  switch (calm.kind) {
    case "request.asked":
      return { ...base(activity), kind: "notification", text: phrases.unverified("question", calm.prompt) };
    case "handoff":
      return { ...base(activity), kind: "notification", text: phrases.unverified("handoff", calm.reason ?? "") };
    case "tool.decided":
      return calm.verdict === "asked" ? { ...calm, verdict: "unknown" } : calm;
    default:
      return activity.urgency === "critical" ? calm : activity;
  }
}

function base({ protocol, type, session, agent, agentName: name, workspace, language }: Activity): Omit<Activity, "kind"> {
  return {
    protocol,
    type,
    session,
    agent,
    ...(name === undefined ? {} : { agentName: name }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(language === undefined ? {} : { language }),
  };
}
