import { CompactSign, type CryptoKey, type JWK } from "jose";
import type { Manifest } from "../messages.ts";

/** ES256 wherever there is a choice; RS256 for those whose keys are that old. */
export type ManifestAlgorithm = "ES256" | "RS256";

export interface SigningKey {
  readonly key: CryptoKey | JWK;
  readonly algorithm?: ManifestAlgorithm;
  /** By which a verifier finds the public half. */
  readonly keyId?: string;
}

/** The manifest in a signature that encloses it: a compact JWS, as `subscription.accepted` carries it. */
export function signManifest(manifest: Manifest, { key, algorithm = "ES256", keyId }: SigningKey): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(manifest)))
    .setProtectedHeader({ alg: algorithm, ...(keyId === undefined ? {} : { kid: keyId }) })
    .sign(key);
}
