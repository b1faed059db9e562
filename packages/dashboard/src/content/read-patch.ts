import type { DiffLine, FileChange } from "./line-diff.ts";

const FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/;
const OLD_FILE = /^--- (?:a\/)?([^\t]+)/;
const NEW_FILE = /^\+\+\+ (?:b\/)?([^\t]+)/;

/** A patch as `diff -u`, git and `apply_patch` write it. Nothing where the text is none. */
export function readPatch(text: string): readonly FileChange[] {
  if (!/^(\*\*\* Begin Patch|diff --git |--- |@@)/m.test(text)) return [];
  const changes: { path: string; lines: DiffLine[] }[] = [];
  let current: { path: string; lines: DiffLine[] } | undefined;
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
