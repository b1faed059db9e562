import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import type { NamedPath, PathAccess, PolicyInput, ShellKind } from "./asked.ts";
import { nameSet, namesLike } from "./catalogue/names.ts";
import { TOOL_MEMBER_NAMES } from "./catalogue/tools.ts";
import { patchedPaths } from "./effects/patched-paths.ts";
import { quoteWord } from "./shell/shell-command.ts";

/** The commands and files in a tool's raw arguments. */
export type ToolInput = Pick<PolicyInput, "command" | "shell" | "paths" | "runsIn" | "unread">;

/** One more than are examined, so that excess is detected. */
const MAX_PATHS = 1001;
const MAX_PATH_CHARACTERS = 65_536;
const COMMAND_MEMBERS = [...nameSet("members with a command")];
/** The folder in which a command starts; for tools without a command it is an ordinary path. */
const FOLDER_MEMBERS = [...nameSet("members with a folder")];
const READS = namesLike("tools that read", "i");
const WRITES = namesLike("tools that write", "i");
const DELETES = namesLike("tools that delete", "i");
const MOVES = namesLike("tools that move", "i");
const COPIES = /^cop(?:y|ies)|^cp/i;
/** Tools named after the program that they start. */
const PROGRAMS = namesLike("tools named as programs");
/** Tools that write files to a given destination. */
const UNPACKS = /extract|unpack|unzip|untar|download|save|export|restore|clone|checkout/i;
const PATCHES = /^(?:apply_?patch|applypatch|apply_?diff)$/i;
const EDITOR_WORDS = /^(?:view|create|str_replace|insert|undo_edit)$/;
/** Tools that type into a shell, or start programs. */
const SHELLS =
  /shell|terminal|bash|exec(?!ute_?(?:cell|code|sql|query))|process|ssh_|_ssh|tmux|console|stdin|pty|cmd|spawn|run_?command|desktop_?commander/i;
/** Tools that write files or run commands must name them: if nothing is found, the effect is unknown. */
const MUST_NAME = namesLike("tools that must name files", "i");
const MUST_RUN = namesLike("tools that must name a command", "i");

/**
 * Finds the shell command and the files in the arguments of a tool of any agent: agents and MCP servers use different names for the same
 * things. The access to a file is derived from the tool's name alone.
 */
export function readToolInput(tool: string, input: JsonValue | undefined, cwd?: string): ToolInput {
  const name = ownName(tool) || tool;
  if (PATCHES.test(name)) return withPaths(patchedPaths(patchText(input)), name);
  if (!isObject(input)) return withPaths([], name);
  const command = commandIn(input, tool);
  const hasPath = Object.keys(input).some((member) => TOOL_MEMBER_NAMES.path.test(member));
  const editing = command !== undefined && EDITOR_WORDS.test(command) && hasPath;
  const access = editing ? (command === "view" ? "read" : "write") : accessOf(name);
  if (command === undefined || editing) return withPaths(namedPaths(input, name, access, true), name);
  const shell = shellOf(tool, name, cwd);
  const runsIn = FOLDER_MEMBERS.map((member) => input[member]).find((folder) => typeof folder === "string" && folder !== "");
  const paths = namedPaths(input, name, access, false);
  return {
    command,
    ...(shell === undefined ? {} : { shell }),
    ...(typeof runsIn === "string" ? { runsIn } : {}),
    ...(paths.length === 0 ? {} : { paths }),
  };
}

function ownName(tool: string): string {
  return tool.split(/__|[:/]/).at(-1) ?? tool;
}

function withPaths(paths: readonly NamedPath[], name: string): Pick<ToolInput, "paths" | "unread"> {
  if (paths.length > 0) return { paths: paths.slice(0, MAX_PATHS) };
  const must = MUST_NAME.test(name) ? "which files it changes" : MUST_RUN.test(name) ? "what it runs" : undefined;
  return must === undefined ? {} : { unread: `The arguments do not say, in a form that is known here, ${must}.` };
}

function accessOf(name: string): PathAccess | undefined {
  if (READS.test(name)) return "read";
  return DELETES.test(name) ? "delete" : WRITES.test(name) ? "write" : undefined;
}

