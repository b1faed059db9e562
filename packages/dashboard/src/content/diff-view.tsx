import type { ReactNode } from "react";
import { countLines } from "./file-change.ts";
import type { DiffLine, FileChange } from "./line-diff.ts";
import { LongList } from "./long-list.tsx";
import { VisibleText } from "./visible-text.tsx";

const SIGNS: Readonly<Record<DiffLine["kind"], string>> = { same: " ", gone: "−", new: "+", skip: "⋯" };
const WORDS: Readonly<Record<DiffLine["kind"], string>> = { same: "", gone: "removed: ", new: "added: ", skip: "" };
const MOST = 40;

/** A change of a file: what goes, what comes, and what stays around it. Says in signs and words what the colours say. */
export function DiffView({ change }: { readonly change: FileChange }): ReactNode {
  const { added, removed } = countLines(change);
  return (
    <figure className="diff">
      <figcaption>
        <code className="path">
          <VisibleText text={change.path === "" ? "Change" : change.path} as="code" />
        </code>{" "}
        <span className="diff-count">
          <span className="good">{`+${added}`}</span> <span className="bad">{`−${removed}`}</span>
          <span className="told">{` lines: ${added} added, ${removed} removed`}</span>
        </span>
      </figcaption>
      <div className="diff-lines">
        <LongList items={change.lines} most={MOST} name="lines of the change">
          {(line, index) => (
            <div key={index} className={`diff-line ${line.kind}`}>
              <span aria-hidden="true">{SIGNS[line.kind]}</span>
              <code>
                <span className="told">{WORDS[line.kind]}</span>
                <VisibleText text={line.text} as="code" />
              </code>
            </div>
          )}
        </LongList>
      </div>
    </figure>
  );
}
