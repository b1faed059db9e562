import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { ItemRow, isAt, rowIdOf } from "./item-row.tsx";
import { type TimelineRow, type Turn, turnHeadingOf } from "./rows.ts";
import type { TurnListProps } from "./turn-list.tsx";

export interface ScrollListProps extends TurnListProps {
  readonly hasEarlier: boolean;
  readonly hasLater: boolean;
  readonly isBusy: boolean;
  readonly follows: boolean;
  readonly onEarlier: () => void;
  readonly onLater: () => void;
  readonly handle: RefObject<ScrollHandle | null>;
}

export interface ScrollHandle {
  /** Scrolls a row into view and renders it. */
  readonly show: (key: string) => void;
}

type Line = { readonly turn: Turn; readonly row?: undefined } | { readonly turn: Turn; readonly row: TimelineRow };

/** Distance from an end, in rows, at which the next part is read. */
const NEAR = 30;
const ROW_HEIGHT = 52;

/** The same rows as one virtualized list: only visible rows are rendered, which keeps scrolling smooth at any length. */
export function ScrollList(props: ScrollListProps): ReactNode {
  const { turns, session, at, openedOf, onOpen, hasEarlier, hasLater, isBusy, follows, onEarlier, onLater, handle } = props;
  const frame = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => turns.flatMap((turn): readonly Line[] => [{ turn }, ...turn.rows.map((row) => ({ turn, row }))]), [turns]);
  const [isReady, setReady] = useState(false);
  /** The focused row stays rendered when it scrolls out of view; otherwise the focus would be lost. */
  const [held, setHeld] = useState<string>();
  const list = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => keyOf(lines[index]),
    overscan: 8,
    // Rows added before the visible ones do not shift them; rows added at the end are followed if the user enabled that.
    anchorTo: "end",
    followOnAppend: follows,
    rangeExtractor: (range) => withRow(range, held === undefined ? -1 : lines.findIndex((line) => line.row?.key === held)),
  });
  const startsAtEnd = hasEarlier && !hasLater;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is first drawn
  useLayoutEffect(() => {
    if (startsAtEnd) list.scrollToEnd();
    const frame = requestAnimationFrame(() => setReady(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  const drawn = list.getVirtualItems();
  const [first, last] = [drawn[0]?.index ?? 0, drawn.at(-1)?.index ?? 0];
  useEffect(() => {
    if (!isReady || isBusy || lines.length === 0) return;
    if (hasEarlier && first < NEAR) onEarlier();
    else if (hasLater && last > lines.length - NEAR) onLater();
  }, [isReady, first, last, lines.length, hasEarlier, hasLater, isBusy, onEarlier, onLater]);
  useImperativeHandle(handle, () => ({
    show: (key) => {
      const index = lines.findIndex((line) => line.row?.key === key);
      if (index >= 0) list.scrollToIndex(index, { align: "center" });
    },
  }));
  return (
    <div
      ref={frame}
      className="scroll-frame"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      role="feed"
      aria-busy={isBusy}
      aria-label="Timeline"
      onFocus={({ target }) => setHeld(target.closest<HTMLElement>("[data-row]")?.dataset["row"])}
      onBlur={() => setHeld(undefined)}
    >
      <div className="scroll-room" style={{ blockSize: list.getTotalSize() }}>
        {drawn.map(({ index, start, key }) => {
          const line = lines[index];
          return line === undefined ? null : (
            <div
              key={key}
              data-index={index}
              ref={list.measureElement}
              className="scroll-line"
              style={{ transform: `translateY(${start}px)` }}
            >
              {line.row === undefined ? (
                <h2>
                  <VisibleText text={turnHeadingOf(line.turn)} />
                </h2>
              ) : (
                <article
                  id={rowIdOf(line.row)}
                  className="item"
                  tabIndex={-1}
                  data-row={line.row.key}
                  aria-posinset={index + 1}
                  aria-setsize={-1}
                  aria-current={isAt(line.row, at) ? "true" : undefined}
                >
                  <ItemRow
                    row={line.row}
                    session={session}
                    opened={openedOf(line.row.key)}
                    isTarget={isAt(line.row, at)}
                    isSaidAbove={line.turn.isWhole}
                    onOpen={onOpen}
                  />
                </article>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function withRow(range: Range, index: number): number[] {
  const drawn = defaultRangeExtractor(range);
  if (index < 0 || drawn.includes(index)) return drawn;
  return index < (drawn[0] ?? 0) ? [index, ...drawn] : [...drawn, index];
}

function keyOf(line: Line | undefined): string {
  if (line === undefined) return "";
  return line.row === undefined ? `turn ${line.turn.key}` : line.row.key;
}
