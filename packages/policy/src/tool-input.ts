import type { JsonObject, JsonValue } from "@earshot/protocol";
import type { Access, Asked, NamedPath, Shell } from "./asked.ts";

/** What a tool's raw arguments say about commands and files. */
export type ToolInput = Pick<Asked, "command" | "shell" | "paths" | "runsIn">;

/** One more than are looked at, so that too many are noticed. */
const MOST_PATHS = 1001;
const COMMAND_MEMBERS = ["command", "command_line", "commandLine", "CommandLine", "cmd", "commands", "shell_command"];
const PATH_MEMBERS = [
  "file_path",
  "filePath",
  "path",
  "paths",
  "notebook_path",
  "TargetFile",
  "target_file",
  "targetFile",
  "AbsolutePath",
  "absolute_path",
  "relative_path",
  "file",
  "files",
  "filename",
  "directory",
  "DirectoryPath",
  "old_path",
  "new_path",
  "source",
  "destination",
];
/** Where a command starts; for tools without one it is a path like any other. */
const FOLDER_MEMBERS = ["directory", "cwd", "Cwd", "workdir", "working_directory", "workingDirectory", "dir_path"];
/** Those that name no folder a command starts in. */
const OTHER_PATH_MEMBERS = PATH_MEMBERS.filter((member) => !FOLDER_MEMBERS.includes(member));
const READS =
  /^(?:read|view|view_?file|read_?file|read_?text_?file|read_?many_?files|read_?multiple_?files|notebook_?read|glob|ls|list_?dir(?:ectory)?|list_?files|open_?file|get_?file_?info|fs_?read|developer__read)$/i;
const WRITES =
  /^(?:write|edit|multi_?edit|notebook_?edit|create|create_?file|write_?file|write_?to_?file|save-file|replace|replace_?file_?content|multi_?replace_?file_?content|str_?replace.*|str-replace-editor|insert_?edit_?into_?file|edit_?files?|editor|fs_?write|apply_?patch|applypatch|create_?directory|developer__(?:write|edit))$/i;
const DELETES = /^(?:delete|delete_?file|remove_?files?|remove-files)$/i;
const MOVES = /^(?:move|rename)(?:_?file)?$/i;
const PATCHES = /^apply_?patch$/i;
const EDITOR_WORDS = /^(?:view|create|str_replace|insert|undo_edit)$/;

/**
 * Finds the shell command and the files in the arguments of a tool, whatever agent they come from: agents name the same
 * things differently, and so do the tools of MCP servers. What a tool does with a file is told by its name alone.
 */
export function readToolInput(tool: string, input: JsonValue | undefined, cwd?: string): ToolInput {
  const name = tool.split(/__|[:/]/).at(-1) || tool;
  if (PATCHES.test(name)) return withPaths(patchedPaths(patchText(input)));
  if (!isObject(input)) return {};
  const command = commandIn(input);
  const editing = command !== undefined && EDITOR_WORDS.test(command) && PATH_MEMBERS.some((member) => member in input);
  const reads = editing && command === "view";
  const access = reads ? "read" : editing ? "write" : accessOf(name);
  if (command === undefined || editing) return withPaths(namedPaths(input, PATH_MEMBERS, name, access));
  const shell = shellOf(tool, name, cwd);
  const starts = FOLDER_MEMBERS.find((member) => typeof input[member] === "string" && input[member] !== "");
  const runsIn = starts === undefined ? undefined : input[starts];
  return {
    command,
    ...(shell === undefined ? {} : { shell }),
    ...(typeof runsIn === "string" ? { runsIn } : {}),
    ...withPaths(namedPaths(input, OTHER_PATH_MEMBERS, name, access)),
  };
}

function withPaths(paths: readonly NamedPath[]): Pick<ToolInput, "paths"> {
  return paths.length === 0 ? {} : { paths: paths.slice(0, MOST_PATHS) };
}

function accessOf(name: string): Access | undefined {
  if (READS.test(name)) return "read";
  if (DELETES.test(name)) return "delete";
  return WRITES.test(name) ? "write" : undefined;
}

function commandIn(input: JsonObject): string | undefined {
  for (const member of COMMAND_MEMBERS) {
    const value = input[member];
    if (typeof value === "string") return value;
    if (!Array.isArray(value) || value.length === 0) continue;
    const texts = value.map((one: JsonValue) => (isObject(one) ? one["command"] : one));
    if (texts.every((text) => typeof text === "string")) return member === "commands" ? texts.join("\n") : commandOf(texts);
  }
  return undefined;
}

/** An argument list: `["bash", "-lc", "text"]` is the text, all others are quoted. */
function commandOf(words: readonly string[]): string {
  const [program = "", option = "", text] = words;
  if (words.length === 3 && text !== undefined && /(?:^|\/)(?:ba|z|da|k)?sh$/.test(program) && /^-\w*c$/.test(option)) return text;
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}

function shellOf(tool: string, name: string, cwd: string | undefined): Shell | undefined {
  if (/p(?:ower)?wsh|powershell/i.test(tool)) return "powershell";
  if (/^cmd(?:\.exe)?$/i.test(name)) return "cmd";
  if (/^fish$/i.test(name)) return "fish";
  // On Windows a tool that does not say so may be any of them.
  return cwd !== undefined && /^[A-Za-z]:[\\/]/.test(cwd) && !/bash/i.test(name) ? "unknown" : undefined;
}

function namedPaths(input: JsonObject, members: readonly string[], name: string, access: Access | undefined): readonly NamedPath[] {
  const paths: NamedPath[] = [];
  const add = (value: JsonValue | undefined, how: Access | undefined): void => {
    if (typeof value === "string" && value !== "" && value.length < 4096) {
      const path = value.startsWith("file://") ? value.slice("file://".length) : value;
      if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) paths.push(how === undefined ? { path } : { path, access: how });
    } else if (Array.isArray(value)) {
      for (const one of value.slice(0, MOST_PATHS)) add(isObject(one) ? (one["path"] ?? one["file_path"] ?? one["filePath"]) : one, how);
    }
  };
  const moves = MOVES.test(name);
  for (const member of members) {
    const value = input[member];
    if (value === undefined) continue; // as nearly all of them
    add(value, moves ? (member === "destination" || member === "new_path" ? "write" : "delete") : access);
  }
  return paths;
}

function patchText(input: JsonValue | undefined): string {
  if (typeof input === "string") return input;
  if (!isObject(input)) return "";
  const [text] = [input["command"], input["patch"], input["patchText"], input["input"], input["diff"]].filter(
    (one) => typeof one === "string",
  );
  return text ?? "";
}

function patchedPaths(text: string): readonly NamedPath[] {
  const paths: NamedPath[] = [];
  for (const [, verb = "", file = ""] of text.matchAll(/^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/gm)) {
    paths.push({ path: file.trim(), access: verb === "Delete File" ? "delete" : "write" });
  }
  for (const [, file = ""] of text.matchAll(/^(?:\+\+\+|---) (?:[ab]\/)?(\S.*?)(?:\t.*)?$/gm)) {
    if (file !== "/dev/null") paths.push({ path: file, access: "write" });
  }
  return paths;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
