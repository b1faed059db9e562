import type { AccountView } from "@earshot/hub";
import { createContext, useCallback, useContext, useEffect, useRef, useState } from "react";
import type { LiveHub, LiveState, LiveUpdateOfHub } from "./live.ts";
import { HubProblem, requestAsDevice } from "./request-as-device.ts";

/** This browser's identity as the hub reports it. */
export type OwnIdentity = AccountView;

export const LiveContext = createContext<LiveHub | undefined>(undefined);
export const OwnIdentityContext = createContext<OwnIdentity | undefined>(undefined);

export function useOwnIdentity(): OwnIdentity {
  const me = useContext(OwnIdentityContext);
  if (me === undefined) throw new Error("Nobody is admitted here.");
  return me;
}

/** Whether this browser may decide. The hub checks again: this only determines which buttons are shown. */
export function useMayDecide(): boolean {
  return useOwnIdentity().role !== "viewer";
}

export function useLive(hear: (news: LiveUpdateOfHub) => void): void {
  const live = useContext(LiveContext);
  const last = useRef(hear);
  last.current = hear;
  useEffect(() => live?.listen((news) => last.current(news)), [live]);
}

export function useLiveState(): LiveState {
  const live = useContext(LiveContext);
  const [state, setState] = useState<LiveState>(live?.state ?? "connecting");
  useLive((news) => setState(news.state));
  return state;
}

export interface HubRead<Answer> {
  /** The latest response, kept while a newer one is loading and while the hub is away. */
  readonly answer: Answer | undefined;
  readonly problem: HubProblem | undefined;
  readonly isReading: boolean;
  readonly again: () => void;
}

export interface HubReadOptions {
  /** Whether a live update makes the response stale. Without it, only a restart of the hub does. */
  readonly changes?: (news: LiveUpdateOfHub) => boolean;
  /** Minimum time between two reads. */
  readonly everyMs?: number;
}

/**
 * Reads from the hub, and reads again when the response is stale. An undefined path reads nothing. Responses that arrive after the path
 * has changed are discarded.
 */
export function useHubRead<Answer>(path: string | undefined, { changes, everyMs = 500 }: HubReadOptions = {}): HubRead<Answer> {
  const [answer, setAnswer] = useState<Answer>();
  const [problem, setProblem] = useState<HubProblem>();
  const [isReading, setReading] = useState(false);
  const state = useRef({ timer: undefined as ReturnType<typeof setTimeout> | undefined, readAt: 0, isWanted: false, isBusy: false });
  const pathNow = useRef(path);
  pathNow.current = path;

  const read = useCallback(async () => {
    const own = state.current;
    const wanted = pathNow.current;
    if (wanted === undefined) return;
    if (own.isBusy) {
      own.isWanted = true;
      return;
    }
    own.isBusy = true;
    own.isWanted = false;
    setReading(true);
    try {
      const said = await requestAsDevice<Answer>("GET", wanted);
      if (pathNow.current === wanted) {
        setAnswer(said);
        setProblem(undefined);
      }
    } catch (error) {
      if (pathNow.current === wanted) setProblem(error instanceof HubProblem ? error : undefined);
    } finally {
      own.isBusy = false;
      own.readAt = performance.now();
      setReading(false);
      if (own.isWanted || pathNow.current !== wanted) void read();
    }
  }, []);

  const readSoon = useCallback(() => {
    const own = state.current;
    if (own.timer !== undefined) return;
    const waitMs = Math.max(0, own.readAt + everyMs - performance.now());
    own.timer = setTimeout(() => {
      own.timer = undefined;
      void read();
    }, waitMs);
  }, [everyMs, read]);

  useEffect(() => {
    setAnswer(undefined);
    setProblem(undefined);
    if (path !== undefined) void read();
    return () => {
      clearTimeout(state.current.timer);
      state.current.timer = undefined;
    };
  }, [path, read]);

  useLive((news) => {
    if (news.again || changes?.(news) === true) readSoon();
  });
  return { answer, problem, isReading, again: () => void read() };
}

/** Repeats an action while the page is visible, for data without live updates. */
export function useEvery(pauseMs: number, act: () => void): void {
  const last = useRef(act);
  last.current = act;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) last.current();
    }, pauseMs);
    return () => clearInterval(timer);
  }, [pauseMs]);
}
