import type { Question, QuestionReply } from "@earshot/aaep/speaking";
import type { PlatformRequest, PlatformResponse } from "../delivery/platform.ts";
import { waitForMs } from "../delivery/timers.ts";

export interface HubLinkPorts {
  /** For long polls. */
  request(asked: PlatformRequest): Promise<PlatformResponse>;
  /** Base address of the hub. */
  url(): string | undefined;
  now(): number;
}

/** An event handed over for delivery. */
export interface QueuedEvent {
  readonly text: string;
  /** Waits a limited time for delivery. False if it was not delivered. */
  delivered(): Promise<boolean>;
}

/** A hub answers within this time, if only to say that it needs longer. */
const PATIENCE_MS = 1500;
/** Proxies and firewalls cut longer requests. */
const SLICE_MS = 25_000;
const KNOCK_MS = 500;
const LOOK_MS = 5000;
/** Replies name a subscription; answers through the hub have none. */
const NO_SUBSCRIPTION = "sub_hub";

interface Heard {
  readonly word: string;
  readonly response?: string | boolean | number;
  readonly message?: string;
}

/** Receives what the hub reports to the agent: people's answers and stop requests. */
export class HubLink {
  readonly #ports: HubLinkPorts;

  constructor(ports: HubLinkPorts) {
    this.#ports = ports;
  }

  /** The answer to a question sent to the hub. `nobody`: the hub asks no one. Undefined: no answer in time. */
  async answer(question: Question, sent: QueuedEvent, signal: AbortSignal): Promise<QuestionReply | "nobody" | undefined> {
    const heard = await this.#handle(sent, signal);
    if (heard === undefined || heard === "nobody") return heard;
    const timestamp = new Date(this.#ports.now()).toISOString();
    const rest = { reply_token: question.token, subscription_id: NO_SUBSCRIPTION, timestamp } as const;
    if (heard.word === "accept" || heard.word === "reject") {
      const said = heard.message === undefined ? {} : { decision_rationale: heard.message };
      return { type: "confirmation.reply", decision: heard.word, ...rest, ...said };
    }
    if (heard.word !== "respond" || heard.response === undefined) return undefined;
    return { type: "clarification.reply", response: heard.response, ...rest };
  }

  /** The answer of a person to a handoff. */
  async acknowledgement(sent: QueuedEvent, signal: AbortSignal): Promise<"taken" | "declined" | undefined> {
    const heard = await this.#handle(sent, signal);
    if (heard === undefined || heard === "nobody") return undefined;
    return heard.word === "take-over" ? "taken" : heard.word === "decline" ? "declined" : undefined;
  }

  /** Resolves when a person stops the session, with the reason. */
  async untilStopped(session: string, signal: AbortSignal): Promise<{ readonly reason?: string } | undefined> {
    while (!signal.aborted) {
      const url = this.#ports.url();
      const path = `/v1/sessions/${encodeURIComponent(session)}/standing?wait=${SLICE_MS}`;
      const startedMs = this.#ports.now();
      const told = url === undefined ? undefined : readObject(await this.#get(url + path, SLICE_MS));
      if (told?.["stopped"] === true) return typeof told["reason"] === "string" ? { reason: told["reason"] } : {};
      // A hub that holds the call is polled again at once; one that does not know the session, or is away, after a pause.
      if (told?.["stopped"] !== false || this.#ports.now() - startedMs < KNOCK_MS) await waitForMs(LOOK_MS);
    }
    return undefined;
  }

  async #handle(sent: QueuedEvent, signal: AbortSignal): Promise<Heard | "nobody" | undefined> {
    let id: string | undefined;
    while (!signal.aborted) {
      if (id === undefined) {
        const asked = await this.#requestOf(sent);
        if (asked === "nobody") return asked;
        id = asked;
        if (id === undefined) {
          await waitForMs(KNOCK_MS);
          continue;
        }
      }
      const answer = await this.#get(`${this.#ports.url()}/v1/answers/${encodeURIComponent(id)}?wait=${SLICE_MS}`, SLICE_MS);
      const told = readObject(answer);
      if (told?.["waits"] === false) return told["unanswered"] === true ? undefined : readHeard(told["answer"]);
      if (told?.["waits"] === true) continue;
      id = undefined; // a hub that restarts: the same event is the same request
      await waitForMs(KNOCK_MS);
    }
    return undefined;
  }

  /**
   * The id of the request that an event opened. Events are delivered in order in batches; once this one has arrived, it is sent again on
   * its own, and the hub recognizes it and returns the id.
   */
  async #requestOf({ text, delivered }: QueuedEvent): Promise<string | "nobody" | undefined> {
    const url = this.#ports.url();
    if (url === undefined || !(await delivered())) return undefined;
    const answer = await this.#ports.request({ url: `${url}/aaep/v1/events`, method: "POST", body: text, timeoutMs: PATIENCE_MS });
    if (answer.kind !== "answered" || answer.status >= 500) return undefined;
    const request = readObject(answer)?.["request"];
    return typeof request === "string" ? request : "nobody"; // it is kept, or refused, and nobody is asked
  }

  #get(url: string, waitMs: number): Promise<PlatformResponse> {
    return this.#ports.request({ url, method: "GET", timeoutMs: waitMs + PATIENCE_MS });
  }
}

function readHeard(value: unknown): Heard | undefined {
  const { word, response, message } = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  if (typeof word !== "string") return undefined;
  const said = typeof response === "string" || typeof response === "boolean" || typeof response === "number" ? { response } : {};
  return { word, ...said, ...(typeof message === "string" && message !== "" ? { message: message.slice(0, 4096) } : {}) };
}

/** Undefined for anything but a hub's answer. */
function readObject(answer: PlatformResponse): Readonly<Record<string, unknown>> | undefined {
  if (answer.kind !== "answered" || answer.status !== 200) return undefined;
  try {
    const value: unknown = JSON.parse(answer.body);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined; // no JSON, hence nothing that we look for
  }
}
