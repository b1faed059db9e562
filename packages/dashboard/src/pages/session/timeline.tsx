import type { SessionView } from "@earshot/hub";
import { formatCount } from "@earshot/narrate";
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { LiveEntry } from "../../hub/live.ts";
import { requestAsDevice } from "../../hub/request-as-device.ts";
import { useSettings } from "../../settings.ts";
import { SessionOverview } from "./overview.tsx";
import { storyAsOf } from "./replay.ts";
import { type TimelineRow, toTimelineRows, toTurns } from "./rows.ts";
import { type ScrollHandle, ScrollList } from "./scroll-list.tsx";
import { TurnList } from "./turn-list.tsx";
import { useKeys } from "./use-keys.ts";
import { useOpened } from "./use-opened.ts";
import type { LoadedStory } from "./use-story.ts";

export interface TimelineProps {
  readonly session: SessionView;
  readonly story: LoadedStory;
  /** The linked position. */
  readonly at: number | undefined;
}

/** The items in order; above them an overview with a slider for replay. */
export function Timeline({ session, story, at }: TimelineProps): ReactNode {
  const { timeline } = useSettings();
  const opened = useOpened();
  const [moment, setMoment] = useState<number>();
  const region = useRef<HTMLDivElement>(null);
  const scroll = useRef<ScrollHandle>(null);
  const { window } = story;
  const rows = useMemo(() => toTimelineRows(window?.items ?? []), [window]);
  const shown = useMemo(() => (moment === undefined ? rows : storyAsOf(rows, moment)), [rows, moment]);
  const firstNumber = window === undefined ? undefined : numberOfFirst(session, window);
  const isFirst = window?.isFirst ?? true;
  const turns = useMemo(() => toTurns(shown, { isFirst, goal: session.goal, firstNumber }), [shown, isFirst, session.goal, firstNumber]);
  const [follows, setFollows] = useFollow(rows.length, region);

  const focusRow = useCallback((key: string, block: ScrollLogicalPosition) => {
    scroll.current?.show(key);
    let tries = 0;
    const look = () => {
      const row = document.getElementById(`at-${key}`);
      if (row === null) {
        if (++tries < 20) requestAnimationFrame(look); // drawn when it has been scrolled to
        return;
      }
      row.focus({ preventScroll: true });
      row.scrollIntoView({ block });
    };
    look();
  }, []);

  const cameFor = useRef<number>(undefined);
  useEffect(() => {
    if (at === undefined || window === undefined || cameFor.current === at) return;
    const { items, later } = window;
    const isHere = items.some(({ position }) => position <= at) && (later === undefined || items.some(({ position }) => position >= at));
    cameFor.current = at;
    if (isHere) void findRow(rows, at).then((row) => row !== undefined && focusRow(row.key, "center"));
    else {
      void story.around(at).then(() => {
        cameFor.current = undefined; // looked for again in what is read now
      });
    }
  }, [at, window, rows, story, focusRow]);

  useKeys({
    move: (by) => {
      const keys = shown.map(({ key }) => key);
      const index = keys.indexOf(rowOfFocus() ?? "");
      const next = keys[index < 0 ? 0 : Math.min(keys.length - 1, Math.max(0, index + by))];
      if (next !== undefined) focusRow(next, "nearest");
    },
    toggle: (how) => {
      const key = rowOfFocus();
      if (key !== undefined) opened.open(key, opened.of(key) === "no" || (how === "raw" && opened.of(key) !== "raw") ? how : "no");
    },
  });

  /** Loading more moves the focus to the first new row. */
  const load = (more: () => Promise<void>) => {
    const known = new Set(rows.map(({ key }) => key));
    void more().then(() => {
      requestAnimationFrame(() => {
        const added = [...(region.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])].find(
          ({ dataset }) => !known.has(dataset["row"] ?? ""),
        );
        added?.focus();
      });
    });
  };
  if (window === undefined) return <p className="soft">Loading.</p>;
  const lists = { turns, session: session.key, at, openedOf: opened.of, onOpen: opened.open };
  return (
    <>
      <SessionOverview
        session={session}
        rows={rows}
        items={window.items}
        moment={moment}
        onMoment={setMoment}
        isFirst={isFirst}
        isWhole={isFirst && window.later === undefined}
      />
      <div ref={region} className="timeline">
        <TimelineEnds
          where="before"
          hasMore={!isFirst}
          onMore={timeline === "scroll" ? undefined : () => load(story.earlier)}
          onFar={() => load(story.beginning)}
        />
        {timeline === "scroll" ? (
          <ScrollList
            {...lists}
            hasEarlier={!isFirst && moment === undefined}
            hasLater={window.later !== undefined && moment === undefined}
            isBusy={story.isBusy}
            follows={follows}
            onEarlier={story.earlier}
            onLater={story.later}
            handle={scroll}
          />
        ) : (
          <TurnList {...lists} />
        )}
        <TimelineEnds
          where="after"
          hasMore={window.later !== undefined && moment === undefined}
          onMore={timeline === "scroll" ? undefined : () => load(story.later)}
          onFar={() => load(story.end)}
        />
        <p className="timeline-end soft">
          {moment !== undefined
            ? `Replay: ${formatCount(rows.length - 1 - moment, "item")} still to come.`
            : window.later !== undefined
              ? ""
              : session.endedAt === undefined
                ? "End of the timeline so far."
                : "End of the timeline."}
          {session.endedAt === undefined && window.later === undefined && moment === undefined ? (
            <label className="follow-check">
              <input type="checkbox" checked={follows} onChange={({ currentTarget }) => setFollows(currentTarget.checked)} /> Follow new
              events
            </label>
          ) : null}
        </p>
      </div>
    </>
  );
}

