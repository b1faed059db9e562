import type { SessionView, StoryPage } from "@earshot/hub";
import { useCallback, useEffect, useRef, useState } from "react";
import type { LiveUpdateOfHub } from "../../hub/live.ts";
import { HubProblem, requestAsDevice } from "../../hub/request-as-device.ts";
import { useLive } from "../../hub/use-hub.ts";
import {
  openAround,
  openBeginning,
  openEnd,
  openStory,
  type ReadStory,
  readEarlier,
  readLater,
  readOn,
  readTail,
  type StoryWindow,
} from "./story-window.ts";

export interface LoadedStory {
  readonly window: StoryWindow | undefined;
  readonly problem: HubProblem | undefined;
  readonly isBusy: boolean;
  readonly earlier: () => Promise<void>;
  readonly later: () => Promise<void>;
  readonly beginning: () => Promise<void>;
  readonly end: () => Promise<void>;
  readonly around: (position: number) => Promise<void>;
  /** Reads as much of the story as allowed. */
  readonly all: () => Promise<void>;
}

/** Minimum time between two reads caused by live updates. */
const LOOK_EVERY_MS = 700;
const MAX_AT_ONCE = 2000;

/** The loaded part of a session's story, limited in items. It grows automatically at its end. Reads run one at a time. */
export function useStory(session: SessionView | undefined, at: number | undefined, most: number): LoadedStory {
  const [window, setWindow] = useState<StoryWindow>();
  const [problem, setProblem] = useState<HubProblem>();
  const [isBusy, setBusy] = useState(false);
  const key = session?.key;
  const now = useRef({ session, window: undefined as StoryWindow | undefined, key, queue: Promise.resolve(), readAt: 0 });
  now.current.session = session;
  now.current.key = key;

  /** Runs changes one at a time, each on the window that the previous one left. */
  const change = useCallback((next: (window: StoryWindow | undefined, read: ReadStory) => Promise<StoryWindow | undefined>) => {
    const own = now.current;
    const wanted = own.key;
    own.queue = own.queue.then(async () => {
      if (own.key !== wanted || wanted === undefined) return;
      setBusy(true);
      try {
        const read: ReadStory = (query) => requestAsDevice<StoryPage>("GET", `/api/sessions/${wanted}/story?${toQuery(query)}`);
        const opened = await next(own.window, read);
        if (own.key !== wanted) return;
        own.window = opened;
        setWindow(opened);
        setProblem(undefined);
      } catch (error) {
        if (own.key === wanted) setProblem(error instanceof HubProblem ? error : undefined);
      } finally {
        setBusy(false);
      }
    });
    return own.queue;
  }, []);

  const isKnown = session !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the position counts when the session is opened; later `around` goes there
  useEffect(() => {
    now.current.window = undefined;
    setWindow(undefined);
    if (isKnown) void change((_old, read) => openStory(now.current.session ?? session, at, read));
  }, [key, isKnown, change]);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive((news) => {
    const own = now.current;
    if (own.session === undefined || (!news.again && !isAbout(news, own.session)) || timer.current !== undefined) return;
    const waitMs = Math.max(0, own.readAt + LOOK_EVERY_MS - performance.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      own.readAt = performance.now();
      void change(async (old, read) => {
        // Retries an initial read that failed.
        if (old === undefined) return own.session === undefined ? old : openStory(own.session, undefined, read);
        return old.later === undefined ? readTail(old, read) : old;
      });
    }, waitMs);
  });

  const given = (next: (window: StoryWindow, read: ReadStory) => Promise<StoryWindow>) => () =>
    change(async (old, read) => (old === undefined ? old : next(old, read)));
  return {
    window,
    problem,
    isBusy,
    earlier: given((old, read) => readEarlier(old, read, most)),
    later: given((old, read) => readLater(old, read, most)),
    beginning: given((_old, read) => openBeginning(read)),
    end: given((_old, read) => openEnd(read)),
    all: given((old, read) => readOn(old, read, old.items.length + MAX_AT_ONCE)),
    around: (position) =>
      change(async (old, read) => {
        const known = now.current.session ?? session;
        return known === undefined ? old : openAround(known, position, read);
      }),
  };
}

/** Whether an update concerns this session, or may concern it. */
export function isAbout({ entries, leftOut, alerts }: LiveUpdateOfHub, { id, protocol, source, key }: SessionView): boolean {
  return (
    leftOut > 0 ||
    entries.some((entry) => entry.session === id && entry.protocol === protocol && entry.source === source) ||
    alerts.some((alert) => alert.session === key)
  );
}

function toQuery(query: object): string {
  return new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
}
