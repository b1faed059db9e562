import { type Counts, Outbox } from "./delivery/outbox.ts";
import type { FinalOutcome, Platform } from "./delivery/platform.ts";
import { TIMEOUT_MS } from "./delivery/receiver.ts";
import { unrefTimer } from "./delivery/timers.ts";
import { ownOptions } from "./plain/own.ts";
import { cutWithNote } from "./plain/plain-copy.ts";
import { toId, toOptionalText } from "./plain/text.ts";
import { isAopSessionRunning, runAopSession } from "./speech/run-session.ts";
import { Session } from "./speech/session.ts";
import type { SessionOptions } from "./speech/session-options.ts";
import type { SessionPorts } from "./speech/session-ports.ts";

export interface AopAgentOptions {
  /** The kind of agent, equal for all its runs: `research-agent`. */
  readonly agentId: string;
  readonly agentVersion?: string | undefined;
  /** `both` adds the names that the AOP collector's dashboard reads beside the documented ones. */
  readonly names?: "documented" | "both" | undefined;
  readonly heartbeatMs?: number | undefined;
  /** `false`: nothing is sent or kept. */
  readonly enabled?: boolean | undefined;
}

/** An agent that reports its work in AOP. */
export interface AopAgent extends AsyncDisposable {
  readonly agentId: string;
  /** Opens a session. End it with `end` or `fail`. */
  session(options?: SessionOptions): Session;
  /** Opens a session, runs `work` in it, and ends it with the result. */
  run<Result>(options: SessionOptions, work: (session: Session) => Result | Promise<Result>): Promise<Result>;
  /**
   * Waits until all events, including those left by earlier processes, were delivered, up to a timeout. True when nothing of this process
   * is left.
   */
  flush(timeoutMs?: number): Promise<boolean>;
  /** Delivery counts so far. */
  counts(): Counts;
  /** Ends open sessions, delivers for up to 500 ms and keeps the rest for later. */
  close(): Promise<void>;
}

/** Slightly below the protocol's 30 seconds: timers are late, never early. */
const HEARTBEAT_MS = 29_000;
const SHORTEST_HEARTBEAT_MS = 10;
const VERSION_LENGTH = 128;
/** A process also exits when its pending work can never finish. */
const INTERRUPTED: FinalOutcome = { outcome: "failed", errorMessage: "The process ended before the work of the session did." };

export function createAopAgent(options: AopAgentOptions, platform: Platform): AopAgent {
  const { agentId, agentVersion, names, heartbeatMs, enabled } = ownOptions(options);
  const id = toId(agentId ?? "", "unnamed-agent");
  const version = toOptionalText(agentVersion);
  const beatMs = Math.max(SHORTEST_HEARTBEAT_MS, Number(heartbeatMs ?? HEARTBEAT_MS) || HEARTBEAT_MS);
  const outbox = new Outbox(platform);
  const open = new Set<Session>();

  const start = (speaker: Pick<SessionPorts, "agentId" | "agentVersion">, sessionOptions: SessionOptions | undefined): Session => {
    const session = new Session({ ...ports, ...speaker }, sessionOptions);
    open.add(session);
    return session;
  };
  const ports: SessionPorts = {
    agentId: id,
    agentVersion: version === undefined ? undefined : cutWithNote(version, VERSION_LENGTH),
    names: names === "both" ? "both" : "documented",
    now: Date.now,
    elapsedMs: () => performance.now(),
    newId,
    put: enabled === false ? () => {} : (line) => outbox.put(line),
    ignored: () => outbox.ignore(),
    dropped: () => outbox.dropped,
    every(beat) {
      const timer = unrefTimer(setInterval(beat, beatMs));
      return () => clearInterval(timer);
    },
    hasEnded: (session) => open.delete(session),
    open: start,
  };
  const endAll = (ending: FinalOutcome) => {
    for (const session of open) session.end(ending.outcome === "completed" && isAopSessionRunning(session) ? INTERRUPTED : ending);
  };
  const unwatch = platform.watch({
    lastWords: endAll,
    leave: () => outbox.leave(),
    prepare: () => outbox.prepare(),
    linger: async () => outbox.isIdle || outbox.settle(TIMEOUT_MS),
  });
  const close = async () => {
    for (const session of open) session[Symbol.dispose]();
    await outbox.close(TIMEOUT_MS);
    unwatch();
  };
  return {
    agentId: id,
    session: (sessionOptions) => start(ports, sessionOptions),
    run: (sessionOptions, work) => runAopSession(start(ports, sessionOptions), work),
    flush: (timeoutMs = TIMEOUT_MS) => outbox.flush(timeoutMs),
    counts: () => outbox.counts(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Works in pages without TLS, where `randomUUID` is missing. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
