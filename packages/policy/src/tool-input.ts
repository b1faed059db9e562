import type { JsonObject, JsonValue } from "@earshot/protocol";
import type { Access, Asked, NamedPath, Shell } from "./asked.ts";
import { MEMBERS } from "./catalogue/tools.ts";
import { patchedPaths } from "./effects/patched-paths.ts";

/** What a tool's raw arguments say about commands and files. */
export type ToolInput = Pick<Asked, "command" | "shell" | "paths" | "runsIn" | "unread">;

/** One more than are looked at, so that too many are noticed. */
const MAX_PATHS = 1001;
const MAX_PATH_CHARACTERS = 65_536;
const COMMAND_MEMBERS = ["command", "command_line", "commandLine", "CommandLine", "cmd", "commands", "shell_command", "cli_command"];
/** Where a command starts; for tools without one it is a path like any other. */
const FOLDER_MEMBERS = ["directory", "cwd", "Cwd", "workdir", "working_directory", "workingDirectory", "dir_path"];
const READS =
  /^(?:read|view|view_?file|read_?file|read_?text_?file|read_?media_?file|read_?many_?files|read_?multiple_?files|notebook_?read|glob|ls|list_?dir(?:ectory)?|list_?files|open_?file|get_?file_?info|get_?file\w*|search_?files|fs_?read|developer__read|(?=\w*$)\w*?(?:navigate|screenshot|snapshot|fetch|browse)\w*)$/i;
const WRITES =
  /^(?:write|edit|multi_?edit|notebook_?edit|create|create_?file|write_?file|write_?to_?file|save-file|save_?file|append_?\w*|replace|replace_?\w*|multi_?replace_?file_?content|str_?replace.*|str-replace-editor|insert\w*|edit_?\w+|editor|fs_?write|put_?file|apply_?patch|applypatch|patch|create_?directory|mkdir|developer__(?:write|edit)|overwrite\w*|update_?file)$/i;
const DELETES = /^(?:delete|unlink|remove|rm|rmdir|trash|delete_?\w+|remove_?files?|remove-files|remove_?(?:dir|directory|path))$/i;
const MOVES = /^(?:move|rename|mv|move_?\w+|rename_?\w+)$/i;
/** Tools that are called as the program that they start. */
const PROGRAMS = /^(?:kubectl|git|gh|docker|aws|gcloud|az|terraform|helm|npm|psql|ssh|cargo|make|bash|sh)$/;
/** Tools that write files to where they are told. */
const UNPACKS = /extract|unpack|unzip|untar|download|save|export|restore|clone|checkout/i;
const PATCHES = /^(?:apply_?patch|applypatch|apply_?diff)$/i;
const EDITOR_WORDS = /^(?:view|create|str_replace|insert|undo_edit)$/;
/** Tools that type into a shell, or start programs. */
const SHELLS =
  /shell|terminal|bash|exec(?!ute_?(?:cell|code|sql|query))|process|ssh_|_ssh|tmux|console|stdin|pty|cmd|spawn|run_?command|desktop_?commander/i;
/** Tools that write files or run commands are of no use without naming them: where nothing can be found, nothing is known. */
const MUST_NAME = /^(?:write|edit|multi_?edit|apply_?patch|applypatch|write_?file|create_?file|delete_?file|str_?replace\w*)$/i;
const MUST_RUN =
  /^(?:bash|shell|local_shell|exec_command|run_shell_command|run_command|execute_bash|run_terminal_cmd|runInTerminal|execute_command)$/i;

/**
 * Finds the shell command and the files in the arguments of a tool, whatever agent they come from: agents name the same
 * things differently, and so do the tools of MCP servers. What a tool does with a file is told by its name alone.
 */
export function readToolInput(tool: string, input: JsonValue | undefined, cwd?: string): ToolInput {
  const name = tool.split(/__|[:/]/).at(-1) || tool;
  if (PATCHES.test(name)) return withPaths(patchedPaths(patchText(input)), name);
  if (!isObject(input)) return withPaths([], name);
  const command = commandIn(input, tool);
  const hasPath = Object.keys(input).some((member) => MEMBERS.path.test(member));
  const editing = command !== undefined && EDITOR_WORDS.test(command) && hasPath;
  const reads = editing && command === "view";
  const access = reads ? "read" : editing ? "write" : accessOf(name);
  if (command === undefined || editing) return withPaths(namedPaths(input, name, access, true), name);
  const shell = shellOf(tool, name, cwd);
  const starts = FOLDER_MEMBERS.find((member) => typeof input[member] === "string" && input[member] !== "");
  const runsIn = starts === undefined ? undefined : input[starts];
  const paths = namedPaths(input, name, access, false);
  return {
    command,
    ...(shell === undefined ? {} : { shell }),
    ...(typeof runsIn === "string" ? { runsIn } : {}),
    ...(paths.length === 0 ? {} : { paths }),
  };
}

function withPaths(paths: readonly NamedPath[], name: string): Pick<ToolInput, "paths" | "unread"> {
  if (paths.length > 0) return { paths: paths.slice(0, MAX_PATHS) };
  const must = MUST_NAME.test(name) ? "which files it changes" : MUST_RUN.test(name) ? "what it runs" : undefined;
  return must === undefined ? {} : { unread: `The arguments do not say, in a form that is known here, ${must}.` };
}

