import { EarshotError } from "@earshot/protocol/problem";
import type { JWK } from "jose";
import type { Manifest, SubscriptionAccepted } from "../messages.ts";
import { verifyManifest } from "../producer/verify-manifest.ts";

/**
 * Asks of each handshake that the producer's manifest was signed by one of these public keys, is that producer's own, and
 * claims what was agreed on. A key that a producer brings along proves nothing.
 */
export function trustKeys(keys: readonly object[]): (accepted: SubscriptionAccepted) => Promise<void> {
  return async (accepted) => {
    const { signed_manifest: signed, producer } = accepted;
    if (signed === undefined) throw untrusted("The producer shows no signed manifest.");
    const verdict = await verifyManifest(signed, { keys: keys as readonly JWK[], agentId: producer.agent_id });
    if (!verdict.ok) throw untrusted(verdict.why);
    const differs = whatDiffers(verdict.manifest, accepted);
    if (differs !== undefined) throw untrusted(differs);
  };
}

function whatDiffers(
  { aaep_versions_supported: versions, conformance_levels_supported: levels }: Manifest,
  { aaep_version: version, honored_capabilities: honored }: SubscriptionAccepted,
): string | undefined {
  const minor = (text: string) => text.split(".", 2).join(".");
  if (!versions.some((one) => minor(one) === minor(version))) return `The signed manifest does not claim version ${version}.`;
  const claimed: readonly number[] | undefined = levels;
  const more = honored.supported_conformance_levels?.find((level) => claimed?.includes(level) === false);
  return more === undefined ? undefined : `The signed manifest does not claim level ${more}.`;
}

function untrusted(message: string): EarshotError {
  return new EarshotError({ code: "MANIFEST_UNTRUSTED", message });
}
