import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AepResponse } from "@earshot/protocol";
import { type Counts, Outbox } from "../delivery/outbox.ts";
import type { PlatformRequest, PlatformResponse } from "../delivery/platform.ts";
import { TIMEOUT_MS } from "../delivery/receiver.ts";
import { waitForMs } from "../delivery/timers.ts";
import { PlainCopy } from "../plain/plain-copy.ts";
import { DiskSpool } from "./disk-spool.ts";
import { readProducerToken, sharedHomeOf, socketOf } from "./home.ts";
import { watchProcess } from "./process-end.ts";
import { createRequest } from "./request.ts";

/** An AEP event. Version, id and time are filled in if missing. */
export type AepEventLike = Readonly<Record<string, unknown>> & { readonly type: string };

export interface DecideOptions {
  /** Deadline for the answer: milliseconds from now, or a time. Default: ten minutes. */
  readonly deadline?: number | Date | undefined;
}

export interface AepOptions {
  /** The hub's folder. Default: `EARSHOT_HOME`, or `~/.earshot`. */
  readonly home?: string | undefined;
  /** Maximum bytes on disk while no hub runs. 0: nothing is written. */
  readonly spoolBytes?: number | undefined;
}

/** An agent that speaks AEP itself. */
export interface AepSpeaker extends AsyncDisposable {
  /** Reports an event. Returns at once and never throws. */
  emit(event: AepEventLike): void;
  /**
   * Asks before an action and waits for the answer of a rule or a person. Never rejects: without a reachable hub, the rules on disk
   * answer, as they do for coding agents' hooks; without rules the answer is `abstain`.
   */
  decide(event: AepEventLike, options?: DecideOptions): Promise<AepResponse>;
  flush(timeoutMs?: number): Promise<boolean>;
  counts(): Counts;
  close(): Promise<void>;
}

const SPOOL_BYTES = 32 * 1024 * 1024;
const EVENT_CHARACTERS = 400_000;
const DEADLINE_MS = 600_000;
/** Earlier events are delivered first, as long as that is quick. */
const BEFORE_MS = 250;

