import { diffLines, type ShownLine, splitLines } from "./compare-lines.ts";

/** The change of one file. */
export interface FileChange {
  /** Empty if unknown. */
  readonly path: string;
  readonly lines: readonly ShownLine[];
}

type Members = Readonly<Record<string, unknown>>;

const PATHS = ["file_path", "filePath", "path", "filename", "notebook_path", "target_file"] as const;
const OLD = ["old_string", "oldString", "old_str", "old_text"] as const;
const NEW = ["new_string", "newString", "new_str", "new_text"] as const;
const WHOLE = ["content", "file_text", "contents"] as const;
const PATCHES = ["patch", "diff", "input"] as const;
const WRITES = /^(write|create|save|put)/i;

/** The file changes a tool call makes, from its input; none if it is not an edit. */
export function readChanges(tool: string, input: unknown, language?: string): readonly FileChange[] {
  if (typeof input === "string") return readPatch(input);
  if (!isMembers(input)) return [];
  const path = textIn(input, PATHS) ?? "";
  const edits = Array.isArray(input["edits"]) ? input["edits"].filter(isMembers) : [input];
  const changed = edits.flatMap((edit) => {
    const [before, after] = [textIn(edit, OLD), textIn(edit, NEW)];
    return before === undefined || after === undefined ? [] : [diffLines(before, after, language)];
  });
  if (changed.length > 0) return [{ path, lines: changed.flat() }];
  const patch = textIn(input, PATCHES);
  const patched = patch === undefined ? [] : readPatch(patch);
  if (patched.length > 0) return patched;
  const whole = textIn(input, WHOLE);
  if (whole === undefined || path === "" || !WRITES.test(tool)) return [];
  return [{ path, lines: splitLines(whole).map((text) => ({ kind: "new", text })) }];
}

/** Number of added and removed lines. */
export function countChangedLines({ lines }: FileChange): { readonly added: number; readonly removed: number } {
  return { added: lines.filter(({ kind }) => kind === "new").length, removed: lines.filter(({ kind }) => kind === "gone").length };
}

const FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/;
const OLD_FILE = /^--- (?:a\/)?([^\t]+)/;
const NEW_FILE = /^\+\+\+ (?:b\/)?([^\t]+)/;

/** Parses a patch in the format of `diff -u`, git or `apply_patch`. Empty if the text is not one. */
export function readPatch(text: string): readonly FileChange[] {
  if (!/^(\*\*\* Begin Patch|diff --git |--- |@@)/m.test(text)) return [];
  const changes: { path: string; lines: ShownLine[] }[] = [];
  let current: { path: string; lines: ShownLine[] } | undefined;
  const begin = (path: string) => {
    current = { path, lines: [] };
    changes.push(current);
  };
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  for (const [index, line] of lines.entries()) {
    const follows = lines[index + 1] ?? "";
    const named = FILE.exec(line)?.[1];
    if (named !== undefined) begin(named);
    else if (OLD_FILE.test(line) && NEW_FILE.test(follows)) {
      const fresh = NEW_FILE.exec(follows)?.[1] ?? "";
      begin(fresh === "/dev/null" ? (OLD_FILE.exec(line)?.[1] ?? "") : fresh);
    } else if (NEW_FILE.test(line) && OLD_FILE.test(lines[index - 1] ?? "")) continue;
    else if (line.startsWith("@@")) {
      if (current === undefined) begin("");
      current?.lines.push({ kind: "skip", text: line });
    } else if (line.startsWith("+")) current?.lines.push({ kind: "new", text: line.slice(1) });
    else if (line.startsWith("-")) current?.lines.push({ kind: "gone", text: line.slice(1) });
    else if (line.startsWith(" ")) current?.lines.push({ kind: "same", text: line.slice(1) });
  }
  return changes.filter((change) => change.lines.some(({ kind }) => kind === "new" || kind === "gone"));
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textIn(members: Members, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = members[name];
    if (typeof value === "string") return value;
  }
  return undefined;
}
