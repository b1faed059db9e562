import type { Platform, PlatformResponse, ReceiverCandidate } from "./platform.ts";

/** The result for the first lines of a parcel. The others were not taken. */
export interface SendResult {
  readonly delivered: number;
  /** Rejected as invalid; sending them again is useless. */
  readonly refused: number;
  /** Sent to a collector that did not answer. AOP does not retry, because they may have arrived. */
  readonly lost: number;
  /** `slow`: it did not answer in time. */
  readonly receiver: "there" | "slow" | "gone";
}

/** A receiver of events. */
export interface EventReceiver {
  /** An Earshot hub takes batches and recognizes repeated lines; a collector takes single events and stores every copy. */
  readonly kind: "hub" | "collector";
  readonly url: string;
  readonly contentType: string;
  send(lines: readonly string[]): Promise<SendResult>;
}

/** AOP gives up a request after 500 ms. */
export const TIMEOUT_MS = 500;
const WRONG: ReadonlySet<number> = new Set([400, 413, 415, 422]);
const NO_COLLECTOR: ReadonlySet<number> = new Set([404, 405, 501]);
const NOTHING: SendResult = { delivered: 0, refused: 0, lost: 0, receiver: "gone" };

/** The first candidate that answers like a receiver. */
export async function findReceiver(platform: Platform): Promise<EventReceiver | undefined> {
  for (const candidate of platform.candidates()) {
    const receiver = await identify(candidate, platform);
    if (receiver !== undefined) return receiver;
  }
  return undefined;
}

async function identify({ url, named }: ReceiverCandidate, platform: Platform): Promise<EventReceiver | undefined> {
  const answer = await platform.request({ url: `${url}/health`, method: "GET", timeoutMs: TIMEOUT_MS });
  if (answer.kind !== "answered") return undefined;
  const health = readObject(answer.body);
  // Only Earshot reports whether it is ready.
  if (health["ready"] === true) return hubAt(url, platform);
  const isAop = (platform.protocol ?? "aop") === "aop";
  if (health["ready"] === false || !isAop) return undefined; // collectors take AOP alone
  // Anything that takes events at /events is a collector, even without /health.
  return named || health["ok"] === true ? collectorAt(url, platform) : undefined;
}

function hubAt(base: string, platform: Platform): EventReceiver {
  const url = `${base}/v1/events?protocol=${platform.protocol ?? "aop"}`;
  const contentType = "application/x-ndjson";
  return {
    kind: "hub",
    url,
    contentType,
    async send(lines) {
      const answer = await platform.request({ url, method: "POST", body: `${lines.join("\n")}\n`, contentType, timeoutMs: TIMEOUT_MS });
      if (answer.kind !== "answered") return { ...NOTHING, receiver: answer.kind === "unsent" ? "gone" : "slow" };
      if (WRONG.has(answer.status)) return { delivered: 0, refused: lines.length, lost: 0, receiver: "there" };
      if (!isSuccess(answer)) return NOTHING;
      const { refused } = readObject(answer.body);
      const wrong = typeof refused === "number" ? Math.min(refused, lines.length) : 0;
      return { delivered: lines.length - wrong, refused: wrong, lost: 0, receiver: "there" };
    },
  };
}

function collectorAt(base: string, platform: Platform): EventReceiver {
  const url = `${base}/events`;
  const contentType = "application/json";
  return {
    kind: "collector",
    url,
    contentType,
    async send([body = "{}"]) {
      const answer = await platform.request({ url, method: "POST", body, contentType, timeoutMs: TIMEOUT_MS });
      if (answer.kind === "unsent") return NOTHING;
      if (answer.kind === "unanswered") return { delivered: 0, refused: 0, lost: 1, receiver: "slow" };
      if (isSuccess(answer)) return { delivered: 1, refused: 0, lost: 0, receiver: "there" };
      return NO_COLLECTOR.has(answer.status) ? NOTHING : { delivered: 0, refused: 1, lost: 0, receiver: "there" };
    },
  };
}

function isSuccess({ status }: Extract<PlatformResponse, { kind: "answered" }>): boolean {
  return status >= 200 && status < 300;
}

/** An unknown server may answer anything. */
function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {}; // no JSON, hence nothing that we look for
  }
}
