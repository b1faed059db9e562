import type {
  Capabilities,
  SubscriptionAccepted,
  SubscriptionRejected,
  SubscriptionRenegotiate,
  SubscriptionRequest,
} from "@earshot/protocol";
import type { Terms } from "../terms.ts";
import { compileTerms } from "./compile-terms.ts";
import { honorCapabilities } from "./honor.ts";
import type { Negotiation, ProducerOffer } from "./producer-ports.ts";

export type RejectionReason = SubscriptionRejected["reason_code"];

/** Answers a request: accepted with terms never looser than requested, or rejected with the reason. */
export function negotiate(request: SubscriptionRequest, offer: ProducerOffer, subscriptionId: string): Negotiation {
  const version = chooseVersion(request.aaep_version, offer.versions);
  if (version === undefined) {
    return rejectRequest("version_unsupported", `AAEP ${request.aaep_version} is not spoken here. There is: ${offer.versions.join(", ")}.`);
  }
  return settle(request.capabilities, offer, { version, subscriptionId });
}

/** Changes some capabilities; omitted ones keep their requested values. If rejected, the subscription ends. */
export function renegotiate(
  message: SubscriptionRenegotiate,
  terms: Terms,
  { version, offer }: { version: string; offer: ProducerOffer },
): Negotiation {
  const requested = { ...terms.requested, ...message.capabilities };
  return settle(requested, offer, { version, subscriptionId: message.subscription_id });
}

/** The protocol's default terms, for listeners without a handshake. */
export function implicitTerms(): Terms {
  return compileTerms({}, {});
}

interface Settled {
  readonly version: string;
  readonly subscriptionId: string;
}

function settle(requested: Capabilities, offer: ProducerOffer, { version, subscriptionId }: Settled): Negotiation {
  if (requested.accept_signed_manifests_only === true && offer.signedManifest === undefined) {
    return rejectRequest("manifest_signature_required", "The manifest of this producer is not signed.");
  }
  const honoring = honorCapabilities(requested, offer);
  if (!honoring.ok) {
    const { manifestUri } = offer;
    return rejectRequest(
      "capabilities_incompatible",
      honoring.why,
      manifestUri === undefined ? {} : { alternative_manifest_uri: manifestUri },
    );
  }
  const { honored, notes } = honoring;
  const accepted: SubscriptionAccepted = {
    type: "subscription.accepted",
    subscription_id: subscriptionId,
    aaep_version: version,
    producer: offer.producer,
    honored_capabilities: honored,
    ...(offer.manifestUri === undefined ? {} : { manifest_uri: offer.manifestUri }),
    ...(offer.signedManifest === undefined ? {} : { signed_manifest: offer.signedManifest }),
    ...(notes.length === 0 ? {} : { negotiation_notes: notes.join(" ").slice(0, LONGEST_NOTES) }),
  };
  return { ok: true, accepted, terms: compileTerms(requested, honored) };
}

const LONGEST_NOTES = 4000;

export function rejectRequest(
  reason: RejectionReason,
  message: string,
  rest: Pick<SubscriptionRejected, "retry_after_seconds" | "alternative_manifest_uri"> = {},
): { readonly ok: false; readonly rejected: SubscriptionRejected } {
  return { ok: false, rejected: { type: "subscription.rejected", reason_code: reason, reason_message: message, ...rest } };
}

/**
 * A version both sides speak; undefined if there is none. Newer minor versions only add, so any common major version works: the requested
 * one if possible, else the newest one the peer knows, else the oldest.
 */
function chooseVersion(asked: string, offered: readonly string[]): string | undefined {
  if (offered.includes(asked)) return asked;
  const wanted = partsOf(asked);
  const family = offered.filter((version) => partsOf(version)[0] === wanted[0] && wanted[0] !== 0).sort(byAge);
  return family.findLast((version) => compare(partsOf(version), wanted) <= 0) ?? family[0];
}

function byAge(one: string, other: string): number {
  return compare(partsOf(one), partsOf(other));
}

function compare(one: readonly number[], other: readonly number[]): number {
  return (one[0] ?? 0) - (other[0] ?? 0) || (one[1] ?? 0) - (other[1] ?? 0);
}

function partsOf(version: string): readonly number[] {
  return version.split("-", 1)[0]?.split(".").map(Number) ?? [];
}
