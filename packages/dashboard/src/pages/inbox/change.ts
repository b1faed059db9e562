import type { AskedCard } from "@earshot/hub";
import { diffLines, findInputChanges, type ShownLine } from "@earshot/narrate";

/** The effect of an edit on a file, with every line. */
export interface InputFileChange {
  readonly title: string | undefined;
  readonly lines: readonly ShownLine[];
  readonly gone: number;
  readonly added: number;
}

/** Returns the changes in an input; empty if it is not an edit. */
export function readInputChanges(asked: Pick<AskedCard, "input" | "title">): readonly InputFileChange[] {
  const changes = findInputChanges(asked);
  return changes.map((change, index) => {
    const title = changes.length > 1 ? `Change ${index + 1} of ${changes.length}` : undefined;
    return toChange(title, change.kind === "patch" ? patchLines(change.text) : diffLines(change.before, change.after));
  });
}

function toChange(title: string | undefined, lines: readonly ShownLine[]): InputFileChange {
  return {
    title,
    lines,
    gone: lines.filter(({ kind }) => kind === "gone").length,
    added: lines.filter(({ kind }) => kind === "new").length,
  };
}

/** Returns all lines, including those that name files: a deleted file may have no others. */
function patchLines(text: string): readonly ShownLine[] {
  return text.split(/\r?\n/).map((line): ShownLine => {
    if (/^(?:\+\+\+|---|\*\*\*|@@)/.test(line)) return { kind: "skip", text: line };
    if (line.startsWith("+")) return { kind: "new", text: line.slice(1) };
    if (line.startsWith("-")) return { kind: "gone", text: line.slice(1) };
    return { kind: "same", text: line.replace(/^ /, "") };
  });
}
