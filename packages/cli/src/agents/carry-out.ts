import { basename } from "node:path";
import { EarshotError } from "@earshot/protocol/problem";
import { plainText } from "@earshot/terminal/plain-text";
import { textDifference } from "../policy/text-difference.ts";
import { runsLauncher } from "./hook-command.ts";
import type { InstallPlace } from "./place.ts";
import type { FilePlan, InstallTarget } from "./plan.ts";
import type { Record, RecordedFile } from "./record.ts";
import { digestOfText, readSettingsText, removeSettings, writeSettingsText } from "./settings-file.ts";

/** Writes a planned change after backing up the file. */
export function carryOut(
  plan: Extract<FilePlan, { kind: "write" }>,
  place: InstallPlace,
  record: Record,
  { now, http }: { readonly now: Date; readonly http: boolean },
): void {
  const { target, before, after, base, mode } = plan;
  const { card, path } = target;
  const known = record.find(path);
  const isSameBase = known !== undefined && record.readBackup(known) === base;
  const backup = base === null ? null : isSameBase ? known.backup : record.backUp(`${card.slug}-${basename(path)}`, base, now);
  const folders = writeSettingsText(path, after, before, mode);
  record.keep({
    agent: card.slug,
    scope: place.scope,
    path,
    ...(place.scope === "project" ? { project: place.project } : {}),
    at: now.toISOString(),
    backup,
    wrote: digestOfText(after),
    folders: before === null ? folders : (known?.folders ?? []),
    ...(http ? { http } : {}),
  });
}

export type RemovalOutcome =
  /** Exactly as it was before, or deleted if it did not exist. */
  | { readonly kind: "restored" | "deleted" }
  /** The file was changed by others: only Earshot's entries were removed. */
  | { readonly kind: "edited" }
  | { readonly kind: "nothing" }
  | { readonly kind: "refused"; readonly why: string };

export interface RemovalPlan {
  readonly kind: RemovalOutcome["kind"];
  readonly before: string | null;
  /** Null when the file is deleted. */
  readonly after: string | null;
  readonly why?: string;
}

/** In reverse order: folders were created for the first target and are removed with it when empty. */
export function inRemovalOrder(targets: readonly InstallTarget[]): readonly InstallTarget[] {
  return targets.toReversed();
}

/** The result of a removal. */
export function planRemoval({ path, part }: InstallTarget, record: Record): RemovalPlan {
  const now = readSettingsText(path);
  if (!now.ok) return { kind: "refused", before: null, after: null, why: now.why };
  const { text } = now;
  if (text === null) return { kind: "nothing", before: null, after: null };
  const known = record.find(path);
  if (known !== undefined && digestOfText(text) === known.wrote) {
    const base = record.readBackup(known);
    if (base === null) return { kind: "deleted", before: text, after: null };
    if (base !== undefined) return { kind: "restored", before: text, after: base };
  }
  const removed = part.remove(text);
  // An unreadable file is left alone unless it contains an entry of Earshot's.
  if (!removed.ok && runsLauncher(text)) return { kind: "refused", before: text, after: text, why: removed.why };
  if (!removed.ok || !part.isTouched(text)) return { kind: "nothing", before: text, after: text };
  const isGone = removed.text === "" || (known?.backup === null && part.isEmpty(removed.text));
  return isGone ? { kind: "deleted", before: text, after: null } : { kind: "edited", before: text, after: removed.text };
}

export function carryOutRemoval({ path }: Pick<InstallTarget, "path">, plan: RemovalPlan, record: Record): void {
  const known: RecordedFile | undefined = record.find(path);
  if (plan.kind === "refused")
    throw new EarshotError({ code: "FILE_UNREADABLE", message: `${path}: ${plan.why ?? "it cannot be changed"}.` });
  if (plan.kind !== "nothing" && plan.before !== null) {
    const mode = readSettingsText(path);
    if (plan.after === null) removeSettings(path, known?.folders ?? []);
    else writeSettingsText(path, plan.after, plan.before, mode.ok ? (mode.mode ?? 0o600) : 0o600);
  }
  record.forget(path);
}

/** The change of a file, line by line. */
export function planLines(plan: FilePlan): string {
  const path = plainText(plan.target.path);
  if (plan.kind === "same") return `  ${path}: up to date\n`;
  if (plan.kind === "refused") return `  ${path}: left alone, since ${plainText(plan.why)}\n`;
  return `  ${path}${plan.before === null ? " (new)" : ""}\n${differenceLines(plan.before ?? "", plan.after)}`;
}

export function removalLines(path: string, plan: RemovalPlan): string {
  const what: Readonly<{ [kind: string]: string }> = {
    restored: "back to what it was, byte for byte",
    deleted: "removed, since Earshot made it",
    edited: "the file was changed since; only Earshot's entries are removed",
    refused: `left alone, since ${plainText(plan.why ?? "")}`,
  };
  const lines = plan.kind === "edited" || plan.kind === "restored" ? differenceLines(plan.before ?? "", plan.after ?? "") : "";
  return `  ${plainText(path)}: ${what[plan.kind] ?? "nothing of Earshot's is in it"}\n${lines}`;
}

function differenceLines(before: string, after: string): string {
  return textDifference(before.replaceAll("\r\n", "\n"), after.replaceAll("\r\n", "\n"))
    .map((line) => `    ${indented(line)}\n`)
    .join("");
}

/** Whitespace that could push text out of sight is counted; indentation is shown as it is. */
function indented(line: string): string {
  return line.replace(/^([-+ ] )\[(\d+) spaces\]/, (whole, mark: string, count: string) =>
    Number(count) <= 40 ? `${mark}${" ".repeat(Number(count))}` : whole,
  );
}