function accessOf(name: string): Access | undefined {
  if (READS.test(name)) return "read";
  if (DELETES.test(name)) return "delete";
  return WRITES.test(name) ? "write" : undefined;
}

function commandIn(input: JsonObject, tool: string): string | undefined {
  if (/redis|valkey|slash_?command|mongo/i.test(tool)) return undefined;
  const named = COMMAND_MEMBERS.flatMap((member) => commandOf(input[member], member === "commands") ?? []);
  // Beside a command, `argv` has its arguments.
  const given = named.length > 0 ? named : [commandOf(input["argv"], false) ?? []].flat();
  const [only, ...others] = given;
  if (only !== undefined) return others.length > 0 ? given.join("\n") : withArguments(only, input);
  const own = tool.split(/__|[:/]/).at(-1) ?? tool;
  if (PROGRAMS.test(own) && (Array.isArray(input["args"]) || typeof input["args"] === "string")) return withArguments(own, input);
  const { action } = input;
  if (isObject(action)) return commandIn(action, tool);
  const member = (pattern: RegExp) => Object.keys(input).find((key) => pattern.test(key) && input[key] !== "");
  const program = member(MEMBERS.program);
  const isShell = SHELLS.test(tool);
  if (program !== undefined && typeof input[program] === "string" && (isShell || member(MEMBERS.arguments) !== undefined))
    return withArguments(quoteWord(input[program]), input);
  const typed = isShell ? (member(/^(?:script|code)$/i) ?? member(MEMBERS.typed)) : undefined;
  return typed === undefined ? undefined : commandOf(input[typed], false);
}

/** `{ command: "git", args: ["push", "-f"] }`. */
function withArguments(command: string, input: JsonObject): string {
  const key = Object.keys(input).find((one) => MEMBERS.arguments.test(one));
  const value = key === undefined ? undefined : input[key];
  const words = Array.isArray(value) ? value.filter((one) => typeof one === "string") : typeof value === "string" ? [value] : [];
  if (words.length === 0) return command;
  return Array.isArray(value) ? `${command} ${words.map(quoteWord).join(" ")}` : `${command} ${words.join(" ")}`;
}

function commandOf(value: JsonValue | undefined, several: boolean): string | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const texts = value.map((one: JsonValue) => (isObject(one) ? one["command"] : one));
  if (!texts.every((text) => typeof text === "string")) return undefined;
  return several ? texts.join("\n") : joinArguments(texts);
}

/** An argument list: `["bash", "-lc", "text"]` is the text, all others are quoted. */
function joinArguments(words: readonly string[]): string {
  const [program = "", option = "", text] = words;
  if (words.length === 3 && text !== undefined && /(?:^|\/)(?:ba|z|da|k)?sh$/.test(program) && /^-\w*c$/.test(option)) return text;
  return words.map(quoteWord).join(" ");
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function shellOf(tool: string, name: string, cwd: string | undefined): Shell | undefined {
  if (/p(?:ower)?wsh|powershell/i.test(tool)) return "powershell";
  if (/^cmd(?:\.exe)?$/i.test(name)) return "cmd";
  if (/^fish$/i.test(name)) return "fish";
  // On Windows a tool that does not say so may be any of them.
  return cwd !== undefined && /^[A-Za-z]:[\\/]/.test(cwd) && !/bash/i.test(name) ? "unknown" : undefined;
}

const DESTINATIONS = /^(?:destination|dest|dst|to|new_?path|newPath|target|output)(?:_?(?:path|dir|directory|folder|file))?$/i;

function namedPaths(input: JsonObject, name: string, access: Access | undefined, folders: boolean): readonly NamedPath[] {
  const paths: NamedPath[] = [];
  const add = (value: JsonValue | undefined, how: Access | undefined): void => {
    if (paths.length > MAX_PATHS) return;
    if (typeof value === "string" && value !== "" && value.length < MAX_PATH_CHARACTERS && !value.includes("\n")) {
      const path = value.startsWith("file://") ? decode(value.slice("file://".length)) : value;
      if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) paths.push(how === undefined ? { path } : { path, access: how });
    } else if (Array.isArray(value)) {
      for (const one of value.slice(0, MAX_PATHS)) {
        if (!isObject(one)) add(one, how);
        else for (const [key, inner] of Object.entries(one)) if (MEMBERS.path.test(key)) add(inner, how);
      }
    }
  };
  const moves = MOVES.test(name);
  const unpacks = UNPACKS.test(name);
  for (const [member, value] of Object.entries(input)) {
    if (/^(?:to|from|root|output|location)$/.test(member) && !moves && !/^cop(?:y|ies)|^cp|^link|^symlink/i.test(name)) continue;
    if (!MEMBERS.path.test(member) && !(folders && FOLDER_MEMBERS.includes(member)) && !/^(?:edits|operations|changes|files)$/.test(member))
      continue;
    if (!folders && FOLDER_MEMBERS.includes(member)) continue;
    const copies = /^cop(?:y|ies)|^cp/i.test(name);
    if (moves || copies) add(value, DESTINATIONS.test(member) ? "write" : copies ? "read" : "delete");
    else add(value, unpacks && DESTINATIONS.test(member) ? "write" : access);
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
    .map((one) => (typeof one === "string" ? one : Array.isArray(one) ? patchText(one) : ""))
    .join("\n");
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
