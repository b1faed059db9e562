import { basename } from "node:path";
import { EarshotError } from "@earshot/protocol/problem";
import { textDifference } from "../policy/text-difference.ts";
import { plainText } from "../terminal/plain-text.ts";
import { runsLauncher } from "./hook-command.ts";
import type { Place } from "./place.ts";
import type { FilePlan, Target } from "./plan.ts";
import type { Record, RecordedFile } from "./record.ts";
import { digestOf, readSettings, removeSettings, writeSettings } from "./settings-file.ts";

/** Writes what was planned, after a copy of what stood there was put aside. */
export function carryOut(
  plan: Extract<FilePlan, { kind: "write" }>,
  place: Place,
  record: Record,
  { now, http }: { readonly now: Date; readonly http: boolean },
): void {
  const { target, before, after, base, mode } = plan;
  const { card, path } = target;
  const known = record.find(path);
  const isSameBase = known !== undefined && record.readBackup(known) === base;
  const backup = base === null ? null : isSameBase ? known.backup : record.backUp(`${card.slug}-${basename(path)}`, base, now);
  const folders = writeSettings(path, after, before, mode);
  record.keep({
    agent: card.slug,
    scope: place.scope,
    path,
    ...(place.scope === "project" ? { project: place.project } : {}),
    at: now.toISOString(),
    backup,
    wrote: digestOf(after),
    folders: before === null ? folders : (known?.folders ?? []),
    ...(http ? { http } : {}),
  });
}

export type Removed =
  /** Exactly as it was before, or gone if it was not there. */
  | { readonly kind: "restored" | "deleted" }
  /** Somebody else changed the file: only Earshot's entries were taken out. */
  | { readonly kind: "edited" }
  | { readonly kind: "nothing" }
  | { readonly kind: "refused"; readonly why: string };

export interface RemovalPlan {
  readonly kind: Removed["kind"];
  readonly before: string | null;
  /** Null when the file goes. */
  readonly after: string | null;
  readonly why?: string;
}

/** The last first: folders were made for the first, and go with it when they are empty. */
export function inRemovalOrder(targets: readonly Target[]): readonly Target[] {
  return targets.toReversed();
}

/** What a removal would leave. */
export function planRemoval({ path, part }: Target, record: Record): RemovalPlan {
  const now = readSettings(path);
  if (!now.ok) return { kind: "refused", before: null, after: null, why: now.why };
  const { text } = now;
  if (text === null) return { kind: "nothing", before: null, after: null };
  const known = record.find(path);
  if (known !== undefined && digestOf(text) === known.wrote) {
    const base = record.readBackup(known);
    if (base === null) return { kind: "deleted", before: text, after: null };
    if (base !== undefined) return { kind: "restored", before: text, after: base };
  }
  const removed = part.remove(text);
  // What cannot be read is somebody else's business, unless something of ours is in it.
  if (!removed.ok && runsLauncher(text)) return { kind: "refused", before: text, after: text, why: removed.why };
  if (!removed.ok || !part.isTouched(text)) return { kind: "nothing", before: text, after: text };
  const isGone = removed.text === "" || (known?.backup === null && part.isEmpty(removed.text));
  return isGone ? { kind: "deleted", before: text, after: null } : { kind: "edited", before: text, after: removed.text };
}

export function carryOutRemoval({ path }: Pick<Target, "path">, plan: RemovalPlan, record: Record): void {
  const known: RecordedFile | undefined = record.find(path);
  if (plan.kind === "refused")
    throw new EarshotError({ code: "FILE_UNREADABLE", message: `${path}: ${plan.why ?? "it cannot be changed"}.` });
  if (plan.kind !== "nothing" && plan.before !== null) {
    const mode = readSettings(path);
    if (plan.after === null) removeSettings(path, known?.folders ?? []);
    else writeSettings(path, plan.after, plan.before, mode.ok ? (mode.mode ?? 0o600) : 0o600);
  }
  record.forget(path);
}

/** What would become of a file, line by line. */
export function planLines(plan: FilePlan): string {
  const path = plainText(plan.target.path);
  if (plan.kind === "same") return `  ${path}: as it should be\n`;
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

/** Blanks are counted where they could push something out of sight; an indentation is shown as what it is. */
function indented(line: string): string {
  return line.replace(/^([-+ ] )\[(\d+) spaces\]/, (whole, mark: string, count: string) =>
    Number(count) <= 40 ? `${mark}${" ".repeat(Number(count))}` : whole,
  );
}
