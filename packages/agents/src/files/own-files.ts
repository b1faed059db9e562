import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { JsonValue } from "@earshot/protocol/json";
import { isList } from "../mapping/json-values.ts";
import type { AgentData } from "./shipped-agents.ts";

/** The user's own files about one agent. */
export interface OwnFiles {
  readonly mapping: string | null;
  readonly answers: string | null;
  /** Hash of exactly these texts. */
  readonly hash: string;
}

export const OWN_FILES = ["mapping.yaml", "answers.yaml"] as const;

/** Checked before reading; the readers reject larger files anyway. */
const LARGEST_FILE = 4 * 1024 * 1024;

/** Undefined if there are none. An unreadable file counts as empty. */
export function readOwnFiles(folder: string): OwnFiles | undefined {
  const [mapping = null, answers = null] = OWN_FILES.map((name) => readOwn(join(folder, name)));
  if (mapping === null && answers === null) return undefined;
  return {
    mapping,
    answers,
    hash: createHash("sha256")
      .update(JSON.stringify([mapping, answers]))
      .digest("hex"),
  };
}

function readOwn(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) return null;
  try {
    return stat.size > LARGEST_FILE ? "" : readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

export function ownFolders(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [] : [entry.name]));
  } catch {
    return []; // there are none
  }
}

const MAX_CHANGES = 40;
const LONGEST_VALUE = 200;

/** The differences in meaning, member by member. */
export function changesOf(before: AgentData, after: AgentData): readonly string[] {
  const changes: string[] = [];
  compare("", toTree(before), toTree(after), changes);
  const rest = changes.length - MAX_CHANGES;
  return rest > 0 ? [...changes.slice(0, MAX_CHANGES), `${rest} more differences.`] : changes;
}

function toTree(data: AgentData): JsonValue {
  return { mapping: data.mapping, answers: byHook(data) } as unknown as JsonValue;
}

/** Hooks with equal answers share an entry; the comparison needs each hook on its own. */
function byHook({ answers }: AgentData): object {
  const hooks = answers.hooks.flatMap(({ hooks: names, ...said }) => names.map((name) => [name, said] as const));
  return { ...answers, hooks: Object.fromEntries(hooks) };
}

function compare(place: string, before: JsonValue | undefined, after: JsonValue | undefined, changes: string[]): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (isTree(before) && isTree(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(`${place}/${name}`, before[name], after[name], changes);
    }
  } else changes.push(`${place.slice(1)}: ${tell(after)} in place of ${tell(before)}`);
}

function isTree(value: JsonValue | undefined): value is Record<string, JsonValue> & object {
  return typeof value === "object" && value !== null && !(isList(value) && value.length === 0);
}

function tell(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}
