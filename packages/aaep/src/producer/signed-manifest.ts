import { AAEP, isObject, type JsonObject, type Manifest, readJson, type SubscriptionAccepted } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import { CompactSign, type CryptoKey, compactVerify, decodeProtectedHeader, type JWK } from "jose";

/** ES256 by default; RS256 for older keys. */
export type ManifestAlgorithm = "ES256" | "RS256";

export interface SigningKey {
  readonly key: CryptoKey | JWK;
  readonly algorithm?: ManifestAlgorithm;
  /** Identifies the public key for verifiers. */
  readonly keyId?: string;
}

/** The manifest as a compact JWS, as in `subscription.accepted`. */
export function signManifest(manifest: Manifest, { key, algorithm = "ES256", keyId }: SigningKey): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(manifest)))
    .setProtectedHeader({ alg: algorithm, ...(keyId === undefined ? {} : { kid: keyId }) })
    .sign(key);
}

export interface TrustedKeys {
  /** Trusted public keys, found by `kid`, or tried one by one if the signature names none. */
  readonly keys: readonly JWK[];
  /** The expected `agent_id` of `subscription.accepted`. */
  readonly agentId?: string | undefined;
}

export type ManifestVerdict =
  | { readonly ok: true; readonly manifest: Manifest; readonly keyId: string | undefined }
  | { readonly ok: false; readonly why: string };

const ALGORITHMS = ["ES256", "RS256"];
const MAX_MANIFEST_CHARACTERS = 256 * 1024;
/** Limits the work for keys without an id. */
const MAX_TRIED = 16;

/** Whether a manifest is signed by a trusted key. A key inside the signature proves nothing and is ignored. */
export async function verifyManifest(signed: string, { keys, agentId }: TrustedKeys): Promise<ManifestVerdict> {
  if (signed.length > MAX_MANIFEST_CHARACTERS) return refuse("The signed manifest is too long.");
  const header = readHeader(signed);
  if (header === undefined) return refuse("This is no signed manifest.");
  if (!ALGORITHMS.includes(header.alg)) return refuse(`Signatures by ${header.alg.slice(0, 20)} are not accepted.`);
  const named = header.kid === undefined ? keys : keys.filter(({ kid }) => kid === undefined || kid === header.kid);
  for (const key of named.slice(0, MAX_TRIED)) {
    const payload = await verifyBy(signed, key);
    if (payload !== undefined) return read(payload, agentId, header.kid);
  }
  return refuse("The signature was made by nobody who is trusted, or the manifest was changed.");
}

function readHeader(signed: string): { readonly alg: string; readonly kid: string | undefined } | undefined {
  try {
    const { alg, kid } = decodeProtectedHeader(signed);
    return typeof alg === "string" ? { alg, kid } : undefined;
  } catch {
    return undefined; // anything may come in its place
  }
}

async function verifyBy(signed: string, key: JWK): Promise<Uint8Array | undefined> {
  try {
    return (await compactVerify(signed, key, { algorithms: ALGORITHMS })).payload;
  } catch {
    return undefined; // not by this key
  }
}

function read(payload: Uint8Array, agentId: string | undefined, keyId: string | undefined): ManifestVerdict {
  const json = readJson(new TextDecoder().decode(payload));
  if (!json.ok || !isObject(json.value)) return refuse("What was signed is no manifest.");
  const value: JsonObject = json.value;
  const wrong = AAEP.read(value, json.facts).findings.find(({ rule }) => rule === "aaep/manifest");
  if (wrong !== undefined || value["type"] !== "aaep:producer.manifest") {
    return refuse(`What was signed is no manifest. ${wrong?.message ?? ""}`.trim());
  }
  if (agentId !== undefined && value["agent_id"] !== agentId) return refuse("The signed manifest is that of another producer.");
  // Checked by the manifest schema above.
  return { ok: true, manifest: value as unknown as Manifest, keyId };
}

function refuse(why: string): ManifestVerdict {
  return { ok: false, why };
}

/**
 * Requires of each handshake that the producer's manifest is signed by one of these public keys, names this producer, and claims what was
 * agreed. A key supplied by the producer proves nothing.
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
