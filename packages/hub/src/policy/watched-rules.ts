import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { readRegularFile } from "../regular-file.ts";
import type { PolicyKind, PolicyLanguage, PolicyText } from "./policy-language.ts";

/** The minimum interval between checks of a file. */
const LOOK_MS = 500;
const MAX_BYTES: Readonly<Record<PolicyKind, number>> = { user: 1024 * 1024, repository: 256 * 1024 };

/** The text of a rules file, or why it cannot be read. */
export function readRulesText(
  path: string,
  kind: PolicyKind = "user",
): { readonly ok: true; readonly text: PolicyText } | { readonly ok: false; readonly why: string } {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return { ok: true, text: null };
    return { ok: true, text: readRegularFile(path, { maxBytes: MAX_BYTES[kind], followsLinks: true }) };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

/** Hash of a text. */
export function hashPolicyText(text: PolicyText): string {
  return text === null ? "none" : createHash("sha256").update(text).digest("hex");
}

/** The result of a check. `same`: the text in force. `unusable`: the last valid text stays in force. */
export type RulesFileCheck =
  | { readonly what: "unchanged" | "same" }
  | { readonly what: "unusable"; readonly troubles: readonly string[] }
  | { readonly what: "tightened"; readonly text: PolicyText }
  | { readonly what: "loosened"; readonly text: PolicyText; readonly loosens: readonly string[] };

/**
 * A rules file and its text in force. A tightening text takes effect when seen; a permissive one, and the file's removal, wait for an
 * approver. The first text of all is accepted as it is.
 */
export class WatchedRules {
  readonly #path: string;
  readonly #kind: PolicyKind;
  readonly #language: PolicyLanguage;
  text: PolicyText | undefined;
  pending: { readonly text: PolicyText; readonly loosens: readonly string[] } | undefined;
  #stamp = "";
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(path: string, kind: PolicyKind, language: PolicyLanguage, text?: PolicyText) {
    this.#path = path;
    this.#kind = kind;
    this.#language = language;
    this.text = text;
  }

  isDue(now: number): boolean {
    return now - this.#lookedAt >= LOOK_MS;
  }

  look(now: number): RulesFileCheck {
    this.#lookedAt = now;
    const stamp = stampOf(this.#path);
    if (stamp === this.#stamp) return { what: "unchanged" };
    this.#stamp = stamp;
    const file = readRulesText(this.#path, this.#kind);
    if (!file.ok) return { what: "unusable", troubles: [file.why] };
    const { text } = file;
    this.pending = undefined;
    if (text === (this.text ?? null)) return { what: "same" };
    const read = this.#language.read(text, this.#kind);
    if (!read.ok) return { what: "unusable", troubles: read.troubles };
    const loosens = this.text === undefined ? [] : this.#language.loosens(this.text, text, this.#kind);
    if (loosens.length > 0) {
      this.pending = { text, loosens };
      return { what: "loosened", text, loosens };
    }
    this.text = text;
    return { what: "tightened", text };
  }

  /** The next look reads the file, whether or not it has changed. */
  forget(): void {
    this.#stamp = "";
  }

  /** The present content counts as seen. */
  skip(): void {
    this.#stamp = stampOf(this.#path);
  }
}

function stampOf(path: string): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
    return stat === undefined ? "none" : `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
  } catch {
    return "none"; // not ours to look at
  }
}
