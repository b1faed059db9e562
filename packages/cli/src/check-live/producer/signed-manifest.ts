import { createPublicKey, type JsonWebKey, type KeyObject, verify } from "node:crypto";
import { isObject, type JsonObject } from "@earshot/protocol";
import { readObject } from "../peer/http-peer.ts";
import { notShown, type Shown, type Stage } from "./stage.ts";

/** How a signature is verified, by its algorithm. No others are taken: least of all `none`. */
const ALGORITHMS: Readonly<Record<string, { readonly type: string; readonly dsaEncoding?: "ieee-p1363" }>> = {
  ES256: { type: "ec", dsaEncoding: "ieee-p1363" },
  RS256: { type: "rsa" },
};

/** Whether the signed manifest in an acceptance is what it claims to be. The key is the one that was given, or the one it carries. */
export function judgeSigned(stage: Stage, accepted: JsonObject): Shown {
  const signed = accepted["signed_manifest"];
  if (typeof signed !== "string") return undefined; // told by the rule that a signed one is sent
  const [protectedHeader = "", payload = "", signature = ""] = signed.split(".");
  const header = readObject(decode(protectedHeader).toString());
  const manifest = readObject(decode(payload).toString());
  const wrong = (message: string): Shown => {
    stage.breaks("aaep/manifest-signature", message);
    return undefined;
  };
  if (header === undefined || manifest === undefined) return wrong("The signed manifest is no JWS over a manifest.");
  const algorithm = ALGORITHMS[String(header["alg"])];
  if (algorithm === undefined) return wrong(`The signed manifest uses the algorithm ${String(header["alg"])}.`);
  const key = stage.manifestKey ?? keyOf(header["jwk"]) ?? keyIn(manifest, header["kid"]);
  if (key === undefined) return notShown("The manifest is signed, and nobody said with which key: give --key FILE.");
  stage.shows("aaep/manifest-signature");
  const { type, dsaEncoding } = algorithm;
  const data = Buffer.from(`${protectedHeader}.${payload}`);
  const verifies =
    key.asymmetricKeyType === type && verify("sha256", data, dsaEncoding === undefined ? key : { key, dsaEncoding }, decode(signature));
  if (!verifies) return wrong("The signature of the manifest does not verify.");
  const { producer } = accepted;
  if (isObject(producer) && producer["agent_id"] !== manifest["agent_id"]) {
    return wrong(`The signed manifest names ${String(manifest["agent_id"])}, and ${String(producer["agent_id"])} answers.`);
  }
  return undefined;
}

function decode(part: string): Buffer {
  return Buffer.from(part, "base64url");
}

/** A manifest may carry the public half itself, under any prefix. It proves no more than that nothing was changed. */
function keyIn({ extensions }: JsonObject, kid: unknown): KeyObject | undefined {
  for (const extension of isObject(extensions) ? Object.values(extensions) : []) {
    const keys = isObject(extension) && Array.isArray(extension["keys"]) ? extension["keys"] : [];
    const found = keys.find((one) => isObject(one) && (kid === undefined || one["kid"] === kid));
    if (found !== undefined) return keyOf(found);
  }
  return undefined;
}

export function keyOf(jwk: unknown): KeyObject | undefined {
  if (!isObject(jwk)) return undefined;
  try {
    return createPublicKey({ key: jwk as JsonWebKey, format: "jwk" });
  } catch {
    return undefined; // not a key, or not one that is known here
  }
}