function rowOfFocus(): string | undefined {
  return document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset["row"];
}

/** Returns the number of the first displayed prompt: counted from the start, or from the end if that is displayed. */
function numberOfFirst(
  { counts, lastPosition }: SessionView,
  { items, isFirst, later }: NonNullable<LoadedStory["window"]>,
): number | undefined {
  if (isFirst) return 1;
  const last = items.at(-1)?.position ?? 0;
  if (later !== undefined || last < lastPosition) return undefined;
  const shown = items.filter(({ activity, continues }) => activity.kind === "prompt" && continues === undefined).length;
  return counts.prompts - shown + 1;
}

/** Returns the row that shows a position: its own, or the row of the call or output to which it belongs; otherwise the row before it. */
async function findRow(rows: readonly TimelineRow[], position: number): Promise<TimelineRow | undefined> {
  const own = rows.find(({ item }) => item.position === position);
  if (own !== undefined) return own;
  const before = rows.filter(({ item }) => item.position < position);
  const said = await requestAsDevice<LiveEntry>("GET", `/api/entries/${position}`).then(
    ({ event }) => JSON.stringify(event),
    () => "", // removed: then nothing is known of it
  );
  const isPart = ({ item: { call, output } }: TimelineRow) =>
    [call?.callId, output?.outputId].some((id) => id !== undefined && id !== "" && said.includes(JSON.stringify(id)));
  return before.findLast(isPart) ?? before.at(-1) ?? rows[0];
}

interface TimelineEndsProps {
  readonly where: "before" | "after";
  readonly hasMore: boolean;
  /** Loads the adjacent part; undefined if it loads automatically. */
  readonly onMore: (() => void) | undefined;
  readonly onFar: () => void;
}

const WORDS = {
  before: { more: "Show earlier", far: "Go to the beginning", name: "Earlier parts of the timeline" },
  after: { more: "Show later", far: "Go to the end", name: "Later parts of the timeline" },
} as const;

/** Links and buttons to the parts that are not displayed. */
function TimelineEnds({ where, hasMore, onMore, onFar }: TimelineEndsProps): ReactNode {
  if (!hasMore) return null;
  const { more, far, name } = WORDS[where];
  return (
    <nav className="timeline-ends" aria-label={name}>
      {onMore === undefined ? null : (
        <button type="button" className="button" onClick={onMore}>
          {more}
        </button>
      )}
      <button type="button" className="button" onClick={onFar}>
        {far}
      </button>
    </nav>
  );
}

/** A distance from the end that counts as being at the end. */
const NEAR_PX = 120;

/** Follows the end of the page as it grows: only if enabled, and only while the page is scrolled to the end. */
function useFollow(length: number, region: RefObject<HTMLElement | null>): readonly [boolean, (follows: boolean) => void] {
  const [follows, setFollows] = useState(false);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const look = () => {
      isAtEnd.current = innerHeight + scrollY >= document.documentElement.scrollHeight - NEAR_PX;
    };
    look();
    addEventListener("scroll", look, { passive: true });
    return () => removeEventListener("scroll", look);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever it has grown
  useEffect(() => {
    if (follows && isAtEnd.current) region.current?.scrollIntoView({ block: "end" });
  }, [length, follows, region]);
  const change = (wanted: boolean) => {
    if (wanted) isAtEnd.current = true;
    setFollows(wanted);
  };
  return [follows, change];
}
