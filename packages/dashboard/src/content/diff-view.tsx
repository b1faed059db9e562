import { countChangedLines, type FileChange, formatNumber, type ShownLine } from "@earshot/narrate";
import { type ReactNode, useState } from "react";
import { VisibleText } from "./visible-text.tsx";

const SIGNS: Readonly<Record<ShownLine["kind"], string>> = { same: " ", gone: "−", new: "+", skip: "⋯" };
const WORDS: Readonly<Record<ShownLine["kind"], string>> = { same: "", gone: "removed: ", new: "added: ", skip: "" };
const MAX_LINES = 40;

/** A change of a file: removed, added and surrounding lines. Signs and words repeat what the colors say. */
export function DiffView({ change }: { readonly change: FileChange }): ReactNode {
  const { added, removed } = countChangedLines(change);
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
        <LongList items={change.lines} most={MAX_LINES} name="lines of the change">
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

/** All file changes of one event. */
export function Changes({ changes }: { readonly changes: readonly FileChange[] }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which do not move; a file may be changed twice
  return changes.map((change, index) => <DiffView key={index} change={change} />);
}

interface LongListProps<Item> {
  readonly items: readonly Item[];
  readonly most: number;
  /** Plural name of the items: "lines of the output". */
  readonly name: string;
  readonly children: (item: Item, index: number) => ReactNode;
}

/** The beginning of a long list, and a button that shows the rest. */
function LongList<Item>({ items, most, name, children }: LongListProps<Item>): ReactNode {
  const [isWhole, setWhole] = useState(false);
  // A few extra items do not justify a button.
  const isShort = items.length <= most * 1.25;
  return (
    <>
      {(isWhole || isShort ? items : items.slice(0, most)).map(children)}
      {isShort ? null : (
        <button type="button" className="small-button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : `Show all ${formatNumber(items.length)} ${name}`}
        </button>
      )}
    </>
  );
}
