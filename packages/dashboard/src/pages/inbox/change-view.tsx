import { formatCount, type ShownLine } from "@earshot/narrate";
import type { ReactNode } from "react";
import type { Change } from "./change.ts";
import { ShownText } from "./shown-text.tsx";

/** A change line by line. A sign, a colour and a word say the same about each. */
export function ChangeView({ change }: { readonly change: Change }): ReactNode {
  const { title, lines, gone, added } = change;
  return (
    <figure className="card-change">
      <figcaption>
        {title === undefined ? "" : `${title}: `}
        {`${formatCount(gone, "line")} removed, ${formatCount(added, "line")} added`}
      </figcaption>
      <ol className="change-lines" dir="ltr">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name, and they do not change
          <Line key={index} line={line} />
        ))}
      </ol>
    </figure>
  );
}

const SIGNS: Readonly<Record<ShownLine["kind"], readonly [string, string]>> = {
  same: [" ", ""],
  gone: ["−", "removed: "],
  new: ["+", "added: "],
  skip: ["⋯", ""],
};

function Line({ line: { kind, text } }: { readonly line: ShownLine }): ReactNode {
  const [sign, word] = SIGNS[kind];
  return (
    <li className={`line-${kind}`}>
      <span aria-hidden="true" className="sign">
        {sign}
      </span>
      {word === "" ? null : <span className="told">{word}</span>}
      <span className="line-text">
        <ShownText text={text} />
      </span>
    </li>
  );
}
