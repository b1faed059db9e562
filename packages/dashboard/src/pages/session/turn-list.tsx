import type { ReactNode } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { ItemRow, isAt, rowIdOf } from "./item-row.tsx";
import { type Turn, turnHeadingOf } from "./rows.ts";
import type { OpenedDetail } from "./use-opened.ts";

export interface TurnListProps {
  readonly turns: readonly Turn[];
  readonly session: number;
  readonly at: number | undefined;
  readonly openedOf: (key: string) => OpenedDetail;
  readonly onOpen: (key: string, opened: OpenedDetail) => void;
}

/** All rows in order, under a heading per turn: for reading from top to bottom. */
export function TurnList({ turns, session, at, openedOf, onOpen }: TurnListProps): ReactNode {
  return turns.map((turn) => (
    <section key={turn.key} className="turn" aria-labelledby={`turn-${turn.key}`}>
      <h2 id={`turn-${turn.key}`}>
        <VisibleText text={turnHeadingOf(turn)} />
      </h2>
      <ol className="items">
        {turn.rows.map((row) => (
          <li
            key={row.key}
            id={rowIdOf(row)}
            className="item"
            tabIndex={-1}
            data-row={row.key}
            aria-current={isAt(row, at) ? "true" : undefined}
          >
            <ItemRow
              row={row}
              session={session}
              opened={openedOf(row.key)}
              isTarget={isAt(row, at)}
              isSaidAbove={turn.isWhole}
              onOpen={onOpen}
            />
          </li>
        ))}
      </ol>
    </section>
  ));
}
