import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import { HookGate } from "../../hooks/hook-gate.ts";
import { createLifecycle } from "../../intake/lifecycle.ts";
import { receive } from "../../intake/receive.ts";
import { readSubmission } from "../../intake/submission.ts";
import type { Ledger, Submission } from "../../ledger/ledger.ts";
import { openSqliteLedger } from "../../ledger/sqlite/open-ledger.ts";
import { temporaryTestFolder } from "../../ledger/testing/temporary-folder.ts";
import { NO_PERSON_RULES, type PersonRules } from "../../policy/rules.ts";
import type { UnreadableAnswer } from "../../policy/unreadable.ts";
import type { Verdict } from "../../verdict.ts";
import { RequestEngine } from "../engine.ts";

export const BENCH_START_MS = Date.UTC(2026, 6, 1, 9);
export const BENCH_SECRET = "a-secret-of-tests-0123456789abcdefghijk";

export interface EngineBench extends AsyncDisposable {
  readonly clock: { now: number; monotonic: number; sleptMs: number; sleptUntil: number | undefined };
  /** Whether an approver was ever set up. */
  readonly approvers: { exist: boolean };
  /** The rules' answer for an unreadable action. */
  readonly unreadable: { answer: UnreadableAnswer };
  readonly alarms: string[];
  readonly failures: unknown[];
  readonly path: string;
  ledger: Ledger;
  engine: RequestEngine;
  hooks: HookGate;
  /** Advances the clock and performs what is due. */
  pass(ms: number): Promise<void>;
  /** Suspends the process for a while, then checks what is due. */
  sleep(ms: number): Promise<void>;
  /** Sends events as a producer of this name, or unverified. */
  say(events: readonly object[], name?: string, isImport?: boolean): Promise<readonly Verdict[]>;
  /** Restarts the process: memory is lost and the monotonic clock begins anew. */
  restart(downMs?: number): Promise<void>;
  /** Another process on the same ledger. */
  another(): Promise<RequestEngine>;
  settled(): Promise<void>;
}

/** An engine on a real ledger, with manual clocks. */
export async function openBench(rules: PersonRules = NO_PERSON_RULES, { isAlone = false } = {}): Promise<EngineBench> {
  const folder = temporaryTestFolder();
  const path = folder.file("ledger.db");
  const clock: EngineBench["clock"] = { now: BENCH_START_MS, monotonic: 5000, sleptMs: 0, sleptUntil: undefined };
  const approvers = { exist: false };
  const unreadable: EngineBench["unreadable"] = { answer: "nothing" };
  const alarms: string[] = [];
  const failures: unknown[] = [];
  const others: RequestEngine[] = [];
  const lifecycle = createLifecycle({ strict: false });
  const openLedger = () => openSqliteLedger(path, { lifecycle, now: () => clock.now, onFailure: (error) => failures.push(error) });
  const ports = (ledger: Ledger) => ({
    ledger,
    rules,
    secret: BENCH_SECRET,
    monotonic: () => clock.monotonic,
    awake: () => clock.monotonic - clock.sleptMs,
    sleptUntil: () => clock.sleptUntil,
    hasApprover: () => approvers.exist,
    unreadable: () => unreadable.answer,
    restricts: () => unreadable.answer !== "nothing",
    now: () => clock.now,
    redacts: () => true,
    alarm: (message: string) => alarms.push(message),
    onFailure: (error: unknown) => failures.push(error),
    everyMs: 0,
    isAlone,
  });
  const first = openLedger();
  const engine = await RequestEngine.open(ports(first));
  const bench: EngineBench = {
    clock,
    approvers,
    unreadable,
    alarms,
    failures,
    path,
    ledger: first,
    engine,
    hooks: new HookGate(engine, rules, ports(first)),
    async pass(ms) {
      clock.now += ms;
      clock.monotonic += ms;
      for (const one of [bench.engine, ...others]) one.tick();
      await bench.settled();
    },
    async sleep(ms) {
      clock.sleptMs += ms;
      clock.sleptUntil = clock.now + ms;
      await bench.pass(ms);
    },
    async say(events, name = "producer", isImport = false) {
      const pieces = events.map((event, index) => {
        const text = JSON.stringify(event);
        return { text, sizeBytes: Buffer.byteLength(text), line: index + 1 };
      });
      const origin = { name, verified: name !== "local", ...(isImport ? { byContent: true } : {}) };
      const verdicts = await receive(pieces, origin, bench.engine.intake);
      await bench.settled();
      return verdicts;
    },
    async restart(downMs = 0) {
      await bench.engine.close();
      await bench.ledger.close();
      clock.now += downMs;
      clock.monotonic = 1000;
      clock.sleptMs = 0;
      clock.sleptUntil = undefined;
      bench.ledger = openLedger();
      bench.engine = await RequestEngine.open(ports(bench.ledger));
      bench.hooks = new HookGate(bench.engine, rules, ports(bench.ledger));
    },
    async another() {
      const other = await RequestEngine.open(ports(bench.ledger));
      others.push(other);
      return other;
    },
    async settled() {
      // A few turns and commits complete the ledger's queue.
      for (let turn = 0; turn < 6; turn++) {
        await new Promise((resolve) => setImmediate(resolve));
        await bench.ledger.counts();
      }
    },
    async [Symbol.asyncDispose]() {
      for (const one of [bench.engine, ...others]) await one.close();
      await bench.ledger.close();
      folder[Symbol.dispose]();
    },
  };
  return bench;
}

