import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import { show } from "../schema.ts";
import type { Note } from "./signal.ts";

interface Asked {
  readonly at: number;
  readonly capabilities: JsonObject;
  /** Set for a renegotiation: the answer must carry this id. */
  readonly subscriptionId: string | undefined;
  readonly subscriberId: string | undefined;
}

interface Subscription {
  readonly requested: JsonObject;
  readonly honored: JsonObject;
  open: boolean;
  /** Token bucket for the honoured rate, filled by the time of the events. */
  tokens: number;
  filledMs: number | undefined;
}

const NOTHING: JsonObject = {};
const MAX_SUBSCRIPTIONS = 10_000;
const MAX_PENDING = 1024;

/**
 * The handshakes of a stream. What an accepted subscription binds is checked while exactly one is open: with several,
 * a recording does not say which event went to whom.
 */
export class Subscriptions {
  readonly #pending: Asked[] = [];
  readonly #byId = new Map<string, Subscription>();
  #openCount = 0;
  #only: Subscription | undefined;
  #accepted = false;

  /** Whether a handshake succeeded: from then on replies must name a subscription. */
  get accepted(): boolean {
    return this.#accepted;
  }

  hear(value: JsonObject, at: number, note: Note): void {
    const id = typeof value["subscription_id"] === "string" ? value["subscription_id"] : undefined;
    switch (value["type"]) {
      case "subscription.request":
        this.#ask({
          at,
          capabilities: objectOr(value["capabilities"]),
          subscriptionId: undefined,
          subscriberId: String(value["subscriber_id"]),
        });
        return;
      case "subscription.renegotiate":
        if (!this.#isKnown(id, note)) return;
        this.#ask({
          at,
          capabilities: { ...this.#byId.get(id ?? "")?.requested, ...objectOr(value["capabilities"]) },
          subscriptionId: id,
          subscriberId: undefined,
        });
        return;
      case "subscription.accepted":
        this.#accept(value, id, note);
        return;
      case "subscription.rejected":
        this.#reject();
        return;
      case "subscription.close":
        if (this.#isKnown(id, note)) this.#close(id);
        return;
      default:
    }
  }

  /** What the honoured terms say about an event that was sent. */
  hearEvent(value: JsonObject, compactType: string, ms: number | undefined, note: Note): void {
    const subscription = this.#openCount === 1 ? this.#only : undefined;
    if (subscription === undefined) return;
    const { honored } = subscription;
    const hint = value["coalesce_hint"];
    const boundaries = honored["coalesce_boundaries"];
    if (typeof hint === "string" && Array.isArray(boundaries) && !boundaries.includes(hint)) {
      note("aaep/coalesce-hint-negotiated", `The hint ${show(hint)} is not one of the negotiated boundaries.`, {
        pointer: "/coalesce_hint",
      });
    }
    if (value["urgency"] === "critical") return;
    const filters = honored["event_filters"];
    if (isObject(filters) && !passes(filters, compactType)) {
      note("aaep/filter-honored", `${show(compactType)} was sent, although the honoured filter leaves it out.`, { pointer: "/type" });
    }
    const rate = honored["max_events_per_second"];
    if (typeof rate === "number" && ms !== undefined) spend(subscription, rate, ms, note);
  }

  /** Whether a reply may come from where it says it comes from. */
  hearReply(value: JsonObject, note: Note): void {
    const id = value["subscription_id"];
    if (!this.#accepted || typeof id !== "string") return;
    const subscription = this.#byId.get(id);
    if (subscription === undefined) {
      if (this.#byId.size < MAX_SUBSCRIPTIONS)
        note("aaep/reply-subscription", `No subscription ${show(id)} was accepted.`, { pointer: "/subscription_id" });
      return;
    }
    const capability = value["type"] === "confirmation.reply" ? "supports_confirmation_reply" : "supports_clarification_reply";
    if (subscription.honored[capability] !== true)
      note("aaep/reply-capable", `The subscription was accepted without ${capability}.`, { pointer: "/subscription_id" });
  }

  /** Requests nobody answered, with the place of each. */
  unanswered(): readonly number[] {
    return this.#pending.map((asked) => asked.at);
  }

  #ask(asked: Asked): void {
    if (this.#pending.length < MAX_PENDING) this.#pending.push(asked);
  }

  #accept(value: JsonObject, id: string | undefined, note: Note): void {
    this.#accepted = true;
    const index = this.#pending.findIndex((asked) => asked.subscriptionId === undefined || asked.subscriptionId === id);
    const renegotiation = this.#pending.findIndex((asked) => asked.subscriptionId !== undefined && asked.subscriptionId === id);
    const [asked] = this.#pending.splice(renegotiation >= 0 ? renegotiation : index >= 0 ? index : this.#pending.length, 1);
    const honored = objectOr(value["honored_capabilities"]);
    if (asked === undefined) {
      note("aaep/accepted-answers-request", "No request stands before this answer.");
    } else {
      noteLooser(asked.capabilities, honored, note);
      if (asked.capabilities["accept_signed_manifests_only"] === true && typeof value["signed_manifest"] !== "string") {
        note("aaep/signed-manifest", "The subscriber takes signed manifests only, and none is here.", { pointer: "/signed_manifest" });
      }
    }
    if (id === undefined || (this.#byId.size >= MAX_SUBSCRIPTIONS && !this.#byId.has(id))) return;
    if (this.#byId.get(id)?.open !== true) this.#openCount++;
    const subscription = { requested: asked?.capabilities ?? honored, honored, open: true, tokens: Number.NaN, filledMs: undefined };
    this.#byId.set(id, subscription);
    this.#only = subscription;
  }

  #reject(): void {
    const [asked] = this.#pending.splice(0, 1);
    // A rejected renegotiation ends the subscription.
    if (asked?.subscriptionId !== undefined) this.#close(asked.subscriptionId);
  }

  #close(id: string | undefined): void {
    const subscription = this.#byId.get(id ?? "");
    if (subscription === undefined || !subscription.open) return;
    subscription.open = false;
    this.#openCount--;
    this.#only = undefined;
    if (this.#openCount === 1) for (const other of this.#byId.values()) if (other.open) this.#only = other;
  }

  #isKnown(id: string | undefined, note: Note): boolean {
    if (id === undefined) return false;
    if (this.#byId.has(id)) return true;
    // A recording that begins in the middle has no handshake at all; then nothing can be said.
    if (this.#accepted) note("aaep/subscription-known", `No subscription ${show(id)} was accepted.`, { pointer: "/subscription_id" });
    return false;
  }
}

/** The defaults that a key left out of a request stands for. */
const DEFAULTS: JsonObject = {
  languages: ["en-US"],
  coalesce_boundaries: ["sentence", "completion"],
  supported_conformance_levels: [1],
  supported_extensions: [],
};
const SUBSETS = ["languages", "coalesce_boundaries", "supported_conformance_levels", "supported_extensions"] as const;

function noteLooser(requested: JsonObject, honored: JsonObject, note: Note): void {
  const looser = (key: string, message: string) => note("aaep/honored-not-looser", message, { pointer: `/honored_capabilities/${key}` });
  const rate = honored["max_events_per_second"];
  const wanted = requested["max_events_per_second"];
  if (typeof rate === "number" && typeof wanted === "number" && rate > wanted)
    looser("max_events_per_second", `${rate} events per second are honoured; ${wanted} were asked for.`);
  if (typeof wanted === "number" && rate === undefined)
    looser("max_events_per_second", `A limit of ${wanted} events per second was asked for, and none is honoured.`);
  for (const key of SUBSETS) {
    const kept = honored[key];
    // A request that leaves the key out asked for the default; honouring more than that is looser only where it adds something to receive.
    const asked = requested[key] ?? (key === "languages" ? undefined : DEFAULTS[key]);
    if (!Array.isArray(kept) || !Array.isArray(asked)) continue;
    const added = kept.filter((item) => !asked.includes(item));
    if (added.length > 0) looser(key, `${added.map(show).join(", ")} was not asked for.`);
  }
  for (const key of ["supports_confirmation_reply", "supports_clarification_reply"]) {
    if (honored[key] === true && requested[key] !== true) looser(key, `${key} is honoured, and was not declared.`);
  }
  if (requested["accept_signed_manifests_only"] === true && honored["accept_signed_manifests_only"] === false) {
    looser("accept_signed_manifests_only", "Signed manifests only were asked for, and this is turned off.");
  }
  noteLooserFilter(requested["event_filters"], honored["event_filters"], looser);
}

function noteLooserFilter(
  requested: JsonValue | undefined,
  honored: JsonValue | undefined,
  looser: (key: string, message: string) => void,
): void {
  if (!isObject(requested)) return;
  const kept = isObject(honored) ? honored : NOTHING;
  const excluded = requested["exclude"];
  const stillExcluded = kept["exclude"];
  if (Array.isArray(excluded)) {
    const dropped = excluded.filter((pattern) => !coveredBy(String(pattern), stillExcluded));
    if (dropped.length > 0) looser("event_filters", `${dropped.map(show).join(", ")} was to be left out, and is not.`);
  }
  const included = requested["include"];
  const nowIncluded = kept["include"];
  if (Array.isArray(included)) {
    if (!Array.isArray(nowIncluded)) {
      looser("event_filters", "Only some types were asked for, and no such limit is honoured.");
      return;
    }
    const added = nowIncluded.filter((pattern) => !coveredBy(String(pattern), included));
    if (added.length > 0) looser("event_filters", `${added.map(show).join(", ")} was not asked for.`);
  }
}

function coveredBy(pattern: string, patterns: unknown): boolean {
  return Array.isArray(patterns) && patterns.some((wider) => typeof wider === "string" && matches(wider, pattern));
}

function passes(filters: JsonObject, type: string): boolean {
  const include = filters["include"];
  const exclude = filters["exclude"];
  const included = Array.isArray(include) ? include.some((pattern) => matches(String(pattern), type)) : type.startsWith("aaep:agent.");
  return included && !(Array.isArray(exclude) && exclude.some((pattern) => matches(String(pattern), type)));
}

/** A pattern is a type, or a beginning of one followed by `*`. */
export function matches(pattern: string, type: string): boolean {
  if (!pattern.endsWith("*")) return pattern === type;
  return type.startsWith(pattern.slice(0, -1)) || (pattern.endsWith(".*") && type === pattern.slice(0, -2));
}

/** Bursts up to a second's worth are allowed, and a fifth more, because clocks are not that exact. */
const TOLERANCE = 1.2;

function spend(subscription: Subscription, rate: number, ms: number, note: Note): void {
  const capacity = Math.max(rate * TOLERANCE, 1);
  if (subscription.filledMs === undefined) subscription.tokens = capacity;
  else subscription.tokens = Math.min(capacity, subscription.tokens + (Math.max(0, ms - subscription.filledMs) / 1000) * rate * TOLERANCE);
  subscription.filledMs = Math.max(ms, subscription.filledMs ?? ms);
  if (subscription.tokens < 1 - 1e-9) {
    note("aaep/rate-honored", `More than ${rate} events per second, which were negotiated.`, { pointer: "/timestamp" });
    // Told once per burst: go on as if the bucket were full.
    subscription.tokens = capacity;
    return;
  }
  subscription.tokens -= 1;
}

function objectOr(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : NOTHING;
}
