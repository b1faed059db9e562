import { type IncomingEvent, resolvedToken, type SubscriberClock } from "@earshot/aaep";
import type { Ledger } from "../ledger/ledger.ts";
import type { StoredRequest } from "../request.ts";
import type { RequestEngine } from "../requests/engine.ts";
import type { Verdict } from "../verdict.ts";

export interface ProducerQuestionsPorts {
  readonly source: string;
  readonly ledger: Pick<Ledger, "requests" | "read">;
  readonly engine: Pick<RequestEngine, "lost" | "poll" | "withdraw">;
  readonly clock: SubscriberClock;
}

const MAX_TOKENS = 1000;
/** A new question may not be on disk yet and cannot be withdrawn before. */
const TRIES = 100;
const AGAIN_MS = 20;

/** One producer's open questions. */
export class ProducerQuestions {
  readonly #ports: ProducerQuestionsPorts;
  /** Open requests by the producer's own tokens. */
  readonly #asked = new Map<string, string>();
  #isLost = false;

  constructor(ports: ProducerQuestionsPorts) {
    this.#ports = ports;
  }

  /** Restores questions from before this process. */
  async recall(): Promise<void> {
    const { ledger, source } = this.#ports;
    for (const { id, position } of await openRequestsOf(ledger, source)) {
      const [entry] = (await ledger.read({ after: position - 1, limit: 1 })).entries;
      if (entry?.position === position) this.#keep((JSON.parse(entry.text) as { readonly reply_token?: unknown }).reply_token, id);
    }
  }

  /** Handles an event and its verdict. Another hub reports that a question was answered there. */
  async handleEvent({ event }: IncomingEvent, verdict: Verdict): Promise<void> {
    if (verdict.ok && verdict.request !== undefined) this.#keep(event["reply_token"], verdict.request);
    const token = resolvedToken(event);
    const request = token === undefined ? undefined : this.#asked.get(token);
    if (token === undefined || request === undefined) return;
    this.#asked.delete(token);
    await this.#withdraw(request, "hub", "It was answered elsewhere.");
  }

  /** Nobody seems to wait for an answer until it is back. */
  async lose(): Promise<void> {
    const { ledger, source, engine } = this.#ports;
    this.#isLost = true;
    for (const { id } of await openRequestsOf(ledger, source)) await engine.lost(id).catch(() => {}); // it may just have ended
  }

  async returned(): Promise<void> {
    if (!this.#isLost) return;
    const { ledger, source, engine } = this.#ports;
    this.#isLost = false;
    for (const { id } of await openRequestsOf(ledger, source)) await engine.poll(id, source, 0).catch(() => {}); // it may just have ended
  }

  /** The asker will never get an answer. */
  async withdrawAll(by: string, reason: string): Promise<void> {
    const { ledger, source, clock } = this.#ports;
    for (let tries = 0; tries < TRIES; tries++) {
      const open = await openRequestsOf(ledger, source);
      if (open.length === 0) return;
      for (const { id } of open) await this.#withdraw(id, by, reason);
      await new Promise<void>((resolve) => clock.after(AGAIN_MS, resolve));
    }
  }

  async #withdraw(id: string, by: string, reason: string): Promise<void> {
    await this.#ports.engine.withdraw(id, { by, reason }).catch(() => {}); // it has ended already, or is about to be asked
  }

  #keep(token: unknown, request: string): void {
    if (typeof token !== "string") return;
    if (this.#asked.size >= MAX_TOKENS) {
      const [oldest] = this.#asked.keys();
      if (oldest !== undefined) this.#asked.delete(oldest);
    }
    this.#asked.set(token, request);
  }
}

const PAGE = 200;
/** How far back recent answers are searched after a start. */
const LAST = 500;

/** A source's open questions. */
export async function openRequestsOf(ledger: Pick<Ledger, "requests">, source: string): Promise<readonly StoredRequest[]> {
  const found: StoredRequest[] = [];
  for (let after = 0; ; ) {
    const page = await ledger.requests({ state: "open", after, limit: PAGE });
    found.push(...page.filter((one) => isOf(one, source)));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    after = last.position;
  }
}

/** Recent decisions that may not have been delivered while the asker still waits. */
export async function decidedRequestsOf(ledger: Pick<Ledger, "requests">, source: string, now: number): Promise<readonly StoredRequest[]> {
  const newest = await ledger.requests({ before: Number.MAX_SAFE_INTEGER, limit: LAST });
  return newest.filter((one) => isOf(one, source) && one.state !== "open" && one.deadlineAt !== null && one.deadlineAt > now).toReversed();
}

function isOf({ protocol, source }: StoredRequest, name: string): boolean {
  return protocol === "aaep" && source === name;
}