let count = 0;

export function aaepEvent(type: string, more: object = {}): JsonObject {
  count += 1;
  return {
    "@context": "https://aaep-protocol.org/context/v1",
    type: `aaep:agent.${type}`,
    event_id: `evt_${count}`,
    session_id: "sess_1",
    timestamp: new Date(BENCH_START_MS).toISOString(),
    producer: { agent_id: "query-doctor" },
    ...more,
  };
}

export function confirmationRequested(more: object = {}): JsonObject {
  return aaepEvent("awaiting.confirmation", {
    urgency: "critical",
    action: "Drop the table orders_old.",
    consequence: "41,200 rows are lost.",
    reply_token: `rpl_${count}`,
    timeout_seconds: 300,
    default_decision: "reject",
    risk_level: "high",
    irreversible: true,
    ...more,
  });
}

export function hookEventOf(more: object = {}): JsonObject {
  count += 1;
  return {
    aep_version: "0.1",
    id: `evt_${count}`,
    type: "action.requested",
    time: new Date(BENCH_START_MS).toISOString(),
    agent: { slug: "claude" },
    session: { id: "session-1" },
    action: { type: "tool_call", id: `call_${count}`, input: { command: "npm test" } },
    tool: { name: "Bash", type: "native" },
    ...more,
  };
}

export function submissionOf(event: JsonObject, now: number, name = "producer"): Submission {
  const text = JSON.stringify(event);
  const read = readSubmission(text, text.length, { name, verified: true }, { receivedAt: now, redacts: () => true });
  if (!read.ok) throw new Error(read.problem.message);
  return read.submission;
}

/** As the route asks. */
export function hookAsk(event: JsonObject, now: number, more: object = {}) {
  const usual = { asksItself: false, besideDialog: false, canAsk: true, attended: true, longestMs: null };
  return { submission: submissionOf(event, now), raw: event, ...usual, ...more };
}

/** Rules for tests, by the command's text. */
export function rulesFor(table: Readonly<Record<string, Partial<ReturnType<PersonRules["judge"]>>>>): PersonRules {
  return {
    judge(asked) {
      const command = asked.command ?? textOf(asked.input);
      const found = Object.entries(table).find(([word]) => command.includes(word));
      const plain = NO_PERSON_RULES.judge(asked);
      return found === undefined ? plain : { ...plain, rule: { name: found[0] }, ...found[1] };
    },
  };
}

function textOf(input: JsonValue | undefined): string {
  return isObject(input) ? JSON.stringify(input) : String(input ?? "");
}
