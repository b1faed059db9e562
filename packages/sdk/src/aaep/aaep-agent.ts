import type { JsonObject } from "@earshot/protocol";
import { type Counts, Outbox } from "../delivery/outbox.ts";
import type { Platform, FinalOutcome as ProcessEnding } from "../delivery/platform.ts";
import { TIMEOUT_MS } from "../delivery/receiver.ts";
import { callQuietly, ownOptions } from "../plain/own.ts";
import { toId } from "../plain/text.ts";
import type { AaepSession } from "./aaep-session.ts";
import { AgentQuestions } from "./agent-questions.ts";
import { MAX_TEXT_CHARACTERS, toCleanText } from "./clean-text.ts";
import type { Producer, WrittenEvent } from "./event-writer.ts";
import { toLanguage } from "./facts.ts";
import { HubLink, type QueuedEvent } from "./hub-link.ts";
import { isAaepSessionRunning, runAaepSession } from "./run-session.ts";
import type { AaepSessionOptions } from "./session-options.ts";
import type { AaepSessionPorts } from "./session-ports.ts";

export interface AaepAgentOptions {
  /** The kind of agent, equal for all its runs and versions: `deploy-bot`. */
  readonly agentId: string;
  readonly agentVersion?: string | undefined;
  /** The spoken name. */
  readonly agentName?: string | undefined;
  readonly model?: string | undefined;
  /** The agent's language as a BCP 47 tag. Default: English. */
  readonly language?: string | undefined;
  /** Called with every event immediately. Exceptions are ignored. */
  readonly onEvent?: ((event: JsonObject) => void) | undefined;
}

/** An agent that speaks AAEP. */
export interface AaepAgent<Session extends AaepSession = AaepSession> extends AsyncDisposable {
  readonly agentId: string;
  /** Opens a session: one request of one person. End it with `end`, `fail` or `cancel`. */
  session(options: AaepSessionOptions): Session;
  /** Opens a session, runs `work` in it, and ends it with the result. */
  run<Result>(options: AaepSessionOptions, work: (session: Session) => Result | Promise<Result>): Promise<Result>;
  /** Waits until all events were delivered to the hub, up to a timeout. True when nothing is left. */
  flush(timeoutMs?: number): Promise<boolean>;
  /** Delivery counts so far. */
  counts(): Counts;
  /** Ends open sessions, delivers for up to 500 ms and keeps the rest for later. */
  close(): Promise<void>;
}

/** A further participant in an agent's events and questions, beside the hub. */
export interface AgentParts {
  readonly agentId: string;
  readonly producer: Producer;
  readonly language: string;
  readonly questions: AgentQuestions;
  /** Calls `hear` with every event from now on. Returns the function that stops it. */
  listen(hear: (written: WrittenEvent) => void): () => void;
  /** Stops a session for a person. False for an unknown session. */
  stop(sessionId: string, reason: string | undefined): boolean;
  newId(prefix: string): string;
  /** Called when the agent closes, after its last events. */
  onClose(call: () => Promise<void>): void;
}

const VERSION_LENGTH = 128;
const DELIVERY_MS = 500;
const HUB = { confirmations: 1, clarifications: 1 };
const NOBODY = { confirmations: 0, clarifications: 0 };
const INTERRUPTED = "The process ended before the work of the session did.";

/** The parts in which serving agents differ from others. */
export interface AgentKind<Session extends AaepSession> {
  newSession(ports: AaepSessionPorts, options: AaepSessionOptions): Session;
  /** Called once, before the first event. */
  readonly meet?: (parts: AgentParts) => void;
}

