import type { SessionTree, SessionView } from "@earshot/hub";
import { agentName, formatNumber, formatShortDuration, formatShortMoney, projectName } from "@earshot/narrate";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { requestAsDevice } from "../../hub/request-as-device.ts";
import { PageLink } from "../../parts/link.tsx";
import { ShortTime } from "../../parts/moment.tsx";
import { StatusLabel } from "../../parts/status.tsx";
import { hrefOf } from "../../route.ts";

export interface SessionTableProps {
  readonly sessions: readonly SessionView[];
  /** The list contains only sessions without a parent: their subagents are collapsed. */
  readonly isFolded: boolean;
  /** Reads more; undefined at the end of the list or during a read. */
  readonly onEnd: (() => void) | undefined;
}

interface Line {
  readonly session: SessionView;
  readonly depth: number;
}

const ROW_HEIGHT = 44;
const NARROW = "(width < 48rem)";
const NARROW_ROW_HEIGHT = 84;
/** Distance from the last loaded row at which more rows are read. */
const NEAR_END = 40;
const COLUMNS = ["Compare", "State", "Agent", "Project", "Goal", "Last event", "Duration", "Calls", "Failed", "Cost"] as const;
const NUMBERS: readonly string[] = ["Duration", "Calls", "Failed", "Cost"];

/** A virtualized table of sessions: only visible rows are rendered. */
export function SessionTable({ sessions, isFolded, onEnd }: SessionTableProps): ReactNode {
  const body = useRef<HTMLTableElement>(null);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const families = useFamilies();
  const lines = sessions.flatMap((session): readonly Line[] => [
    { session, depth: 0 },
    ...(isFolded ? (families.open.get(session.key) ?? []) : []),
  ]);
  const isNarrow = useMatch(NARROW);
  const [margin, setMargin] = useState(0);
  useLayoutEffect(() => setMargin(body.current?.offsetTop ?? 0), []);
  const list = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => (isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT),
    getItemKey: (index) => lines[index]?.session.key ?? index,
    overscan: 12,
    scrollMargin: margin,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height of a row depends on the width of the window
  useEffect(() => list.measure(), [isNarrow]);
  const drawn = list.getVirtualItems();
  const last = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last > lines.length - NEAR_END) onEnd?.();
  }, [last, lines.length, onEnd]);
  const choose = (key: number) =>
    setChosen((before) => (before.includes(key) ? before.filter((one) => one !== key) : [...before, key].slice(-2)));
  const [above, below] = [(drawn[0]?.start ?? margin) - margin, list.getTotalSize() - ((drawn.at(-1)?.end ?? margin) - margin)];
  const [left, right] = chosen;
  return (
    <>
      <table ref={body} className="session-table" aria-rowcount={lines.length + 1} aria-label="Sessions">
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map((name) => (
              <th key={name} scope="col" className={`${columnClass(name)}${NUMBERS.includes(name) ? " number" : ""}`}>
                {name === "Compare" ? <span className="told">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={above} />
          {drawn.map(({ index }) => {
            const line = lines[index];
            return line === undefined ? null : (
              <SessionRow
                key={line.session.key}
                line={line}
                index={index + 2}
                isChosen={chosen.includes(line.session.key)}
                onChoose={choose}
                isOpen={isFolded && line.session.children > 0 ? families.open.has(line.session.key) : undefined}
                onToggle={families.toggle}
              />
            );
          })}
          <Spacer height={below} />
        </tbody>
      </table>
      {left === undefined || right === undefined ? null : (
        <p className="compare-bar">
          <PageLink className="button primary" href={hrefOf("compare", left, right)}>
            Compare these two sessions
          </PageLink>
          <button type="button" className="button" onClick={() => setChosen([])}>
            Clear
          </button>
        </p>
      )}
    </>
  );
}

function Spacer({ height }: { readonly height: number }): ReactNode {
  return height <= 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row of a table takes no focus
    <tr aria-hidden="true" className="spacer" style={{ blockSize: height }}>
      <td colSpan={COLUMNS.length} />
    </tr>
  );
}

function columnClass(name: string): string {
  return `col-${name.toLowerCase().replaceAll(" ", "-")}`;
}

interface SessionRowProps {
  readonly line: Line;
  readonly index: number;
  readonly isChosen: boolean;
  readonly onChoose: (key: number) => void;
  /** Whether its subagents are shown; undefined if it has none. */
  readonly isOpen: boolean | undefined;
  readonly onToggle: (key: number) => void;
}

function SessionRow({ line: { session, depth }, index, isChosen, onChoose, isOpen, onToggle }: SessionRowProps): ReactNode {
  const { key, status, agent, workspace, goal, lastSummary, lastEventAt, durationMs, counts, costUsd, children } = session;
  const name = agentName(agent);
  const title = goal ?? lastSummary ?? session.id;
  return (
    <tr aria-rowindex={index} data-depth={Math.min(depth, 3)}>
      <td className="col-compare">
        <input type="checkbox" checked={isChosen} onChange={() => onChoose(key)} aria-label={`Compare ${name}: ${title.slice(0, 80)}`} />
      </td>
      <td className="col-state">
        <StatusLabel status={status} />
      </td>
      <td className="col-agent">
        {isOpen === undefined ? null : (
          <button
            type="button"
            className="fold"
            aria-expanded={isOpen}
            aria-label={`Subagents of ${name}: ${children}`}
            onClick={() => onToggle(key)}
          >
            <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> {children}
          </button>
        )}
        <VisibleText text={name} />
      </td>
      <td className="col-project">
        <VisibleText text={projectName(workspace) ?? ""} />
      </td>
      <th scope="row" className="col-goal">
        <PageLink href={hrefOf("session", key)}>
          <VisibleText text={title.slice(0, 200)} />
        </PageLink>
      </th>
      <td className="col-last-event">
        <ShortTime at={lastEventAt} />
      </td>
      <td className="col-duration number">{formatShortDuration(durationMs)}</td>
      <td className="col-calls number">{formatNumber(counts.calls)}</td>
      <td className={counts.failedCalls > 0 ? "col-failed number bad" : "col-failed number"}>{formatNumber(counts.failedCalls)}</td>
      <td className="col-cost number">{costUsd === undefined ? "" : formatShortMoney(costUsd)}</td>
    </tr>
  );
}

/** The expanded subagents, by parent session. */
function useFamilies(): { readonly open: ReadonlyMap<number, readonly Line[]>; readonly toggle: (key: number) => void } {
  const [open, setOpen] = useState<ReadonlyMap<number, readonly Line[]>>(new Map());
  const toggle = (key: number) => {
    if (open.has(key)) {
      setOpen(new Map([...open].filter(([other]) => other !== key)));
      return;
    }
    requestAsDevice<SessionTree>("GET", `/api/sessions/${key}/tree`).then(
      ({ nodes }) => {
        const lines = nodes.filter((node) => node.key !== key).map((node) => ({ session: node, depth: node.depth }));
        setOpen((before) => new Map(before).set(key, lines));
      },
      () => {}, // that the hub is away is shown on every page
    );
  };
  return { open, toggle };
}

function useMatch(media: string): boolean {
  const [isMatch, setMatch] = useState(() => matchMedia(media).matches);
  useEffect(() => {
    const list = matchMedia(media);
    const look = () => setMatch(list.matches);
    list.addEventListener("change", look);
    look();
    return () => list.removeEventListener("change", look);
  }, [media]);
  return isMatch;
}
