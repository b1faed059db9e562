import { formatNumber } from "@earshot/narrate";
import { type ReactNode, useState } from "react";

export interface LongListProps<Item> {
  readonly items: readonly Item[];
  readonly most: number;
  /** What there are many of: "lines of the output". */
  readonly name: string;
  readonly children: (item: Item, index: number) => ReactNode;
}

/** The beginning of a long list, and a button for the rest. */
export function LongList<Item>({ items, most, name, children }: LongListProps<Item>): ReactNode {
  const [isWhole, setWhole] = useState(false);
  // A few more are no reason for a button.
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