/** Without a platform, nothing is sent to a hub. */
export function createAaepAgent<Session extends AaepSession>(
  options: AaepAgentOptions,
  platform: Platform | undefined,
  { newSession, meet }: AgentKind<Session>,
): AaepAgent<Session> {
  const given = ownOptions<AaepAgentOptions>(options);
  const producer = readProducer(given);
  const language = toLanguage(given.language) ?? "en";
  const outbox = platform === undefined ? undefined : new Outbox(platform);
  const open = new Map<string, { readonly session: Session; readonly over: AbortController }>();
  const listeners = new Set<(written: WrittenEvent) => void>();
  const closers: (() => Promise<void>)[] = [];
  const elapsedMs = () => performance.now();
  const desk = new AgentQuestions({ elapsedMs, after });
  const link = outbox === undefined || platform === undefined ? undefined : linkTo(platform);
  if (link !== undefined) desk.attend("hub", HUB);
  let ignored = 0;

  const put = (written: WrittenEvent) => {
    outbox?.put(written.text);
    for (const hear of listeners) callQuietly(() => hear(written));
    callQuietly(() => given.onEvent?.(written.event));
  };
  const sent = ({ text }: WrittenEvent): QueuedEvent => {
    const lines = outbox?.counts().emitted ?? 0;
    const delivered = async () =>
      outbox?.hasSettled(lines) === true || ((await outbox?.flush(DELIVERY_MS)) ?? true) || outbox?.hasSettled(lines) === true;
    return { text, delivered };
  };
  const ports: AaepSessionPorts = {
    producer,
    language,
    now: Date.now,
    elapsedMs,
    newId,
    put,
    ignored: () => {
      ignored++;
      outbox?.ignore();
    },
    ask(question, written, hear) {
      const over = new AbortController();
      if (link !== undefined) {
        void link.answer(question, sent(written), over.signal).then((reply) => {
          if (reply === "nobody") desk.abandon(question, "hub");
          else if (reply !== undefined) desk.reply(reply);
        });
      }
      desk.ask(question, (news) => {
        if (news.what === "ended") over.abort();
        hear(news);
      });
    },
    withdraw: (token) => desk.withdraw(token),
    async acknowledge(written, timeoutMs, signal) {
      if (link === undefined || timeoutMs === 0) return undefined;
      const over = new AbortController();
      const givenUp = new Promise<undefined>((resolve) => over.signal.addEventListener("abort", () => resolve(undefined), { once: true }));
      const stop = () => over.abort();
      const callOff = after(timeoutMs, stop);
      signal.addEventListener("abort", stop, { once: true });
      const outcome = await Promise.race([link.acknowledgement(sent(written), over.signal), givenUp]);
      callOff();
      stop();
      signal.removeEventListener("abort", stop);
      return outcome;
    },
    turn: () => new Promise((resolve) => setTimeout(resolve, 0)),
    hasEnded: ({ sessionId }) => {
      open.get(sessionId)?.over.abort();
      open.delete(sessionId);
    },
  };
  const stop = (sessionId: string, reason: string | undefined): boolean => {
    const session = open.get(sessionId)?.session;
    session?.cancel({
      by: "user",
      reason: "stopped_by_person",
      summary: reason === undefined || reason === "" ? "Stopped by a person." : reason,
    });
    return session !== undefined;
  };
  const parts: AgentParts = {
    agentId: producer.agent_id,
    producer,
    language,
    questions: desk,
    listen(hear) {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
    stop,
    newId: (prefix) => `${prefix}_${randomHex()}`,
    onClose: (call) => closers.push(call),
  };
  meet?.(parts);
  const start = (sessionOptions: AaepSessionOptions): Session => {
    const session = newSession(ports, sessionOptions);
    if (session.hasEnded) return session;
    const over = new AbortController();
    open.set(session.sessionId, { session, over });
    void link?.untilStopped(session.sessionId, over.signal).then((stopped) => {
      if (stopped !== undefined) stop(session.sessionId, stopped.reason);
    });
    return session;
  };
  const unwatch = platform?.watch({
    lastWords: (ending) => {
      for (const { session } of open.values()) endWith(session, ending);
    },
    leave: () => outbox?.leave(),
    prepare: () => outbox?.prepare(),
    linger: async () => outbox === undefined || outbox.isIdle || outbox.settle(TIMEOUT_MS),
  });
  const close = async () => {
    for (const { session } of open.values()) session[Symbol.dispose]();
    await Promise.all(closers.splice(0).map((call) => call().catch(() => {}))); // what cannot be closed is gone
    await outbox?.close(TIMEOUT_MS);
    desk.attend("hub", NOBODY);
    desk.close();
    unwatch?.();
  };
  return {
    agentId: producer.agent_id,
    session: start,
    run: (sessionOptions, work) => runAaepSession(start(sessionOptions), work),
    flush: async (timeoutMs = TIMEOUT_MS) => (await outbox?.flush(timeoutMs)) ?? true,
    counts: () => outbox?.counts() ?? { ...NOTHING_SENT, ignored },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const NOTHING_SENT: Counts = { emitted: 0, delivered: 0, refused: 0, lost: 0, dropped: 0, waiting: 0, ignored: 0 };

function readProducer({ agentId, agentVersion, agentName, model }: Partial<AaepAgentOptions>): Producer {
  const version = toCleanText(agentVersion, VERSION_LENGTH);
  const name = toCleanText(agentName, MAX_TEXT_CHARACTERS.name);
  const used = toCleanText(model, MAX_TEXT_CHARACTERS.name);
  return {
    agent_id: toId(agentId ?? "", "unnamed-agent"),
    ...(version === undefined ? {} : { agent_version: version }),
    ...(name === undefined ? {} : { agent_name: name }),
    ...(used === undefined ? {} : { model: used }),
  };
}

function linkTo(platform: Platform): HubLink {
  const request = platform.wait ?? ((asked) => platform.request(asked));
  return new HubLink({ request, url: () => platform.candidates()[0]?.url, now: Date.now });
}

/** Called at process exit. Unfinished work did not complete, whatever the exit code says. */
function endWith(session: AaepSession, { outcome, summary, errorMessage }: ProcessEnding): void {
  const words = summary ?? errorMessage;
  const isUnfinished = isAaepSessionRunning(session) || session.isBusy;
  if (outcome === "completed" && !isUnfinished) session.end(words === undefined ? {} : { summary: words });
  else if (outcome === "cancelled" || outcome === "timeout")
    session.cancel({ by: "system", reason: "process_ended", ...(words === undefined ? {} : { summary: words }) });
  else session.fail(new Error(outcome === "completed" ? INTERRUPTED : (words ?? INTERRUPTED)));
}

/** Keeps the process alive, because a caller is waiting. */
function after(ms: number, call: () => void): () => void {
  // Longer timeouts would fire at once.
  const timer = setTimeout(call, Math.min(ms, 2 ** 31 - 1));
  return () => clearTimeout(timer);
}

function newId(prefix: string): string {
  return `${prefix}_${randomHex()}`;
}

/** 128 bits. Works in pages without TLS, where `randomUUID` is missing. */
function randomHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
