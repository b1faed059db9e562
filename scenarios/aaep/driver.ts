import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@earshot/protocol";
import type { DriverConnection } from "./driver-connection.ts";

/** A scenario fails when a check of severity `error` failed. */
export interface Check {
  readonly name: string;
  readonly holds: boolean;
  readonly severity: "error" | "warning";
}

export interface DriverScenario {
  readonly name: string;
  readonly level: 1 | 2 | 3;
  readonly run: (driver: Driver) => Promise<readonly Check[]>;
}

export interface DriverResult {
  readonly scenario: string;
  readonly level: 1 | 2 | 3;
  readonly failed: readonly string[];
  readonly warned: readonly string[];
}

const ENDS: ReadonlySet<unknown> = new Set(["completed", "errored", "cancelled"].map((how) => `aaep:agent.session.${how}`));

/** Drives a producer like test drivers that start sessions with `user_input` and read a stream by items, gaps and budgets. */
export class Driver {
  readonly #connection: DriverConnection;
  /** Silence of this length ends the reading. */
  readonly #gapMs: number;

  constructor(connection: DriverConnection, gapMs: number) {
    this.#connection = connection;
    this.#gapMs = gapMs;
  }

  /**
   * Starts a session. The first item is consumed to learn the session's id; the following ones are read until the session ends, a match,
   * silence, or the end of the budget.
   */
  async prompt(text: string, budget: number, until: (item: JsonObject) => boolean = () => false): Promise<readonly JsonObject[]> {
    await this.#connection.send({ kind: "user_input", text });
    const first = await this.#connection.next(this.#gapMs);
    return first === undefined ? [] : this.read(budget, until);
  }

  async read(budget: number, until: (item: JsonObject) => boolean = () => false): Promise<readonly JsonObject[]> {
    const items: JsonObject[] = [];
    while (items.length < budget) {
      const item = await this.#connection.next(this.#gapMs);
      if (item === undefined) break;
      items.push(item);
      if (ENDS.has(item["type"]) || until(item)) break;
    }
    return items;
  }

  /** Items within a time, independent of gaps. */
  async watch(ms: number): Promise<readonly JsonObject[]> {
    const items: JsonObject[] = [];
    for (const deadline = performance.now() + ms; ; ) {
      const left = deadline - performance.now();
      const item = left <= 0 ? undefined : await this.#connection.next(left);
      if (item === undefined) return items;
      items.push(item);
    }
  }

  start(text: string): Promise<void> {
    return this.#connection.send({ kind: "user_input", text });
  }

  /** The answer must be the next item. */
  async request(capabilities: JsonObject, version = "1.0.0"): Promise<JsonObject | undefined> {
    await this.#connection.send({ type: "subscription.request", aaep_version: version, subscriber_id: "section-15-driver", capabilities });
    return this.#connection.next(this.#gapMs);
  }

  /** Replies name a subscription that does not exist. */
  async decide(question: JsonObject | undefined, ...decisions: readonly ("accept" | "reject")[]): Promise<void> {
    for (const [index, decision] of decisions.entries()) {
      if (index > 0) await sleep(100);
      await this.#reply("confirmation.reply", question, { decision });
    }
  }

  answer(question: JsonObject | undefined, response: string): Promise<void> {
    return this.#reply("clarification.reply", question, { response });
  }

  #reply(type: string, question: JsonObject | undefined, fields: JsonObject): Promise<void> {
    return this.#connection.send({
      type,
      reply_token: question?.["reply_token"] ?? "rpl_none",
      subscription_id: `sub_${randomBytes(8).toString("hex")}`,
      timestamp: new Date().toISOString(),
      decided_by: "driver:auto",
      ...fields,
    });
  }
}

/** Runs the scenarios up to a level, in order, over one connection. */
export async function runDriver(
  connection: DriverConnection,
  scenarios: readonly DriverScenario[],
  { level, gapMs }: { readonly level: number; readonly gapMs: number },
): Promise<readonly DriverResult[]> {
  const driver = new Driver(connection, gapMs);
  const results: DriverResult[] = [];
  for (const { name, level: its, run } of scenarios) {
    if (its > level) continue;
    const checks = await run(driver);
    const missed = (severity: Check["severity"]) =>
      checks.filter((check) => !check.holds && check.severity === severity).map((check) => check.name);
    results.push({ scenario: name, level: its, failed: missed("error"), warned: missed("warning") });
  }
  return results;
}
