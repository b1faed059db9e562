import { rule } from "../../rule.ts";

const ACCEPTED = ["subscription.accepted"];

/** The handshake and what it binds. */
export const SUBSCRIPTION_RULES = {
  "aaep/handshake-answered": rule(
    ["error", "recording", 3, "§9.5.1", ["subscription.request"]],
    "Every `subscription.request` is accepted or rejected.",
    "Answer each request; silence is not an answer.",
  ),
  "aaep/accepted-answers-request": rule(
    ["warning", "recording", 3, "§5.1", ACCEPTED],
    "`subscription.accepted` answers a request.",
    "Record the request too, or send it first.",
  ),
  "aaep/subscription-known": rule(
    ["error", "recording", 3, "§5.7, §5.8", ["subscription.renegotiate", "subscription.close"]],
    "Renegotiation and closing name a subscription that was accepted.",
    "Repeat the subscription_id from subscription.accepted.",
    { side: "subscriber" },
  ),
  "aaep/level-needs-replies": rule(
    ["error", "event", 3, "§9.4.2", ["subscription.request"]],
    "A subscriber of level 2 or 3 declares that it can reply to confirmations.",
    'Add "supports_confirmation_reply":true to the capabilities, or list level 1 only.',
    { side: "subscriber" },
  ),
  "aaep/filter-pattern": rule(
    ["error", "event", 3, "§5.3.1.7", ["subscription.request", "subscription.accepted"]],
    "A filter pattern is a type, or the beginning of one with a `*` at the end.",
    "Write aaep:agent.tool.* for a family, or list the types.",
    { side: "subscriber" },
  ),
  "aaep/honored-not-looser": rule(
    ["error", "recording", 3, "§5.4.4, §9.5.1", ACCEPTED],
    "What is honoured is not looser than what was asked for.",
    "Honour at most what was asked: a lower rate, a part of the languages, a stricter filter.",
  ),
  "aaep/signed-manifest": rule(
    ["error", "recording", 3, "§5.3.1, §10.4", ["subscription.request"]],
    "A subscriber that takes signed manifests only gets one, or a rejection.",
    "Put the signed manifest into subscription.accepted, or reject with manifest_signature_required.",
  ),
  "aaep/renegotiation-keeps": rule(
    ["error", "recording", 3, "§5.7", ["subscription.renegotiate"]],
    "A renegotiation keeps the terms that it does not name.",
    "Merge the new capabilities into those in force, and answer with all of them.",
  ),
  "aaep/verbosity-honored": rule(
    ["warning", "recording", 3, "§5.3.1", ["subscription.accepted"]],
    "A subscriber that prefers few words gets the terse text where there is one.",
    "Send summary_terse, and say so in `verbosity`.",
  ),
  "aaep/language-honored": rule(
    ["warning", "recording", 3, "§5.3.1, §9.5.1, §11.2", ["subscription.accepted"]],
    "Texts for people are in one of the honored languages.",
    "Honor only languages that you speak; send an event in your own language where none fits, and say so in `negotiation_notes`.",
    { oncePerSession: true },
  ),
  "aaep/terse-keeps-question": rule(
    ["error", "live", 3, "§2.2.8, §4.4.1", []],
    "The action, consequence and question that a person decides on are the same for every verbosity.",
    "Shorten summaries only.",
  ),
  "aaep/rate-keeps-tools": rule(
    ["error", "live", 3, "§5.6.1", []],
    "Over its rate a producer merges and delays; it drops no tool event.",
    "Queue what cannot be merged, in order.",
  ),
  "aaep/subscriptions-independent": rule(
    ["error", "live", 3, "§5.6, §5.8", []],
    "A slow subscriber, or one with a low rate, slows no other.",
    "Give each subscription a queue and a token bucket of its own, and never wait for one while sending to another.",
  ),
  "aaep/manifest-honest": rule(
    ["error", "live", 3, "§5.10, §9.5.1", []],
    "The manifest names the levels, transports, languages, types and states that are really there.",
    "Build the manifest from the code that emits: what it lists is what a subscriber prepares for.",
  ),
  "aaep/filter-honored": rule(
    ["error", "recording", 3, "§5.3.1.7, §9.5.1", ACCEPTED],
    "Only events that the honoured filter lets through are sent, and critical ones.",
    "Match the compact type against include and exclude before sending.",
  ),
  "aaep/rate-honored": rule(
    ["error", "recording", 3, "§4.2.2, §5.3.1.1, §9.5.1", ACCEPTED],
    "Events that are not critical stay within the honoured rate.",
    "Merge chunks, states and progress, and hold the rest back.",
  ),
  "aaep/coalesce-hint-negotiated": rule(
    ["warning", "recording", 3, "§5.3.1.6", ["agent.output.streaming/coalesce_hint"]],
    "`coalesce_hint` is one of the negotiated boundaries.",
    "Use the boundaries of the subscription.",
    { oncePerSession: true },
  ),
  "aaep/critical-always-delivered": rule(
    ["error", "live", 3, "§5.5.4, §5.6.1", []],
    "Critical events reach every subscription at once, whatever its filter and rate.",
    "Give critical events a lane of their own.",
  ),
  "aaep/close-stops-events": rule(
    ["error", "live", 3, "§5.8.2", []],
    "After closing, nothing more is sent and open questions take their default.",
    "Stop the stream and settle what waited on that subscription.",
  ),
  "aaep/verbosity-never-omits": rule(
    ["error", "live", 3, "§2.2.8", []],
    "Verbosity chooses words; it never leaves out an event.",
    "Choose between the three summaries, and send the event in any case.",
  ),
  "aaep/language-never-drops": rule(
    ["error", "live", 3, "§11.2", []],
    "An event is sent even when no requested language fits.",
    "Fall back to the producer's own language.",
  ),
  "aaep/manifest-published": rule(
    ["error", "live", 3, "§5.10, §9.5.1", []],
    "A producer publishes its manifest.",
    "Serve it at /.well-known/aaep-manifest.json.",
  ),
  "aaep/version-negotiated": rule(
    ["error", "live", 3, "§5.5, §12.5.2", []],
    "A version that is not spoken is rejected, or answered with one that is.",
    "Reject with version_unsupported, or accept and name your own version.",
  ),
  "aaep/manifest-signature": rule(
    ["error", "live", 3, "§10.4", []],
    "A signed manifest verifies, and names the agent that sends it.",
    "Sign the manifest that is served, with ES256 or RS256 and the key that was made known.",
  ),
  "aaep/resume-complete": rule(
    ["error", "live", 3, "§8.2.4, §8.7, B.1.5", []],
    "A stream that is resumed goes on where it broke off, or first says where things stand.",
    "Keep a log to resume from; where it does not reach back far enough, begin with a state.changed that leaves and enters the present state.",
  ),
  "aaep/unknown-tolerated": rule(
    ["error", "live", 1, "§3.2.2, §7.9, §9.3.2", []],
    "A subscriber goes on listening after a type, an extension or a state that it does not know.",
    "Ignore it, or announce its summary; never end the subscription for it.",
    { side: "subscriber" },
  ),
  "aaep/critical-announced": rule(
    ["error", "live", 1, "§2.2.9, §5.6.2, §9.3.2", []],
    "A subscriber never suppresses a critical event, however much else arrives.",
    "Give critical events a lane of their own, before everything that waits.",
    { side: "subscriber" },
  ),
  "aaep/subscriber-closes": rule(
    ["error", "live", 3, "§5.8, §9.5.2", []],
    "A subscriber that stops closes its subscription.",
    "Send subscription.close before the connection goes.",
    { side: "subscriber" },
  ),
  "aaep/duplicates-ignored": rule(
    ["error", "live", 3, "§8.2.4, §9.5.2", []],
    "A subscriber announces a redelivered event once.",
    "Remember the event ids already announced.",
    { side: "subscriber" },
  ),
} as const;
