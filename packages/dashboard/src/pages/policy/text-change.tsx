import { diffLines } from "@earshot/narrate";
import { type ReactNode, useMemo } from "react";
import { DiffView } from "../../content/diff-view.tsx";

/** Lines removed from and added to a rules file. */
export function TextChange({
  path,
  before,
  after,
}: {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}): ReactNode {
  const lines = useMemo(() => diffLines(before ?? "", after ?? ""), [before, after]);
  if (lines.length === 0 || lines.every(({ kind }) => kind === "same" || kind === "skip"))
    return <p className="soft">The texts are the same.</p>;
  return <DiffView change={{ path, lines }} />;
}
