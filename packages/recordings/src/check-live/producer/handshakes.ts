import { createPublicKey, type JsonWebKey, type KeyObject, verify } from "node:crypto";
import { AAEP, isObject, type JsonObject } from "@earshot/protocol";
import { matchesPattern } from "@earshot/protocol/aaep-names";
import { parseObjectText } from "../peer/http-peer.ts";
import { notShown, type ProducerStage, type ScenarioResult } from "./producer-stage.ts";

export async function shakeHands(stage: ProducerStage): Promise<ScenarioResult> {
  const asked: JsonObject = {
    max_events_per_second: 50,
    preferred_verbosity: "terse",
    languages: ["en-US", "en"],
    coalesce_boundaries: ["sentence", "completion"],
    event_filters: { include: ["aaep:agent.*"], exclude: ["aaep:agent.progress.updated"] },
    supports_confirmation_reply: true,
    supported_conformance_levels: [1, 2],
    supported_extensions: [],
    earshotcheck: { unknown: true },
  };
  await stage.request(await stage.connect(), asked);
  await stage.request(await stage.connect(), {});
  return undefined; // silence, and what goes beyond the request, are told by the rules of a recording
}

export async function askForVersion(stage: ProducerStage): Promise<ScenarioResult> {
  const line = await stage.connect();
  const answer = await stage.request(line, {}, "99.99.99");
  if (answer === undefined) return undefined; // told by the rule that every request is answered
  stage.shows("aaep/version-negotiated");
  const version = String(answer["aaep_version"]);
  if (answer["type"] === "subscription.accepted" && version.startsWith("99.")) {
    stage.breaks("aaep/version-negotiated", `Version 99.99.99 was asked for and accepted as ${version}.`);
  }
  if (answer["type"] === "subscription.rejected" && answer["reason_code"] !== "version_unsupported") {
    stage.breaks("aaep/version-negotiated", `Version 99.99.99 was rejected for ${String(answer["reason_code"])}.`);
  }
  return undefined;
}

export async function fetchManifest(stage: ProducerStage): Promise<ScenarioResult> {
  const receipt = await stage.peer.readManifest();
  if (receipt === undefined) return notShown("This transport has no address for a manifest.");
  stage.shows("aaep/manifest-published", "aaep/manifest");
  const manifest = receipt.status === 200 ? parseObjectText(receipt.body) : undefined;
  if (manifest === undefined) {
    stage.breaks("aaep/manifest-published", `/.well-known/aaep-manifest.json answers with status ${receipt.status} and no manifest.`);
    return undefined;
  }
  const reading = AAEP.read(manifest, {
    depth: 1,
    unsafeInteger: undefined,
    firstNull: undefined,
    sizeBytes: receipt.body.length,
    bodyHash: 0,
  });
  for (const finding of reading.findings) stage.breaks(finding.rule, finding.message);
  const line = await stage.open();
  const producer = line?.accepted?.["producer"] as JsonObject | undefined;
  if (producer !== undefined && manifest["agent_id"] !== producer["agent_id"]) {
    stage.breaks("aaep/manifest", `The manifest names ${String(manifest["agent_id"])}, and ${String(producer["agent_id"])} answers.`);
  }
  return undefined;
}

const STANDARD_STATES: ReadonlySet<string> = new Set([
  ...["idle", "thinking", "calling_tool", "writing_output", "awaiting_input", "deciding", "handing_off"],
]);
/** Names of a transport in a manifest. */
const TRANSPORTS: Readonly<Record<string, RegExp>> = { sse: /sse|http/i, websocket: /ws|websocket/i, stdio: /stdio/i };

/** Compares the manifest with the drive: what it omits although it was heard, and what it claims wrongly. */
export async function compareManifest(stage: ProducerStage): Promise<ScenarioResult> {
  const receipt = await stage.peer.readManifest();
  const manifest = receipt?.status === 200 ? parseObjectText(receipt.body) : undefined;
  if (manifest === undefined) return notShown("There is no manifest to compare with.");
  stage.shows("aaep/manifest-honest");
  const lie = (message: string) => stage.breaks("aaep/manifest-honest", message);
  const listed = (name: string) => {
    const list = manifest[name];
    return Array.isArray(list) ? list.map(String) : undefined;
  };
  const types = listed("event_types_emitted");
  for (const type of stage.heard.types) {
    const isListed = types?.some((one) => one === type || matchesPattern(one, `aaep:${type}`));
    if (isListed === false) lie(`${type} is emitted, and event_types_emitted does not name it.`);
  }
  const transports = listed("transports_supported");
  if (transports !== undefined && !transports.some((one) => TRANSPORTS[stage.peer.transport]?.test(one))) {
    lie(`${stage.peer.transport} is spoken, and transports_supported does not name it.`);
  }
  const levels = listed("conformance_levels_supported");
  const answer = await stage.request(await stage.connect(), { supported_conformance_levels: [1, 2, 3] });
  if (answer === undefined && levels?.includes("3") === true) {
    lie("conformance_levels_supported names 3, and a subscription request is not answered.");
  }
  if (answer?.["type"] === "subscription.accepted") compareTerms(answer, levels, listed("aaep_versions_supported"), lie);
  for (const language of listed("languages_supported")?.slice(0, MAX_LANGUAGES) ?? []) await compareLanguage(stage, language, lie);
  const text = JSON.stringify(manifest);
  for (const state of stage.heard.states) {
    if (!STANDARD_STATES.has(state) && !text.includes(JSON.stringify(state)))
      lie(`The state ${JSON.stringify(state)} is no standard one, and the manifest does not document it.`);
  }
  return undefined;
}

