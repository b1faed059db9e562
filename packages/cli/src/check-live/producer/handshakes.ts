import { AAEP, type JsonObject } from "@earshot/protocol";
import { readObject } from "../peer/http-peer.ts";
import { judgeSigned } from "./signed-manifest.ts";
import { notShown, type Shown, type Stage } from "./stage.ts";

export async function shakeHands(stage: Stage): Promise<Shown> {
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

export async function askForVersion(stage: Stage): Promise<Shown> {
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

export async function readManifest(stage: Stage): Promise<Shown> {
  const receipt = await stage.peer.readManifest();
  if (receipt === undefined) return notShown("This transport has no address for a manifest.");
  stage.shows("aaep/manifest-published", "aaep/manifest");
  const manifest = receipt.status === 200 ? readObject(receipt.body) : undefined;
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

export async function askForSignature(stage: Stage): Promise<Shown> {
  const line = await stage.connect();
  const answer = await stage.request(line, { accept_signed_manifests_only: true });
  stage.shows("aaep/signed-manifest");
  if (answer?.["type"] === "subscription.rejected" && answer["reason_code"] !== "manifest_signature_required") {
    stage.breaks("aaep/signed-manifest", `A signed manifest was asked for, and the request rejected for ${String(answer["reason_code"])}.`);
  }
  return answer?.["type"] === "subscription.accepted" ? judgeSigned(stage, answer) : undefined;
}
