import type { ReactNode } from "react";
import { DiffView } from "./diff-view.tsx";
import type { FileChange } from "./line-diff.ts";

/** All that is done to files at once. */
export function Changes({ changes }: { readonly changes: readonly FileChange[] }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which do not move; a file may be changed twice
  return changes.map((change, index) => <DiffView key={index} change={change} />);
}