export function createAep({ home = sharedHomeOf(process.env), spoolBytes = SPOOL_BYTES }: AepOptions = {}): AepSpeaker {
  const through = { socketPath: socketOf(home), token: () => readProducerToken(home) };
  const outbox = new Outbox({
    protocol: "aep",
    request: createRequest(through),
    candidates: () => [{ url: "http://localhost", named: false }],
    spool: new DiskSpool({ folder: join(home, "spool", "aep"), maxBytes: spoolBytes }),
    watch: watchProcess,
  });
  const unwatch = watchProcess({
    lastWords: () => {},
    leave: () => outbox.leave(),
    prepare: () => outbox.prepare(),
    linger: async () => outbox.isIdle || outbox.settle(TIMEOUT_MS),
  });
  const request = createRequest({ ...through, maxSockets: 64 });
  const close = async () => {
    await outbox.close(TIMEOUT_MS);
    unwatch();
  };
  const emit = (event: AepEventLike) => outbox.put(JSON.stringify(new PlainCopy(EVENT_CHARACTERS).of(complete(event))));
  return {
    emit,
    async decide(event, { deadline = DEADLINE_MS } = {}) {
      const until = performance.now() + (deadline instanceof Date ? deadline.getTime() - Date.now() : deadline);
      const asked = complete(event);
      const text = toText(asked);
      if (text === undefined) return answerAlone(asked, "abstain", "The event cannot be written as JSON.");
      if (!outbox.isIdle) await outbox.flush(BEFORE_MS);
      const heard = await askHub(request, text, until);
      if (heard !== undefined) return heard;
      const launcher = join(home, "bin", process.platform === "win32" ? "earshot-hook.cmd" : "earshot-hook");
      const told = existsSync(launcher) ? await askLauncher(launcher, text, until) : undefined;
      if (told !== undefined) return told;
      emit(asked);
      // There are rules here, but they could not be evaluated.
      if (existsSync(join(home, "policy.yaml"))) return answerAlone(asked, "ask", "Earshot could not be reached.");
      return answerAlone(asked, "abstain", "There is no Earshot here.");
    },
    flush: (timeoutMs = TIMEOUT_MS) => outbox.flush(timeoutMs),
    counts: () => outbox.counts(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The speaker for this user's hub, which suffices for most programs. Nothing happens before its first use. */
export const aep: Pick<AepSpeaker, "emit" | "decide" | "flush" | "counts" | "close"> = {
  emit: (event) => ours().emit(event),
  decide: (event, options) => ours().decide(event, options),
  flush: (timeoutMs) => ours().flush(timeoutMs),
  counts: () => ours().counts(),
  close: async () => {
    await own?.close();
    own = undefined;
  },
};

let own: AepSpeaker | undefined;
function ours(): AepSpeaker {
  own ??= createAep();
  return own;
}

function complete(event: AepEventLike): AepEventLike {
  return { aep_version: "0.1", id: `evt_${newId()}`, time: new Date().toISOString(), ...event };
}

/** Sent unmasked, because rules examine it; the hub masks what it stores. */
function toText(event: AepEventLike): string | undefined {
  try {
    return JSON.stringify(event);
  } catch {
    return undefined; // it goes round in circles, or holds what JSON does not know
  }
}

function answerAlone(event: AepEventLike, behavior: "ask" | "abstain", reason: string): AepResponse {
  return {
    aep_version: "0.1",
    id: `rsp_${newId()}`,
    request_event_id: String(event["id"]),
    time: new Date().toISOString(),
    control: { behavior },
    decision: { outcome: "info", by: "timeout", reason },
  };
}

function newId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}

/** Asks this user's hook launcher, which starts the hub or falls back to the rules on disk. Undefined when it prints nothing. */
function askLauncher(launcher: string, event: string, until: number): Promise<AepResponse | undefined> {
  const seconds = Math.max(1, Math.floor((until - performance.now()) / 1000));
  return new Promise((resolve) => {
    const child = spawn(launcher, [SPEAKS_ITSELF, "", String(seconds)], { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
    const timer = setTimeout(() => finish(undefined), Math.max(0, until - performance.now()));
    let said = "";
    const finish = (response: AepResponse | undefined) => {
      clearTimeout(timer);
      resolve(response);
      child.kill();
    };
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.on("error", () => finish(undefined));
    child.on("close", () => finish(readResponse(said)));
    child.stdin.on("error", () => {}); // it has ended, and said why
    child.stdin.end(event);
  });
}

const SPEAKS_ITSELF = "aep";

function readResponse(text: string): AepResponse | undefined {
  try {
    const value = JSON.parse(text) as Partial<AepResponse> | null;
    return typeof value?.control?.behavior === "string" ? (value as AepResponse) : undefined;
  } catch {
    return undefined; // nothing was said
  }
}

/** A hub answers within this time, if only to say that it needs longer. */
const PATIENCE_MS = 1000;
/** Proxies and firewalls cut longer requests. */
const SLICE_MS = 25_000;
/** A hub that had the question may be restarting, which takes a few seconds. */
const RESTART_MS = 5000;
const KNOCK_MS = 50;

type Request = (asked: PlatformRequest) => Promise<PlatformResponse>;
type Heard =
  | { readonly waits: true; readonly again: boolean; readonly request: string }
  | { readonly waits: false; readonly response: AepResponse };

/** The hub's answer; undefined if none can be reached in time. */
async function askHub(request: Request, event: string, until: number): Promise<AepResponse | undefined> {
  const leftMs = () => until - performance.now();
  let id: string | undefined;
  let givenUpAt = Number.POSITIVE_INFINITY;
  for (let isFirst = true; leftMs() > 0; isFirst = false) {
    const waitMs = isFirst ? 0 : Math.max(0, Math.floor(Math.min(SLICE_MS, leftMs() - PATIENCE_MS)));
    const answer = await request({ ...toAsk(id, event, waitMs, leftMs()), timeoutMs: waitMs + PATIENCE_MS });
    const heard = answer.kind === "answered" && answer.status === 200 ? readHeard(answer.body) : undefined;
    if (heard?.waits === false) return heard.response;
    if (heard !== undefined) {
      id = heard.again ? undefined : heard.request;
      givenUpAt = Number.POSITIVE_INFINITY;
      continue;
    }
    const isStarting = answer.kind !== "unanswered" || !isFirst;
    if (isFirst || !isStarting) return undefined;
    id = undefined; // the same event is the same request
    givenUpAt = Math.min(givenUpAt, performance.now() + RESTART_MS);
    if (performance.now() > givenUpAt) return undefined;
    await waitForMs(KNOCK_MS);
  }
  return undefined;
}

function toAsk(id: string | undefined, event: string, waitMs: number, leftMs: number): Omit<PlatformRequest, "timeoutMs"> {
  if (id !== undefined) return { url: `http://localhost/aep/v1/hooks/${encodeURIComponent(id)}?wait=${waitMs}`, method: "GET" };
  return { url: `http://localhost/aep/v1/hooks?wait=${waitMs}&longest=${Math.floor(leftMs)}`, method: "POST", body: event };
}

function readHeard(body: string): Heard | undefined {
  try {
    const value = JSON.parse(body) as Partial<Heard> | null;
    return typeof value?.waits === "boolean" ? (value as Heard) : undefined;
  } catch {
    return undefined; // no hub of ours
  }
}
