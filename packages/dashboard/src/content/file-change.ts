import { diffLines, type FileChange, linesOf } from "./line-diff.ts";
import { readPatch } from "./read-patch.ts";

type Members = Readonly<Record<string, unknown>>;

const PATHS = ["file_path", "filePath", "path", "filename", "notebook_path", "target_file"] as const;
const OLD = ["old_string", "oldString", "old_str", "old_text"] as const;
const NEW = ["new_string", "newString", "new_str", "new_text"] as const;
const WHOLE = ["content", "file_text", "contents"] as const;
const PATCHES = ["patch", "diff", "input"] as const;
const WRITES = /^(write|create|save|put)/i;

/** The changes that a call of a tool makes to files, from what it was called with; none where it is no edit. */
export function readChanges(tool: string, input: unknown): readonly FileChange[] {
  if (typeof input === "string") return readPatch(input);
  if (!isMembers(input)) return [];
  const path = textIn(input, PATHS) ?? "";
  const edits = Array.isArray(input["edits"]) ? input["edits"].filter(isMembers) : [input];
  const changed = edits.flatMap((edit) => {
    const [before, after] = [textIn(edit, OLD), textIn(edit, NEW)];
    return before === undefined || after === undefined ? [] : [diffLines(before, after)];
  });
  if (changed.length > 0) return [{ path, lines: changed.flat() }];
  const patch = textIn(input, PATCHES);
  const patched = patch === undefined ? [] : readPatch(patch);
  if (patched.length > 0) return patched;
  const whole = textIn(input, WHOLE);
  if (whole === undefined || path === "" || !WRITES.test(tool)) return [];
  return [{ path, lines: linesOf(whole).map((text) => ({ kind: "new", text })) }];
}

/** How many lines come and go. */
export function countLines({ lines }: FileChange): { readonly added: number; readonly removed: number } {
  return { added: lines.filter(({ kind }) => kind === "new").length, removed: lines.filter(({ kind }) => kind === "gone").length };
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
