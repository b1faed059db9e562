import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { readRegularFile } from "../regular-file.ts";
import type { PolicyText } from "./policy-language.ts";

const MAX_BYTES = 1024 * 1024;

/** What stands in a file of rules, or why that cannot be read. */
export function readText(path: string): { readonly ok: true; readonly text: PolicyText } | { readonly ok: false; readonly why: string } {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return { ok: true, text: null };
    return { ok: true, text: readRegularFile(path, { maxBytes: MAX_BYTES, followsLinks: true }) };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

/** Names a text. */
export function hashOf(text: PolicyText): string {
  return text === null ? "none" : createHash("sha256").update(text).digest("hex");
}

/** Names what stands in a repository's file. */
export function repositoryHash({ path, text }: { readonly path: string; readonly text: PolicyText }): string {
  return createHash("sha256")
    .update(JSON.stringify([path, text]))
    .digest("hex");
}

/** Names a change from one text to another: what an approver has seen of it is true of exactly this change. */
export function changeHash(before: PolicyText, after: PolicyText): string {
  return createHash("sha256")
    .update(JSON.stringify([before, after]))
    .digest("hex");
}

/** Takes the place of accepted rules that cannot be read any more: an empty file asks about everything. */
export const UNREADABLE_TEXT = "";