const MAX_LANGUAGES = 3;

/** Whether a language of the manifest is available and then used. */
async function compareLanguage(stage: ProducerStage, language: string, lie: (message: string) => void): Promise<void> {
  const line = await stage.connect();
  const answer = await stage.request(line, { languages: [language] });
  if (answer?.["type"] === "subscription.rejected") lie(`languages_supported names ${language}, and a request for it is rejected.`);
  if (answer?.["type"] !== "subscription.accepted") return;
  const session = await stage.start(line, "chat");
  if (session === undefined) return;
  await stage.end(session);
  const spoken = session
    .events()
    .flatMap(({ value: { localization_hints: hints } }) => (isObject(hints) ? [hints["primary_language"]] : []));
  const primary = (tag: unknown) => String(tag).split("-", 1)[0]?.toLowerCase();
  if (spoken.length === 0 || spoken.some((tag) => primary(tag) === primary(language))) return;
  lie(`languages_supported names ${language}; when it was asked for, the events were in ${String(spoken[0])}.`);
}

/** Compares accepted terms with the manifest. */
function compareTerms(
  { aaep_version: version, honored_capabilities: honored }: JsonObject,
  levels: readonly string[] | undefined,
  versions: readonly string[] | undefined,
  lie: (message: string) => void,
): void {
  if (versions?.some((one) => String(version).startsWith(one)) === false) {
    lie(`A subscription is accepted with version ${String(version)}, and aaep_versions_supported does not name it.`);
  }
  const kept = isObject(honored) ? honored["supported_conformance_levels"] : undefined;
  if (levels === undefined || !Array.isArray(kept)) return;
  const [highest, claimed] = [Math.max(...kept.map(Number)), Math.max(...levels.map(Number))];
  if (highest === claimed) return;
  lie(`Levels up to ${highest} are honored, and conformance_levels_supported ends with ${claimed}.`);
}

export async function askForSignature(stage: ProducerStage): Promise<ScenarioResult> {
  const line = await stage.connect();
  const answer = await stage.request(line, { accept_signed_manifests_only: true });
  stage.shows("aaep/signed-manifest");
  if (answer?.["type"] === "subscription.rejected" && answer["reason_code"] !== "manifest_signature_required") {
    stage.breaks("aaep/signed-manifest", `A signed manifest was asked for, and the request rejected for ${String(answer["reason_code"])}.`);
  }
  return answer?.["type"] === "subscription.accepted" ? judgeSigned(stage, answer) : undefined;
}

/** Signature verification by algorithm. Others are rejected, above all `none`. */
const ALGORITHMS: Readonly<Record<string, { readonly type: string; readonly dsaEncoding?: "ieee-p1363" }>> = {
  ES256: { type: "ec", dsaEncoding: "ieee-p1363" },
  RS256: { type: "rsa" },
};

/** Verifies the signed manifest in an acceptance with the given key, or the one it contains. */
function judgeSigned(stage: ProducerStage, accepted: JsonObject): ScenarioResult {
  const signed = accepted["signed_manifest"];
  if (typeof signed !== "string") return undefined; // told by the rule that a signed one is sent
  const [protectedHeader = "", payload = "", signature = ""] = signed.split(".");
  const header = parseObjectText(decode(protectedHeader).toString());
  const manifest = parseObjectText(decode(payload).toString());
  const wrong = (message: string): ScenarioResult => {
    stage.breaks("aaep/manifest-signature", message);
    return undefined;
  };
  if (header === undefined || manifest === undefined) return wrong("The signed manifest is no JWS over a manifest.");
  const algorithm = ALGORITHMS[String(header["alg"])];
  if (algorithm === undefined) return wrong(`The signed manifest uses the algorithm ${String(header["alg"])}.`);
  const key = stage.manifestKey ?? publicKeyOf(header["jwk"]) ?? keyIn(manifest, header["kid"]);
  if (key === undefined) return notShown("The manifest is signed, but no key is known: give --key FILE.");
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

/** A manifest may contain its public key under any prefix, which only proves that nothing was changed. */
function keyIn({ extensions }: JsonObject, kid: unknown): KeyObject | undefined {
  for (const extension of isObject(extensions) ? Object.values(extensions) : []) {
    const keys = isObject(extension) && Array.isArray(extension["keys"]) ? extension["keys"] : [];
    const found = keys.find((one) => isObject(one) && (kid === undefined || one["kid"] === kid));
    if (found !== undefined) return publicKeyOf(found);
  }
  return undefined;
}

export function publicKeyOf(jwk: unknown): KeyObject | undefined {
  if (!isObject(jwk)) return undefined;
  try {
    return createPublicKey({ key: jwk as JsonWebKey, format: "jwk" });
  } catch {
    return undefined; // not a key, or not one that is known here
  }
}
