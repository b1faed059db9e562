import { basename } from "node:path";
import { EarshotError } from "@earshot/protocol/problem";
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
  const { adapter, path } = target;
  const known = record.find(path);
  const isSameBase = known !== undefined && record.readBackup(known) === base;
  const backup = base === null ? null : isSameBase ? known.backup : record.backUp(`${adapter.slug}-${basename(path)}`, base, now);
  const folders = writeSettings(path, after, before, mode);
  record.keep({
    agent: adapter.slug,
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
