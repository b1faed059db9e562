import { isObject, type JsonValue } from "../json.ts";
import { pointerTo } from "../problem.ts";
import { defineRule } from "../rule.ts";
import { quoteJsonValue } from "../schema.ts";
import { accepted, both, manifest, recording, rejected, renegotiated, request, told } from "./example-events.ts";
import { addNote } from "./notes.ts";

const ACCEPTED = ["subscription.accepted"];

export const HANDSHAKE_RULES = {
  "aaep/message-defined": defineRule(["error", "event", 3, "§5.1, §7.2", ["subscription.request"]], {
    title: "Handshake and reply messages are the seven that are defined.",
    hint: "Use one of subscription.request, .accepted, .rejected, .renegotiate, .close, confirmation.reply, clarification.reply.",
    side: "subscriber",
    examples: () => both(recording(request(), accepted()), recording({ type: "subscription.pause", subscription_id: "sub_1" })),
  }),
  "aaep/subscription-request": defineRule(["error", "event", 3, "§5.3", ["subscription.request"]], {
    title: "`subscription.request` has a version, a subscriber id and capabilities, and nothing else.",
    hint: "`capabilities` may be empty; unknown capability keys must be objects.",
    side: "subscriber",
    examples: () => both(recording(request(), accepted()), recording(request({}, { subscriber_id: undefined }), accepted())),
  }),
  "aaep/subscription-accepted": defineRule(["error", "event", 3, "§5.4", ["subscription.accepted"]], {
    title: "`subscription.accepted` has a subscription id, a version, the producer and what is honoured.",
    hint: "List every honoured capability, not only the changed ones.",
    examples: () => both(recording(request(), accepted()), recording(request(), accepted({}, { subscription_id: "sub-1" }))),
  }),
  "aaep/subscription-rejected": defineRule(["error", "event", 3, "§5.5", ["subscription.rejected"]], {
    title: "`subscription.rejected` has one of the eight reason codes and a message.",
    hint: 'Use "unknown" when none of the others fits.',
    examples: () => both(recording(request(), rejected()), recording(request(), rejected({ reason_code: "busy" }))),
  }),
  "aaep/subscription-renegotiate": defineRule(["error", "event", 3, "§5.7", ["subscription.renegotiate"]], {
    title: "`subscription.renegotiate` names the subscription and the capabilities that change.",
    hint: "Send the changed keys only.",
    side: "subscriber",
    examples: () =>
      both(
        recording(
          request(),
          accepted(),
          { type: "subscription.renegotiate", subscription_id: "sub_1", capabilities: { pace_wpm: 180 } },
          accepted(),
        ),
        recording(
          request(),
          accepted(),
          { type: "subscription.renegotiate", subscription_id: "sub_1", capabilities: { pace_wpm: 5 } },
          accepted(),
        ),
      ),
  }),
  "aaep/subscription-close": defineRule(["error", "event", 3, "§5.8", ["subscription.close"]], {
    title: "`subscription.close` names the subscription.",
    hint: "Add the subscription_id.",
    side: "subscriber",
    examples: () =>
      both(
        recording(request(), accepted(), { type: "subscription.close", subscription_id: "sub_1" }),
        recording(request(), accepted(), { type: "subscription.close" }),
      ),
  }),
  "aaep/manifest": defineRule(["error", "event", 3, "§5.10", ["producer.manifest"]], {
    title: "A producer manifest names the agent and the versions it speaks.",
    hint: "Check the named member; anything of your own goes under `extensions`.",
    examples: () => both(recording(manifest()), recording(manifest({ aaep_versions_supported: [] }))),
  }),
  "aaep/handshake-answered": defineRule(["error", "recording", 3, "§9.5.1", ["subscription.request"]], {
    title: "Every `subscription.request` is accepted or rejected.",
    hint: "Answer each request; silence is not an answer.",
    examples: () => both(recording(request(), accepted()), recording(request())),
  }),
  "aaep/accepted-answers-request": defineRule(["warning", "recording", 3, "§5.1", ACCEPTED], {
    title: "`subscription.accepted` answers a request.",
    hint: "Record the request too, or send it first.",
    examples: () => both(recording(request(), accepted()), recording(accepted())),
  }),
  "aaep/subscription-known": defineRule(["error", "recording", 3, "§5.7, §5.8", ["subscription.renegotiate", "subscription.close"]], {
    title: "Renegotiation and closing name a subscription that was accepted.",
    hint: "Repeat the subscription_id from subscription.accepted.",
    side: "subscriber",
    examples: () =>
      both(
        recording(request(), accepted(), { type: "subscription.close", subscription_id: "sub_1" }),
        recording(request(), accepted(), { type: "subscription.close", subscription_id: "sub_2" }),
      ),
  }),
  "aaep/level-needs-replies": defineRule(["error", "event", 3, "§9.4.2", ["subscription.request"]], {
    title: "A subscriber of level 2 or 3 declares that it can reply to confirmations.",
    hint: 'Add "supports_confirmation_reply":true to the capabilities, or list level 1 only.',
    side: "subscriber",
    examples: () =>
      both(
        recording(request({ supported_conformance_levels: [1, 2], supports_confirmation_reply: true }), accepted()),
        recording(request({ supported_conformance_levels: [1, 2] }), accepted()),
      ),
  }),
  "aaep/filter-pattern": defineRule(["error", "event", 3, "§5.3.1.7", ["subscription.request", "subscription.accepted"]], {
    title: "A filter pattern is a type, or the beginning of one with a `*` at the end.",
    hint: "Write aaep:agent.tool.* for a family, or list the types.",
    side: "subscriber",
    examples: () =>
      both(
        recording(
          request({ event_filters: { include: ["aaep:agent.tool.*"] } }),
          accepted({ event_filters: { include: ["aaep:agent.tool.*"] } }),
        ),
        recording(
          request({ event_filters: { include: ["aaep:*.invoked"] } }),
          accepted({ event_filters: { include: ["aaep:*.invoked"] } }),
        ),
      ),
  }),
  "aaep/honored-not-looser": defineRule(["error", "recording", 3, "§5.4.4, §9.5.1", ACCEPTED], {
    title: "What is honoured is not looser than what was asked for.",
    hint: "Honour at most what was asked: a lower rate, a part of the languages, a stricter filter.",
    examples: () =>
      both(
        recording(request({ max_events_per_second: 5 }), accepted({ max_events_per_second: 2 })),
        recording(request({ max_events_per_second: 5 }), accepted({ max_events_per_second: 10 })),
      ),
  }),
  "aaep/signed-manifest": defineRule(["error", "recording", 3, "§5.3.1, §10.4", ["subscription.request"]], {
    title: "A subscriber that takes signed manifests only gets one, or a rejection.",
    hint: "Put the signed manifest into subscription.accepted, or reject with manifest_signature_required.",
    examples: () =>
      both(
        recording(
          request({ accept_signed_manifests_only: true }),
          accepted({ accept_signed_manifests_only: true }, { signed_manifest: "aa.bb.cc" }),
        ),
        recording(request({ accept_signed_manifests_only: true }), accepted({ accept_signed_manifests_only: true })),
      ),
  }),
  "aaep/renegotiation-keeps": defineRule(["error", "recording", 3, "§5.7", ["subscription.renegotiate"]], {
    title: "A renegotiation keeps the terms that it does not name.",
    hint: "Merge the new capabilities into those in force, and answer with all of them.",
    examples: () => both(renegotiated({ preferred_verbosity: "terse", pace_wpm: 180 }), renegotiated({ pace_wpm: 180 })),
  }),
  "aaep/manifest-published": defineRule(["error", "live", 3, "§5.10, §9.5.1", []], {
    title: "A producer publishes its manifest.",
    hint: "Serve it at /.well-known/aaep-manifest.json.",
    examples: () => told("/.well-known/aaep-manifest.json answers with the manifest.", "/.well-known/aaep-manifest.json answers with 404."),
  }),
  "aaep/manifest-signature": defineRule(["error", "live", 3, "§10.4", []], {
    title: "A signed manifest verifies, and names the agent that sends it.",
    hint: "Sign the manifest that is served, with ES256 or RS256 and the key that was made known.",
    examples: () =>
      told(
        "The signature of the manifest verifies with the key that was made known.",
        "One byte of the signed manifest was changed, and its signature does not verify.",
      ),
  }),
  "aaep/manifest-honest": defineRule(["error", "live", 3, "§5.10, §9.5.1", []], {
    title: "The manifest names the levels, transports, languages, types and states that are really there.",
    hint: "Build the manifest from the code that emits: what it lists is what a subscriber prepares for.",
    examples: () =>
      told("event_types_emitted lists all types that come.", "event_types_emitted leaves out confirmations, and one arrives."),
  }),
  "aaep/version-negotiated": defineRule(["error", "live", 3, "§5.5, §12.5.2", []], {
    title: "A version that is not spoken is rejected, or answered with one that is.",
    hint: "Reject with version_unsupported, or accept and name your own version.",
    examples: () =>
      told(
        "A subscriber asks for version 99.99.99 and is rejected with version_unsupported.",
        "A subscriber asks for version 99.99.99 and is accepted with 99.99.99.",
      ),
  }),
} as const;

export function checkRequest(capabilities: JsonValue | undefined): void {
  if (!isObject(capabilities)) return;
  const { supported_conformance_levels: levels, supports_confirmation_reply: replies } = capabilities;
  if (Array.isArray(levels) && (levels.includes(2) || levels.includes(3)) && replies !== true) {
    const pointer = "/capabilities/supports_confirmation_reply";
    addNote("aaep/level-needs-replies", "Level 2 or 3 is offered, and supports_confirmation_reply is not true.", pointer);
  }
}

export function checkFilterPatterns(capabilities: JsonValue | undefined, field: string): void {
  const filters = isObject(capabilities) ? capabilities["event_filters"] : undefined;
  if (!isObject(filters)) return;
  for (const side of ["include", "exclude"]) {
    const patterns = filters[side];
    if (!Array.isArray(patterns)) continue;
    patterns.forEach((pattern, index) => {
      if (typeof pattern !== "string" || !pattern.slice(0, -1).includes("*")) return;
      addNote("aaep/filter-pattern", `${quoteJsonValue(pattern)} has a * before its end.`, pointerTo(field, "event_filters", side, index));
    });
  }
}
