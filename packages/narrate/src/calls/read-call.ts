import type { Activity } from "@earshot/protocol/activities";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import { cutText } from "../sentences/speakable.ts";
import { describeCommand, type ReadCommand } from "./read-command.ts";
import { type NamedTool, type ToolKind, toolKindOf } from "./tool-kinds.ts";

/** The describable parts of a tool call. */
export interface ReadCall {
  readonly kind: ToolKind;
  /** Number and first of the named paths. */
  readonly paths: readonly string[];
  /** Number of lines written or replaced. */
  readonly lines?: number;
  readonly command?: ReadCommand;
  /** The exact text of the command. */
  readonly script?: string;
  readonly query?: string;
  readonly address?: string;
  /** Number of steps of a plan. */
  readonly steps?: number;
}

type Call = NamedTool & { readonly subject?: string; readonly input?: JsonValue };

const MAX_TEXT = 200_000;
const MAX_FILES = 100;

/** A call as an activity reports it. In AAEP the subject is the agent's sentence and is not parsed. */
export function readCallOfActivity(activity: Activity & Call): ReadCall {
  return readToolCall(activity.protocol === "aaep" ? withoutSubject(activity) : activity);
}

function withoutSubject({ tool, toolKind, server, input }: Call): Call {
  return {
    ...(tool === undefined ? {} : { tool }),
    ...(toolKind === undefined ? {} : { toolKind }),
    ...(server === undefined ? {} : { server }),
    ...(input === undefined ? {} : { input }),
  };
}

export function readToolCall(call: Call): ReadCall {
  const kind = toolKindOf(call);
  const input = isObject(call.input) ? call.input : {};
  const text = typeof call.input === "string" ? call.input : undefined;
  switch (kind) {
    case "command": {
      const script = firstTextIn(input, "command", "cmd", "CommandLine", "commandLine", "script", "commands") ?? text ?? call.subject;
      return script === undefined ? { kind, paths: [] } : { kind, paths: [], script, command: describeCommand(script) };
    }
    case "edit":
    case "write":
    case "read":
    case "delete":
    case "list":
      return fileCall(kind, input, text ?? call.subject);
    case "search":
    case "web-search": {
      const query = firstTextIn(input, "pattern", "query", "q", "regex", "search_term", "Query", "prompt");
      return query === undefined ? { kind, paths: [] } : { kind, paths: [], query };
    }
    case "fetch": {
      const address = firstTextIn(input, "url", "uri", "Url", "urls") ?? addressIn(text ?? call.subject ?? "");
      return address === undefined ? { kind, paths: [] } : { kind, paths: [], address };
    }
    case "plan": {
      const items = [input["todos"], input["plan"], input["tasks"], input["items"], input["steps"]].find((one) => Array.isArray(one));
      return Array.isArray(items) && items.length > 0 ? { kind, paths: [], steps: items.length } : { kind, paths: [] };
    }
    default:
      return { kind, paths: [] };
  }
}

const PATHS = [
  "file_path",
  "filePath",
  "path",
  "notebook_path",
  "filename",
  "target_file",
  "TargetFile",
  "AbsolutePath",
  "absolute_path",
  "file",
];

function fileCall(named: "edit" | "write" | "read" | "delete" | "list", input: JsonObject, text: string | undefined): ReadCall {
  const patch = [firstTextIn(input, "patch", "patchText", "input", "diff", "command"), text].find(
    (one) => one !== undefined && isPatch(one),
  );
  if (patch !== undefined) return patchCall(patch);
  // A multi-purpose editor: the input names the operation.
  const does = input["command"];
  const kind = named === "edit" && does === "view" ? "read" : named === "edit" && does === "create" ? "write" : named;
  const own = firstTextIn(input, ...PATHS);
  const listed = pathsIn(input["paths"] ?? input["files"] ?? input["file_paths"] ?? input["edits"]);
  const subject = text !== undefined && !/[\n\r]/.test(text) && text !== does ? text : undefined;
  const paths = own !== undefined ? [own] : listed.length > 0 ? listed : subject === undefined ? [] : [subject];
  const lines = kind === "edit" || kind === "write" ? linesIn(input) : undefined;
  return { kind, paths, ...(lines === undefined ? {} : { lines }) };
}

function isPatch(text: string): boolean {
  return /^(?:\*\*\* Begin Patch|--- |diff --git |Index: )/m.test(text.slice(0, 2000));
}

/** Patches in the formats of agents and of `diff`. */
function patchCall(patch: string): ReadCall {
  const text = patch.slice(0, MAX_TEXT);
  const named = [...text.matchAll(/^\*\*\* (Add|Update|Delete) File: (.+)$|^\+\+\+ (?:b\/)?([^\t\n]+)/gm)].slice(0, MAX_FILES);
  const paths = [...new Set(named.map(([, , path, other]) => path ?? other ?? ""))].filter((path) => path !== "" && path !== "/dev/null");
  const all = (what: string) => named.length > 0 && named.every(([, one]) => one === what);
  const lines = [...text.matchAll(/^\+(?!\+\+ ).*$/gm)].length;
  return { kind: all("Delete") ? "delete" : all("Add") ? "write" : "edit", paths, ...(lines === 0 ? {} : { lines }) };
}

function linesIn(input: JsonObject): number | undefined {
  const { edits } = input;
  const parts = Array.isArray(edits) ? edits.filter(isObject) : [input];
  const texts = parts.map((part) =>
    firstTextIn(part, "new_string", "newString", "new_str", "content", "file_text", "contents", "replace", "newText"),
  );
  const lines = texts.reduce(
    (sum, text) => sum + (text === undefined ? 0 : text.slice(0, MAX_TEXT).replace(/\n$/, "").split("\n").length),
    0,
  );
  return lines === 0 ? undefined : lines;
}

function pathsIn(value: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, MAX_FILES)
    .flatMap((one) => (typeof one === "string" ? [one] : isObject(one) ? (firstTextIn(one, ...PATHS) ?? []) : []));
}

function addressIn(text: string): string | undefined {
  return /^https?:\/\//i.test(text) ? text : undefined;
}

/** The first of these members that is a text; a list of words is joined with spaces. */
export function firstTextIn(value: JsonObject, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = Object.hasOwn(value, name) ? value[name] : undefined;
    if (typeof found === "string" && found.trim() !== "") return cutText(found, MAX_TEXT);
    if (Array.isArray(found) && found.length > 0 && found.every((one) => typeof one === "string"))
      return found.slice(0, MAX_FILES).join(" ");
  }
  return undefined;
}
