import { type Finding, NO_FINDINGS } from "../finding.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import type { ProtocolReading, TracedFinding } from "../protocol.ts";
import type { Audience, BeyondSessions } from "../recorded.ts";
import type { Rule } from "../rule.ts";
import { defineRule } from "../rule.ts";
import { quoteJsonValue } from "../schema.ts";
import { readTimestamp } from "../timestamp.ts";
import { both, filtered, handoff, hinted, hurried, progress, spokenIn, told, worded } from "./example-events.ts";
import { CORE_TYPES, DEFAULT_CAPABILITIES, matchesPattern } from "./names.ts";
import type { AaepRuleId } from "./rules.ts";
import { isReplyType, type NoteFinding } from "./signal.ts";

const ACCEPTED = ["subscription.accepted"];

export const SUBSCRIPTIONS_RULES = {
  "aaep/filter-honored": defineRule(["error", "recording", 3, "§5.3.1.7, §9.5.1", ACCEPTED], {
    title: "Only events that the honoured filter lets through are sent, and critical ones.",
    hint: "Match the compact type against include and exclude before sending.",
    examples: () => both(filtered(handoff()), filtered(progress({ percent: 5 }))),
  }),
  "aaep/rate-honored": defineRule(["error", "recording", 3, "§4.2.2, §5.3.1.1, §9.5.1", ACCEPTED], {
    title: "Events that are not critical stay within the honoured rate.",
    hint: "Merge chunks, states and progress, and hold the rest back.",
    examples: () => both(hurried(1), hurried(30)),
  }),
  "aaep/rate-keeps-tools": defineRule(["error", "live", 3, "§5.6.1", []], {
    title: "Over its rate a producer merges and delays; it drops no tool event.",
    hint: "Queue what cannot be merged, in order.",
    examples: () =>
      told("At 2 events per second, ten tools take ten seconds to tell.", "At 2 events per second, only two of ten tools are told of."),
  }),
  "aaep/subscriptions-independent": defineRule(["error", "live", 3, "§5.6, §5.8", []], {
    title: "A slow subscriber, or one with a low rate, slows no other.",
    hint: "Give each subscription a queue and a token bucket of its own, and never wait for one while sending to another.",
    examples: () =>
      told(
        "Beside a subscriber that takes 1 event per second, another hears ten tool calls in half a second.",
        "As soon as one subscriber takes 1 event per second, all others wait, too.",
      ),
  }),
  "aaep/verbosity-honored": defineRule(["warning", "recording", 3, "§5.3.1", ["subscription.accepted"]], {
    title: "A producer that honors terse texts sends them.",
    hint: "Send summary_terse, and say so in `verbosity`; without terse texts, honor `normal`.",
    examples: () => both(worded("terse"), worded("normal")),
  }),
  "aaep/verbosity-never-omits": defineRule(["error", "live", 3, "§2.2.8", []], {
    title: "Verbosity chooses words; it never leaves out an event.",
    hint: "Choose between the three summaries, and send the event in any case.",
    examples: () => told("A terse subscriber gets every event with its terse summary.", "A terse subscriber gets no state changes."),
  }),
  "aaep/terse-keeps-question": defineRule(["error", "live", 3, "§2.2.8, §4.4.1", []], {
    title: "The action, consequence and question that a person decides on are the same for every verbosity.",
    hint: "Shorten summaries only.",
    examples: () =>
      told("A terse subscriber is asked: Drop the table orders_old in the database shop.", "A terse subscriber is asked: Drop the table."),
  }),
  "aaep/language-honored": defineRule(["warning", "recording", 3, "§5.3.1, §9.5.1, §11.2", ["subscription.accepted"]], {
    title: "Texts for people are in one of the honored languages.",
    hint: "Honor only languages that you speak; send an event in your own language where none fits, and say so in `negotiation_notes`.",
    oncePerSession: true,
    examples: () => both(spokenIn("fr-CA"), spokenIn("en-US")),
  }),
  "aaep/language-never-drops": defineRule(["error", "live", 3, "§11.2", []], {
    title: "An event is sent even when no requested language fits.",
    hint: "Fall back to the producer's own language.",
    examples: () => told("A subscriber asks for Yoruba and gets English.", "A subscriber asks for Yoruba and gets nothing."),
  }),
  "aaep/coalesce-hint-negotiated": defineRule(["warning", "recording", 3, "§5.3.1.6", ["agent.output.streaming/coalesce_hint"]], {
    title: "`coalesce_hint` is one of the negotiated boundaries.",
    hint: "Use the boundaries of the subscription.",
    oncePerSession: true,
    examples: () => both(hinted("sentence"), hinted("word")),
  }),
  "aaep/critical-always-delivered": defineRule(["error", "live", 3, "§5.5.4, §5.6.1", []], {
    title: "Critical events reach every subscription at once, whatever its filter and rate.",
    hint: "Give critical events a lane of their own.",
    examples: () =>
      told("A confirmation reaches a subscriber that excludes it and is over its rate.", "A confirmation waits until the rate allows it."),
  }),
  "aaep/close-stops-events": defineRule(["error", "live", 3, "§5.8.2", []], {
    title: "After closing, nothing more is sent and open questions take their default.",
    hint: "Stop the stream and settle what waited on that subscription.",
    examples: () => told("After subscription.close the stream is silent.", "After subscription.close three more events arrive."),
  }),
  "aaep/resume-complete": defineRule(["error", "live", 3, "§8.2.4, §8.7, B.1.5", []], {
    title: "A stream that is resumed goes on where it broke off, or first says where things stand.",
    hint: "Keep a log to resume from; where it does not reach back far enough, begin with a state.changed that leaves and enters the present state.",
    examples: () =>
      told(
        "The connection breaks after the third event; the resumed stream goes on with the fourth.",
        "The connection breaks after the third event; the resumed stream goes on with the sixth.",
      ),
  }),
  "aaep/unknown-tolerated": defineRule(["error", "live", 1, "§3.2.2, §7.9, §9.3.2", []], {
    title: "A subscriber goes on listening after a type, an extension or a state that it does not know.",
    hint: "Ignore it, or announce its summary; never end the subscription for it.",
    side: "subscriber",
    examples: () =>
      told(
        "An event of type `medai:patient.consulted` arrives, and the subscriber goes on listening.",
        "An event of type `medai:patient.consulted` arrives, and the subscriber hangs up.",
      ),
  }),
  "aaep/critical-announced": defineRule(["error", "live", 1, "§2.2.9, §5.6.2, §9.3.2", []], {
    title: "A subscriber never suppresses a critical event, however much else arrives.",
    hint: "Give critical events a lane of their own, before everything that waits.",
    side: "subscriber",
    examples: () =>
      told(
        "A confirmation among two hundred progress events is spoken at once.",
        "A confirmation among two hundred progress events is never spoken.",
      ),
  }),
  "aaep/subscriber-closes": defineRule(["error", "live", 3, "§5.8, §9.5.2", []], {
    title: "A subscriber that stops closes its subscription.",
    hint: "Send subscription.close before the connection goes.",
    side: "subscriber",
    examples: () =>
      told(
        "The screen reader is quit: it sends subscription.close, then hangs up.",
        "The screen reader is quit: the connection just breaks.",
      ),
  }),
  "aaep/duplicates-ignored": defineRule(["error", "live", 3, "§8.2.4, §9.5.2", []], {
    title: "A subscriber announces a redelivered event once.",
    hint: "Remember the event ids already announced.",
    side: "subscriber",
    examples: () => told("An event delivered twice is announced once.", "After a reconnect the last three events are spoken again."),
  }),
} as const;

