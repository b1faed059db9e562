import { createHash, createHmac } from "node:crypto";
import type { Policy } from "@earshot/policy/hook";
import { writePrivately } from "../home.ts";
import { readRegularFile } from "../regular-file.ts";
import { isProof } from "./hook-proof.ts";

const MAX_BYTES = 16 * 1024 * 1024;

/** The rules that are in force, as data: a hook that finds no hub decides by these, and needs no YAML for it. */
export interface AcceptedPolicy {
  /** Own files about agents that were accepted in place of shipped ones: their hashes by agent. */
  readonly agents?: Readonly<Record<string, string>>;
  /** Of the text that was accepted: `none` where there is none. */
  readonly hash: string;
  readonly policy: Policy;
}

/**
 * A copy of what the ledger has, with a mark of the hub's. What stands in `policy.yaml` is not believed by itself when it allows
 * more: with the mark, neither is what somebody writes into the copy without having read the key.
 */
export function writeAccepted(path: string, key: string, accepted: AcceptedPolicy): void {
  const line = JSON.stringify(accepted);
  writePrivately(path, `${markOf(key, line)}\n${line}\n`);
}

/** Undefined when there is none, or not one that this hub has written. */
export function readAccepted(path: string, key: string): AcceptedPolicy | undefined {
  let text: string;
  try {
    text = readRegularFile(path, { maxBytes: MAX_BYTES });
  } catch {
    return undefined; // the hub never ran, or somebody has removed it
  }
  const [mark, line = ""] = text.split("\n");
  return isProof(markOf(key, line), mark) ? (JSON.parse(line) as AcceptedPolicy) : undefined;
}

export function policyHash(text: string | null): string {
  return text === null ? "none" : createHash("sha256").update(text).digest("hex");
}

function markOf(key: string, line: string): string {
  return createHmac("sha256", key).update(`earshot policy\n${line}`).digest("base64url");
}