function commandIn(input: JsonObject, tool: string): string | undefined {
  if (/redis|valkey|slash_?command|mongo/i.test(tool)) return undefined;
  const named = COMMAND_MEMBERS.flatMap((member) => commandOf(input[member], member === "commands") ?? []);
  // Next to a command, `argv` contains its arguments.
  const [only, ...others] = named.length > 0 ? named : [commandOf(input["argv"], false) ?? []].flat();
  if (only !== undefined) return others.length > 0 ? named.join("\n") : withArguments(only, input);
  const { action, args } = input;
  const own = ownName(tool);
  if (PROGRAMS.test(own) && (Array.isArray(args) || typeof args === "string")) return withArguments(own, input);
  if (isObject(action)) return commandIn(action, tool);
  const member = (pattern: RegExp) => Object.keys(input).find((key) => pattern.test(key) && input[key] !== "");
  const isShell = SHELLS.test(tool);
  const program = input[member(TOOL_MEMBER_NAMES.program) ?? ""];
  if (typeof program === "string" && (isShell || member(TOOL_MEMBER_NAMES.arguments) !== undefined))
    return withArguments(quoteWord(program), input);
  const typed = isShell ? (member(/^(?:script|code)$/i) ?? member(TOOL_MEMBER_NAMES.typed)) : undefined;
  return typed === undefined ? undefined : commandOf(input[typed], false);
}

/** `{ command: "git", args: ["push", "-f"] }`. */
function withArguments(command: string, input: JsonObject): string {
  const key = Object.keys(input).find((one) => TOOL_MEMBER_NAMES.arguments.test(one));
  const value = key === undefined ? undefined : input[key];
  const given = typeof value === "string" ? [value] : [];
  const words = Array.isArray(value) ? value.filter((one) => typeof one === "string").map(quoteWord) : given;
  return [command, ...words].join(" ");
}

function commandOf(value: JsonValue | undefined, several: boolean): string | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const texts = value.map((one: JsonValue) => (isObject(one) ? one["command"] : one));
  if (!texts.every((text) => typeof text === "string")) return undefined;
  return several ? texts.join("\n") : joinArguments(texts);
}

/** An argument list: `["bash", "-lc", "text"]` and `["text"]` become the text, all others are quoted. */
function joinArguments(words: readonly string[]): string {
  const [program = "", option = "", text] = words;
  if (words.length === 1) return program;
  if (words.length === 3 && text !== undefined && /(?:^|\/)(?:ba|z|da|k)?sh$/.test(program) && /^-\w*c$/.test(option)) return text;
  return words.map(quoteWord).join(" ");
}

function shellOf(tool: string, name: string, cwd: string | undefined): ShellKind | undefined {
  if (/p(?:ower)?wsh|powershell/i.test(tool)) return "powershell";
  if (/^cmd(?:\.exe)?$/i.test(name)) return "cmd";
  if (/^fish$/i.test(name)) return "fish";
  // On Windows, a tool that does not name its shell may use any of them.
  return cwd !== undefined && /^[A-Za-z]:[\\/]/.test(cwd) && !/bash/i.test(name) ? "unknown" : undefined;
}

const DESTINATIONS = /^(?:destination|dest|dst|to|new_?path|newPath|target|output)(?:_?(?:path|dir|directory|folder|file))?$/i;

/** `folders`: members that name the folder in which a command starts count as paths as well. */
function namedPaths(input: JsonObject, name: string, access: PathAccess | undefined, folders: boolean): readonly NamedPath[] {
  const paths: NamedPath[] = [];
  const add = (value: JsonValue | undefined, how: PathAccess | undefined): void => {
    if (paths.length > MAX_PATHS) return;
    if (typeof value === "string" && value !== "" && value.length < MAX_PATH_CHARACTERS && !value.includes("\n")) {
      const path = value.startsWith("file://") ? decode(value.slice("file://".length)) : value;
      if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) paths.push(how === undefined ? { path } : { path, access: how });
    }
    for (const one of Array.isArray(value) ? value.slice(0, MAX_PATHS) : []) {
      if (!isObject(one)) add(one, how);
      else for (const [key, inner] of Object.entries(one)) if (TOOL_MEMBER_NAMES.path.test(key)) add(inner, how);
    }
  };
  const moves = MOVES.test(name);
  const copies = COPIES.test(name);
  const links = /^(?:sym)?link/i.test(name);
  for (const [member, value] of Object.entries(input)) {
    const isFolder = FOLDER_MEMBERS.includes(member);
    if (/^(?:to|from|root|output|location)$/.test(member) && !moves && !copies && !links) continue;
    const mayBePath = isFolder ? folders : TOOL_MEMBER_NAMES.path.test(member) || /^(?:edits|operations|changes|files)$/.test(member);
    if (!mayBePath) continue;
    const isWritten = DESTINATIONS.test(member) && (moves || copies || UNPACKS.test(name));
    add(value, isWritten ? "write" : moves ? "delete" : copies ? "read" : access);
  }
  return paths;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // a stray per cent sign
  }
}

function patchText(input: JsonValue | undefined): string {
  if (typeof input === "string") return input;
  if (Array.isArray(input)) return input.filter((one) => typeof one === "string").join("\n");
  if (!isObject(input)) return "";
  return Object.values(input)
    .map((one) => (typeof one === "string" || Array.isArray(one) ? patchText(one) : ""))
    .join("\n");
}