interface Asked {
  readonly at: number;
  readonly version: string;
  readonly capabilities: JsonObject;
  /** For a renegotiation, the terms in force that it does not name. */
  readonly keeps?: JsonObject;
  /** Set for a renegotiation: the response must carry this id. */
  readonly subscriptionId: string | undefined;
}

interface Subscription {
  readonly requested: JsonObject;
  readonly honored: JsonObject;
  readonly filter: Filter;
  open: boolean;
  /** Token bucket for the honored rate, refilled by event time. */
  tokens: number;
  filledMs: number | undefined;
  /** Whether an event had a verbosity other than the honored one. */
  isWordy: boolean;
}

const NOTHING: JsonObject = {};
const MAX_SUBSCRIPTIONS = 10_000;
const MAX_PENDING = 1024;

const MAX_REQUESTS = 64;
const SAID_BY_SUBSCRIBERS = new Set(["subscription.request", "subscription.renegotiate", "confirmation.reply", "clarification.reply"]);
const CORE: ReadonlySet<string> = new Set(CORE_TYPES);

/**
 * The handshakes of a stream. Rate and boundaries are checked only while exactly one subscription is open: with several, a recording does
 * not show which subscriber received an event.
 */
export class Subscriptions implements BeyondSessions, Audience {
  readonly audience = this;
  readonly forgotten = 0;
  #repliesRecorded = false;
  #findings: Finding[] | undefined;
  readonly #note: NoteFinding = (rule, message, detail) => {
    this.#findings ??= [];
    this.#findings.push({ rule, message, ...detail });
  };
  readonly #pending: Asked[] = [];
  readonly #byId = new Map<string, Subscription>();
  #openCount = 0;
  #only: Subscription | undefined;
  #repliers = 0;
  #accepted = false;
  #began = false;
  /** All requests so far: no field says which request a response belongs to, so it must fit one of them. */
  readonly #requests: JsonObject[] = [];
  /** Core types that all open subscriptions excluded at some time. */
  readonly #hidden = new Set<string>();

  /** False after a successful handshake, if no open subscription can reply to a confirmation. */
  get canReply(): boolean {
    return !this.#accepted || this.#repliers > 0;
  }

  /** True if the recording contains messages of subscribers and would therefore contain their replies. */
  get repliesRecorded(): boolean {
    return this.#repliesRecorded;
  }

  before(reading: ProtocolReading, at: number): readonly Finding[] {
    const { kind, type, value } = reading;
    this.#findings = undefined;
    if (kind === "message") {
      if (SAID_BY_SUBSCRIBERS.has(type)) this.#repliesRecorded = true;
      if (isReplyType(type)) this.#hearReply(value, this.#note);
      else this.#hearHandshake(value, at, this.#note);
    } else if (this.#openCount > 0) {
      const { timestamp } = value;
      const ms = typeof timestamp === "string" ? readTimestamp(timestamp)?.ms : undefined;
      this.#hearEvent(value, CORE.has(type) ? `aaep:${type}` : type, ms, this.#note);
    }
    return this.#findings ?? NO_FINDINGS;
  }

  after(): readonly [] {
    return [];
  }

  /** Whether an event that the rule needs may be missing because no subscription included it; its absence then proves nothing. */
  excuses({ needs }: Rule): boolean {
    return this.#hidden.size > 0 && needs?.some((type) => this.#hidden.has(`aaep:${type}`)) === true;
  }

  /** Reports unanswered requests. */
  end(): readonly Omit<TracedFinding, "eventId">[] {
    const finding: Finding = {
      rule: "aaep/handshake-answered" satisfies AaepRuleId,
      message: "The request is neither accepted nor rejected.",
    };
    return this.#pending.map(({ at }) => ({ finding, at, sessionId: undefined }));
  }

  #hearHandshake(value: JsonObject, at: number, note: NoteFinding): void {
    const id = typeof value["subscription_id"] === "string" ? value["subscription_id"] : undefined;
    switch (value["type"]) {
      case "subscription.request":
        if (this.#requests.length < MAX_REQUESTS) this.#requests.push(objectOr(value["capabilities"]));
        this.#ask({
          at,
          capabilities: objectOr(value["capabilities"]),
          subscriptionId: undefined,
          version: String(value["aaep_version"]),
        });
        return;
      case "subscription.renegotiate":
        if (!this.#isKnown(id, note)) return;
        this.#ask({
          at,
          capabilities: { ...this.#byId.get(id ?? "")?.requested, ...objectOr(value["capabilities"]) },
          keeps: without(this.#byId.get(id ?? "")?.honored ?? NOTHING, objectOr(value["capabilities"])),
          subscriptionId: id,
          version: "",
        });
        return;
      case "subscription.accepted":
        this.#accept(value, id, note);
        return;
      case "subscription.rejected":
        this.#reject(value["reason_code"]);
        return;
      case "subscription.close":
        // Both sides may close at the same time: closing a closed subscription is not an error.
        if (this.#byId.has(id ?? "") || this.#isKnown(id, note)) this.#close(id);
        return;
      default:
    }
  }

  /** Checks an event against the honored terms. */
  #hearEvent(value: JsonObject, compactType: string, ms: number | undefined, note: NoteFinding): void {
    if (value["urgency"] !== "critical" && this.#isUnwanted(compactType)) {
      note("aaep/filter-honored", `${quoteJsonValue(compactType)} was sent, although the honoured filter leaves it out.`, {
        pointer: "/type",
      });
    }
    const subscription = this.#openCount === 1 ? this.#only : undefined;
    if (subscription === undefined) return;
    const { honored } = subscription;
    const hint = value["coalesce_hint"];
    const boundaries = honored["coalesce_boundaries"];
    if (typeof hint === "string" && Array.isArray(boundaries) && !boundaries.includes(hint)) {
      note("aaep/coalesce-hint-negotiated", `The hint ${quoteJsonValue(hint)} is not one of the negotiated boundaries.`, {
        pointer: "/coalesce_hint",
      });
    }
    checkLanguage(honored, value, note);
    if (honored["preferred_verbosity"] === "terse") checkVerbosity(subscription, value, note);
    if (value["urgency"] === "critical") return;
    const rate = honored["max_events_per_second"];
    if (typeof rate === "number" && ms !== undefined && COALESCIBLE.has(compactType)) spend(subscription, rate, ms, note);
  }

  /** Checks that the subscription named by a reply is open and may reply. */
  #hearReply(value: JsonObject, note: NoteFinding): void {
    const id = value["subscription_id"];
    if (!this.#began || typeof id !== "string") return;
    const subscription = this.#byId.get(id);
    if (subscription?.open !== true) {
      const found =
        subscription === undefined
          ? `No subscription ${quoteJsonValue(id)} was accepted.`
          : `The subscription ${quoteJsonValue(id)} is closed.`;
      if (subscription !== undefined || this.#byId.size < MAX_SUBSCRIPTIONS)
        note("aaep/reply-subscription", found, { pointer: "/subscription_id" });
      return;
    }
    const capability = value["type"] === "confirmation.reply" ? "supports_confirmation_reply" : "supports_clarification_reply";
    if (subscription.honored[capability] !== true)
      note("aaep/reply-capable", `The subscription was accepted without ${capability}.`, { pointer: "/subscription_id" });
  }

  #ask(asked: Asked): void {
    this.#began = true;
    if (this.#pending.length < MAX_PENDING) this.#pending.push(asked);
  }

  #accept(value: JsonObject, id: string | undefined, note: NoteFinding): void {
    this.#accepted = true;
    this.#began = true;
    const honored = objectOr(value["honored_capabilities"]);
    const asked = this.#takeAsked(id, honored);
    if (asked === undefined) {
      note("aaep/accepted-answers-request", "No request stands before this answer.");
    } else {
      const looser = findLooser(asked.capabilities, honored);
      const fitsAnother = asked.subscriptionId === undefined && this.#requests.some((other) => findLooser(other, honored).length === 0);
      for (const { key, message } of fitsAnother ? [] : looser) {
        note("aaep/honored-not-looser", message, { pointer: `/honored_capabilities/${key}` });
      }
      for (const [key, kept] of Object.entries(asked.keeps ?? NOTHING)) {
        if (JSON.stringify(honored[key]) === JSON.stringify(kept) || looser.some((one) => one.key === key)) continue;
        note("aaep/renegotiation-keeps", `${key} was in force, and the renegotiation did not name it: it is changed.`, {
          pointer: `/honored_capabilities/${key}`,
        });
      }
      if (asked.capabilities["accept_signed_manifests_only"] === true && typeof value["signed_manifest"] !== "string") {
        note("aaep/signed-manifest", "The subscriber takes signed manifests only, and none is here.", { pointer: "/signed_manifest" });
      }
    }
    if (id === undefined || (this.#byId.size >= MAX_SUBSCRIPTIONS && !this.#byId.has(id))) return;
    this.#close(id);
    const subscription: Subscription = {
      requested: asked?.capabilities ?? honored,
      honored,
      filter: filterOf(honored),
      open: true,
      tokens: Number.NaN,
      filledMs: undefined,
      isWordy: false,
    };
    this.#openCount++;
    if (canReply(subscription)) this.#repliers++;
    this.#byId.set(id, subscription);
    this.#only = subscription;
    this.#noteHidden();
  }

  /**
   * Finds the request that a response belongs to. No field identifies it: a renegotiation matches by its id, otherwise the first request
   * that fits.
   */
  #takeAsked(id: string | undefined, honored: JsonObject): Asked | undefined {
    let index = this.#pending.findIndex((asked) => asked.subscriptionId !== undefined && asked.subscriptionId === id);
    const fresh = (asked: Asked) => asked.subscriptionId === undefined;
    if (index < 0) index = this.#pending.findIndex((asked) => fresh(asked) && findLooser(asked.capabilities, honored).length === 0);
    if (index < 0) index = this.#pending.findIndex(fresh);
    return index < 0 ? undefined : this.#pending.splice(index, 1)[0];
  }

  /**
   * Finds the request that was rejected: one that gives cause for the stated reason, otherwise the first, new requests before
   * renegotiations.
   */
  #reject(reason: JsonValue | undefined): void {
    const gives = (asked: Asked) =>
      (reason === "version_unsupported" && asked.version !== "" && !asked.version.startsWith("1.")) ||
      (reason === "manifest_signature_required" && asked.capabilities["accept_signed_manifests_only"] === true);
    let index = this.#pending.findIndex(gives);
    if (index < 0) index = this.#pending.findIndex((asked) => asked.subscriptionId === undefined);
    const [asked] = this.#pending.splice(Math.max(index, 0), 1);
    // A rejected renegotiation ends the subscription.
    if (asked?.subscriptionId !== undefined) this.#close(asked.subscriptionId);
  }

  #close(id: string | undefined): void {
    const subscription = this.#byId.get(id ?? "");
    if (subscription === undefined || !subscription.open) return;
    subscription.open = false;
    this.#openCount--;
    if (canReply(subscription)) this.#repliers--;
    this.#only = undefined;
    if (this.#openCount === 1) for (const other of this.#byId.values()) if (other.open) this.#only = other;
    this.#noteHidden();
  }

  /** Whether no open subscription includes events of this type. */
  #isUnwanted(compactType: string): boolean {
    if (this.#openCount === 1 && this.#only !== undefined) return !passes(this.#only.filter, compactType);
    for (const subscription of this.#byId.values()) if (subscription.open && passes(subscription.filter, compactType)) return false;
    return true;
  }

  #noteHidden(): void {
    if (this.#openCount === 0) return;
    for (const type of CORE_TYPES) if (this.#isUnwanted(`aaep:${type}`)) this.#hidden.add(`aaep:${type}`);
  }

  #isKnown(id: string | undefined, note: NoteFinding): boolean {
    if (id === undefined) return false;
    if (this.#byId.get(id)?.open === true) return true;
    // A recording that begins in the middle contains no handshake, so nothing can be concluded.
    if (this.#accepted)
      note("aaep/subscription-known", `No open subscription is called ${quoteJsonValue(id)}.`, { pointer: "/subscription_id" });
    return false;
  }
}

/** Checks the honored verbosity. A text with only one length may be sent as it is. */
function checkVerbosity(subscription: Subscription, { verbosity, summary_terse: terse }: JsonObject, note: NoteFinding): void {
  if (subscription.isWordy || typeof terse !== "string" || typeof verbosity !== "string" || verbosity === "terse") return;
  subscription.isWordy = true;
  note("aaep/verbosity-honored", `Terse texts were agreed upon; this event has one, and is ${quoteJsonValue(verbosity)}.`, {
    pointer: "/verbosity",
  });
}

/** Compares languages without region and script: the producer chooses the nearest one on offer. */
function checkLanguage({ languages }: JsonObject, { localization_hints: hints }: JsonObject, note: NoteFinding): void {
  const spoken = isObject(hints) ? hints["primary_language"] : undefined;
  if (typeof spoken !== "string" || !Array.isArray(languages)) return;
  if (languages.some((one) => primarySubtag(one) === primarySubtag(spoken))) return;
  note("aaep/language-honored", `${languages.map(quoteJsonValue).join(", ")} was honored, and the event is in ${quoteJsonValue(spoken)}.`, {
    pointer: "/localization_hints/primary_language",
  });
}

function primarySubtag(language: JsonValue): string {
  return String(language).split("-", 1)[0]?.toLowerCase() ?? "";
}

const SUBSETS = ["languages", "coalesce_boundaries", "supported_conformance_levels", "supported_extensions"] as const;

interface Looser {
  readonly key: string;
  readonly message: string;
}

/** Lists the honored capabilities that go beyond the request. */
function findLooser(requested: JsonObject, honored: JsonObject): Looser[] {
  const found: Looser[] = [];
  const looser = (key: string, message: string) => found.push({ key, message });
  const rate = honored["max_events_per_second"];
  const wanted = requested["max_events_per_second"];
  if (typeof rate === "number" && typeof wanted === "number" && rate > wanted)
    looser("max_events_per_second", `${rate} events per second are honoured; ${wanted} were asked for.`);
  if (typeof wanted === "number" && rate === undefined)
    looser("max_events_per_second", `A limit of ${wanted} events per second was asked for, and none is honoured.`);
  for (const key of SUBSETS) {
    const kept = honored[key];
    // A request without languages accepts any: the producer's own language is never a reason to withhold an event.
    const asked = requested[key] ?? (key === "languages" ? undefined : DEFAULT_CAPABILITIES[key]);
    if (!Array.isArray(kept) || !Array.isArray(asked)) continue;
    const added = kept.filter((item) => !asked.includes(item));
    if (added.length > 0) looser(key, `${added.map(quoteJsonValue).join(", ")} was not asked for.`);
  }
  for (const key of ["supports_confirmation_reply", "supports_clarification_reply"]) {
    if (honored[key] === true && requested[key] !== true) looser(key, `${key} is honoured, and was not declared.`);
  }
  if (requested["accept_signed_manifests_only"] === true && honored["accept_signed_manifests_only"] === false) {
    looser("accept_signed_manifests_only", "Signed manifests only were asked for, and this is turned off.");
  }
  const asked = filterOf(requested);
  const kept = filterOf(honored);
  // Core types are compared one by one, because a family may be written out; other patterns are compared as text.
  const sent = CORE_TYPES.map((type) => `aaep:${type}`).filter((type) => passes(kept, type) && !passes(asked, type));
  const foreign = kept.include.filter(
    (pattern) => !isCorePattern(pattern) && !asked.include.some((wider) => matchesPattern(wider, pattern)),
  );
  const dropped = asked.exclude.filter(
    (pattern) =>
      !isCorePattern(pattern) &&
      !kept.exclude.some((wider) => matchesPattern(wider, pattern)) &&
      kept.include.some((included) => overlaps(included, pattern)),
  );
  const added = [...sent, ...foreign];
  if (added.length > 0) looser("event_filters", `${added.slice(0, 5).map(quoteJsonValue).join(", ")} was not asked for.`);
  if (dropped.length > 0) looser("event_filters", `${dropped.map(quoteJsonValue).join(", ")} was to be left out, and is not.`);
  return found;
}

interface Filter {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Returns a filter with its defaults: all core types included, nothing excluded. */
function filterOf(capabilities: JsonObject): Filter {
  const { event_filters } = DEFAULT_CAPABILITIES;
  const filters = capabilities["event_filters"];
  const patterns = (side: string, standard: readonly string[]) => {
    const listed = isObject(filters) ? filters[side] : undefined;
    return Array.isArray(listed) ? listed.filter((pattern): pattern is string => typeof pattern === "string") : standard;
  };
  return { include: patterns("include", event_filters.include), exclude: patterns("exclude", event_filters.exclude) };
}

function passes(filter: Filter, type: string): boolean {
  return (
    filter.include.some((pattern) => matchesPattern(pattern, type)) && !filter.exclude.some((pattern) => matchesPattern(pattern, type))
  );
}

function isCorePattern(pattern: string): boolean {
  return CORE_TYPES.some((type) => matchesPattern(pattern, `aaep:${type}`)) && pattern.startsWith("aaep:");
}

function overlaps(a: string, b: string): boolean {
  return matchesPattern(a, b) || matchesPattern(b, a);
}

/**
 * A producer over its rate merges these. It may queue all other events, and a queued event keeps the time at which it was made, so a
 * recording cannot show when it was sent.
 */
const COALESCIBLE = new Set(["aaep:agent.output.streaming", "aaep:agent.progress.updated", "aaep:agent.state.changed"]);

/** Allows bursts of one second's worth of events plus 20 percent, because clocks are not exact. */
const TOLERANCE = 1.2;

function spend(subscription: Subscription, rate: number, ms: number, note: NoteFinding): void {
  const capacity = Math.max(rate * TOLERANCE, 1);
  if (subscription.filledMs === undefined) subscription.tokens = capacity;
  else subscription.tokens = Math.min(capacity, subscription.tokens + (Math.max(0, ms - subscription.filledMs) / 1000) * rate * TOLERANCE);
  subscription.filledMs = Math.max(ms, subscription.filledMs ?? ms);
  if (subscription.tokens < 1 - 1e-9) {
    note("aaep/rate-honored", `More than ${rate} events per second, which were negotiated.`, { pointer: "/timestamp" });
    // Report once per burst: continue as if the bucket were full.
    subscription.tokens = capacity;
    return;
  }
  subscription.tokens -= 1;
}

function canReply({ honored }: Subscription): boolean {
  return honored["supports_confirmation_reply"] === true;
}

function without(all: JsonObject, named: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(all).filter(([key]) => named[key] === undefined));
}

function objectOr(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : NOTHING;
}
