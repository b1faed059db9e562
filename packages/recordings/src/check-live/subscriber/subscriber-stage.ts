import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@earshot/protocol";
import { type LiveReportFinding, toLiveFinding } from "../live-report.ts";
import { type AskedQuestion, PlayedAgent } from "./played-agent.ts";
import type { ExchangedMessage, PlayedProducer } from "./played-producer.ts";

/** One scene. It returns why it could not be shown; undefined if it was. */
export interface Scene {
  readonly name: string;
  readonly level: 1 | 2 | 3;
  readonly title: string;
  readonly run: (stage: SubscriberStage) => Promise<string | undefined>;
}

export interface SubscriberPatience {
  /** Time for a person. */
  readonly answerMs: number;
  /** Silence of this length counts as nothing coming. */
  readonly quietMs: number;
  /** The timeout of the question that must not be answered. */
  readonly shortSeconds: number;
}

const POLL_MS = 25;

/** The tools of a scene: an agent to play, and the subscriber's messages. */
export class SubscriberStage {
  readonly #reception: PlayedProducer;
  readonly #patience: SubscriberPatience;
  readonly #findings: LiveReportFinding[] = [];
  readonly #shown = new Set<string>();

  constructor(reception: PlayedProducer, patience: SubscriberPatience) {
    this.#reception = reception;
    this.#patience = patience;
  }

  get exchanged(): readonly ExchangedMessage[] {
    return this.#reception.exchanged;
  }

  get isAttended(): boolean {
    return this.#reception.isAttended;
  }

  get visits(): number {
    return this.#reception.visits;
  }

  get hasHandshake(): boolean {
    return this.exchanged.some(({ value }) => value["type"] === "subscription.request");
  }

  get hasReplied(): boolean {
    return this.exchanged.some(({ by, value }) => by === "subscriber" && value["reply_token"] !== undefined);
  }

  get questionSeconds(): number {
    return Math.max(1, Math.ceil(this.#patience.answerMs / 1000) + 30);
  }

  get shortSeconds(): number {
    return this.#patience.shortSeconds;
  }

  get findings(): readonly LiveReportFinding[] {
    return this.#findings;
  }

  get shown(): readonly string[] {
    return [...this.#shown];
  }

  shows(...rules: readonly string[]): void {
    for (const rule of rules) this.#shown.add(rule);
  }

  breaks(rule: string, message: string): void {
    this.shows(rule);
    this.#findings.push(toLiveFinding({ rule, message }));
  }

  agent(summary: string): PlayedAgent {
    return new PlayedAgent((event) => this.#reception.publish(event), summary);
  }

  /** The reply to a question in any form; undefined for none, or one with an unknown token. */
  async reply({ token, event }: AskedQuestion, ms = this.#patience.answerMs): Promise<JsonObject | undefined> {
    const from = this.exchanged.findIndex(({ value }) => value === event);
    const given = new Set(this.exchanged.map(({ by, value }) => (by === "producer" ? value["reply_token"] : undefined)));
    const isOne = (message: JsonObject) => {
      const replied = message["reply_token"];
      return replied !== undefined && (replied === token || !given.has(replied));
    };
    const reply = (await this.#reception.until(isOne, ms, Math.max(from, 0)))?.value;
    return reply?.["reply_token"] === token ? reply : undefined;
  }

  quiet(): Promise<void> {
    return sleep(this.#patience.quietMs);
  }

  /** Waits until a subscriber listens. */
  async attended(): Promise<boolean> {
    const deadline = performance.now() + this.#patience.answerMs;
    while (!this.isAttended && performance.now() < deadline) await sleep(POLL_MS);
    return this.isAttended;
  }

  async gone(): Promise<"with a word" | "without a word" | "still there"> {
    const deadline = performance.now() + this.#patience.answerMs;
    const closed = () => this.exchanged.some(({ by, value }) => by === "subscriber" && value["type"] === "subscription.close");
    while (!closed() && performance.now() < deadline) {
      if (!this.isAttended) {
        // The message may still be on its way over another connection.
        await this.quiet();
        return closed() ? "with a word" : "without a word";
      }
      await sleep(POLL_MS);
    }
    return closed() ? "with a word" : "still there";
  }
}
