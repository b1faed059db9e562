import { readFile } from "node:fs/promises";
import { EarshotError, isObject, readJson } from "@earshot/protocol";
import type { FileProblem } from "./report.ts";

/** A known problem that a team accepts for now, and why. */
export interface BaselineEntry {
  /** Rule id, or problem code for a problem without a rule. */
  readonly rule: string;
  readonly reason: string;
  readonly file?: string;
  readonly sessionId?: string;
  readonly eventId?: string;
  readonly pointer?: string;
}

/** Findings that a team accepts for now. Plain data, because files may be checked in separate threads. */
export type Baseline = readonly BaselineEntry[];

/** The index of the entry that accepts a problem, or -1. */
export function findAccepting(baseline: Baseline, file: string, problem: FileProblem): number {
  return baseline.findIndex((entry) => fits(entry, file, problem));
}

const KEYS = ["rule", "reason", "file", "sessionId", "eventId", "pointer"] as const;

/** Reads `{"accept": [{"rule": …, "reason": …, and optionally "file", "sessionId", "eventId", "pointer"}]}`. */
export async function readBaseline(path: string): Promise<Baseline> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new EarshotError({ code: "FILE_UNREADABLE", message: `The baseline ${path} cannot be read.` }, { cause });
  });
  const read = readJson(text);
  if (!read.ok) throw refuse(path, read.problem.message);
  const list = isObject(read.value) ? read.value["accept"] : undefined;
  if (!Array.isArray(list)) throw refuse(path, 'It needs a list "accept".');
  return list.map((item, index) => readEntry(item, `${path}, entry ${index + 1}`));
}

function readEntry(item: unknown, where: string): BaselineEntry {
  if (!isObject(item)) throw refuse(where, "An entry is an object.");
  for (const [key, value] of Object.entries(item)) {
    if (!(KEYS as readonly string[]).includes(key)) throw refuse(where, `There is no member "${key}"; known are ${KEYS.join(", ")}.`);
    if (typeof value !== "string") throw refuse(where, `"${key}" must be a string.`);
  }
  const { rule, reason } = item;
  if (typeof rule !== "string" || rule === "") throw refuse(where, 'It needs a "rule".');
  if (typeof reason !== "string" || reason.trim() === "")
    throw refuse(where, 'It needs a "reason": say why this is accepted, for later readers.');
  return { ...item, rule, reason } as BaselineEntry;
}

function fits(entry: BaselineEntry, file: string, problem: FileProblem): boolean {
  return (
    entry.rule === (problem.rule ?? problem.code) &&
    (entry.file === undefined || file === entry.file || file.endsWith(`/${entry.file}`)) &&
    (entry.sessionId === undefined || entry.sessionId === problem.sessionId) &&
    (entry.eventId === undefined || entry.eventId === problem.eventId) &&
    (entry.pointer === undefined || entry.pointer === problem.pointer)
  );
}

function refuse(where: string, message: string): EarshotError {
  return new EarshotError({
    code: "WRONG_USAGE",
    message: `${where}: ${message}`,
    hint: '{"accept":[{"rule":"aaep/size","reason":"Large logs until the new viewer is out."}]}',
  });
}
