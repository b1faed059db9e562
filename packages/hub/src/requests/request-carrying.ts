import type { Places } from "@earshot/policy";
import type { JsonObject } from "@earshot/protocol";
import type { AgentAndFolder } from "../agent-and-folder.ts";
import type { IntakeContext } from "../intake/receive.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { PersonRules } from "../policy/rules.ts";
import type { SettleVerdict } from "../request.ts";
import type { CardTerms } from "./card.ts";
import { followDecisions } from "./decision-follower.ts";
import { type HeldRequest, REMOVED_ENDING, readEnding, toEnding } from "./held-request.ts";
import { HeldTable } from "./held-table.ts";
import { isMachineOpen, nextTick, stepMachine } from "./machine.ts";
import { isRefusal } from "./machine-steps.ts";
import type { Effect, MachineInput, RequestEnding } from "./machine-types.ts";
import { type AnswerRefusal, describeAlarm, describeNews, type RequestNewsLog, waitFor } from "./news.ts";

/** The options of the engine, which passes them to its parts. */
export interface RequestEngineOptions extends Pick<IntakeContext, "redacts" | "meter"> {
  readonly ledger: Ledger;
  readonly rules: PersonRules;
  /** Key of digests and ids: `takeSecret`. */
  readonly secret: string;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
  /** The same, stopped while the machine sleeps; left out if sleep is not detected. */
  readonly awake?: () => number;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Raises an alarm that a person sees now or later, with the agent it concerns. */
  readonly alarm: (message: string, whom: AgentAndFolder) => void;
  readonly onFailure: (error: unknown) => void;
  /** No other process writes this ledger: a stored decision that this process did not make bypassed the hub. */
  readonly isAlone?: boolean;
  /** Fencing number of the lease, while this hub has it: only its holder ends what nobody answers. Left out: this process always may. */
  readonly fence?: () => number | undefined;
  /** When the machine last woke up, in Unix milliseconds; undefined if it has not slept. */
  readonly sleptUntil?: () => number | undefined;
  /** Whether an approver was ever set up. */
  readonly hasApprover?: () => boolean;
  /** Whether any rule restricts what agents do. */
  readonly restricts?: () => boolean;
  /** The person's folders, to detect actions outside of the project. */
  readonly places?: Places;
  /** How often it checks whether something is due; 0 leaves that to the caller of `tick`. */
  readonly everyMs?: number;
}

/** The result of an input, for its sender. */
export interface InputResult {
  /** Why it was refused. */
  readonly refused: AnswerRefusal | undefined;
  /** The late answer is to be kept. */
  readonly keep: boolean;
  /** The ledger's verdict, if it was asked. */
  readonly verdict: Promise<SettleVerdict> | undefined;
}

/** Pause after the ledger could not be written. */
const RETRY_MS = 1000;

const MAX_UNSURE = 7;

const FORGED = "A decision stands in the ledger that this hub did not make: somebody has written into its file. It does not count.";

/** Carries requests: feeds the state machine and performs its effects. The only place where a request changes. */
export class RequestCarrying {
  readonly table: HeldTable;
  readonly news: RequestNewsLog;
  readonly #options: RequestEngineOptions;
  readonly #unfollow: () => Promise<void>;
  readonly #listeners = new Set<(held: HeldRequest) => void>();
  #quietUntil = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  private constructor(options: RequestEngineOptions, news: RequestNewsLog, head: number) {
    this.#options = options;
    this.news = news;
    const { ledger, onFailure, now } = options;
    this.table = new HeldTable(ledger, () => ({ now: now(), timeOf: (terms) => this.timeOf(terms) }));
    const hear = (decision: JsonObject, position: number, at: number) => this.#heardDecision(decision, position, at);
    const adopt = options.fence === undefined || options.isAlone === true ? undefined : () => this.#adoptNew();
    const isNeeded = () => adopt !== undefined || this.table.hasOpen;
    this.#unfollow = followDecisions(ledger, head, { isNeeded, adopt, handle: hear, onFailure });
  }

  /** Loads all open requests from the ledger. */
  static async open(options: RequestEngineOptions, news: RequestNewsLog): Promise<RequestCarrying> {
    const carrying = new RequestCarrying(options, news, await options.ledger.head());
    await carrying.table.load();
    return carrying;
  }

  /** `fence`: the lease under which the request may be ended. */
  input(held: HeldRequest, input: MachineInput, fence?: number): InputResult {
    const { machine, effects } = stepMachine(held.machine, input, this.timeOf(held.card.terms));
    held.machine = machine;
    let carried: InputResult = { refused: undefined, keep: false, verdict: undefined };
    for (const effect of effects) carried = { ...carried, ...this.#do(held, effect, fence) };
    return carried;
  }

  /** Requests whose askers poll this process. */
  polled(): readonly string[] {
    return [...this.table.open()].filter(({ machine }) => machine.polls > 0).map(({ id }) => id);
  }

  /** Their askers recently polled any process. */
  heardPolls(ids: readonly string[]): void {
    for (const id of ids) {
      const held = this.table.findOpen(id);
      if (held !== undefined) this.input(held, { name: "asked" });
    }
  }

  /**
   * The clock of a request. A polling asker could not be heard or answered during sleep, so that time does not count. A producer that
   * keeps its own time may have been awake, and its deadline does not wait.
   */
  timeOf({ polls }: Pick<CardTerms, "polls">): number {
    const { awake, monotonic } = this.#options;
    return polls && awake !== undefined ? awake() : monotonic();
  }

  /** It is on disk. */
  async confirm(held: HeldRequest): Promise<void> {
    if ((await this.table.rowOf(held)) === undefined)
      this.forget(held); // removed again already
    else this.input(held, { name: "opened" });
  }

  /** The ending an input would cause once the request is open, so that question and answer can be written together. */
  foresee(held: HeldRequest, input: MachineInput): RequestEnding | undefined {
    const now = this.timeOf(held.card.terms);
    const { machine } = stepMachine(held.machine, { name: "opened" }, now);
    const settle = stepMachine(machine, input, now).effects.find((effect) => effect.kind === "settle");
    return settle?.settlement;
  }

  /** Both it and its ending are on disk. The stored row is read on demand. */
  confirmEnded(held: HeldRequest, ending: RequestEnding, position: number): void {
    // Without a pause between them, in which the decision would look foreign.
    this.input(held, { name: "opened" });
    this.#settled(held, ending, position, this.#options.now());
  }

  forget(held: HeldRequest): void {
    this.table.forget(held);
    wake(held);
  }

  /** Waits until a request has ended, the time is up, or the caller has gone. */
  async untilEnded(held: HeldRequest, ms: number, signal?: AbortSignal): Promise<void> {
    const until = performance.now() + ms;
    while (isMachineOpen(held.machine) && signal?.aborted !== true && !this.#isClosed) {
      const left = until - performance.now();
      if (left <= 0) return;
      await waitFor(held.waiting, left, signal);
    }
  }

  /** Called with every request that ends, once it is on disk. Returns the function that stops it. */
  onEnded(hear: (held: HeldRequest) => void): () => void {
    this.#listeners.add(hear);
    return () => this.#listeners.delete(hear);
  }

  /** Performs what is due. */
  tick(): void {
    if (this.#isClosed || this.#options.monotonic() < this.#quietUntil) return;
    const fence = this.#options.fence?.();
    const isLeft = this.#options.fence !== undefined && fence === undefined;
    const times = { polls: this.timeOf({ polls: true }), keepsTime: this.timeOf({ polls: false }) };
    for (const held of this.table.open()) {
      const now = held.card.terms.polls ? times.polls : times.keepsTime;
      // Several effects may be due at once: each step performs one.
      for (let due = nextTick(held.machine); due !== null && due <= now; ) {
        const before = held.machine;
        if (isLeft && stepMachine(before, { name: "ticked" }, now).effects.some(({ kind }) => kind === "settle")) break;
        this.input(held, { name: "ticked" }, fence);
        due = held.machine === before ? null : nextTick(held.machine);
      }
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const held of this.table.open()) wake(held);
    await this.#unfollow();
  }

  /** Takes up what was asked at other processes since the last time. */
  async #adoptNew(): Promise<void> {
    for await (const held of this.table.loadOpen()) {
      // Its asker has just begun to wait.
      held.machine = { ...held.machine, phase: "opening" };
      this.input(held, { name: "opened" });
    }
  }

  #do(held: HeldRequest, effect: Effect, fence: number | undefined): Partial<InputResult> {
    switch (effect.kind) {
      case "settle":
        return this.#asked(this.#settle(held, effect.settlement, fence));
      case "amend":
        return this.#asked(this.#amend(held, effect.by, effect.deadlineAt));
      case "release":
        wake(held);
        return {};
      case "keep":
        return { keep: true };
      case "refuse":
        return { refused: effect.why };
      case "tell":
        if (effect.what === "decided") this.#ended(held);
        this.news.add(effect.what, describeNews(effect.what, held), { request: held.id, session: held.card.asked.session });
        return {};
      case "alarm":
        this.#alarm(held, describeAlarm(effect.what, held));
        return {};
    }
  }

  #ended(held: HeldRequest): void {
    this.table.end(held);
    for (const hear of this.#listeners) hear(held);
  }

  /** Nobody may be waiting, for example after a timeout. */
  #asked(verdict: Promise<SettleVerdict>): Partial<InputResult> {
    verdict.catch(this.#options.onFailure);
    return { verdict };
  }

  #alarm(held: HeldRequest, message: string): void {
    if (held.alarm !== undefined) return;
    held.alarm = message;
    const { session, agent, facts } = held.card.asked;
    this.news.add("alarm", message, { request: held.id, session });
    this.#options.alarm(`${message} Session ${session}, request ${held.id}.`, { agent, workspace: facts["workspace"] });
  }

  async #settle(held: HeldRequest, { answer, ...ending }: RequestEnding, fence: number | undefined): Promise<SettleVerdict> {
    const { ledger, monotonic, now } = this.#options;
    let verdict: SettleVerdict;
    try {
      const fenced = fence === undefined || this.#options.isAlone === true ? {} : { fence };
      verdict = await ledger.settle({ requestId: held.id, ...ending, ...fenced, answer: JSON.stringify(answer) });
    } catch (error) {
      this.#quietUntil = monotonic() + RETRY_MS;
      held.unsure = [...held.unsure.slice(-MAX_UNSURE), { ...ending, answer }];
      this.input(held, { name: "failed" });
      throw error;
    }
    if (verdict.ok) this.#settled(held, { ...ending, answer }, verdict.position, now());
    else if (verdict.why === "late") await this.#learn(held, verdict.settledBy);
    else if (verdict.why === "extended" && verdict.deadlineAt !== null)
      this.input(held, { name: "amended", deadlineAt: verdict.deadlineAt });
    else if (verdict.why === "unknown") this.#settled(held, { ...REMOVED_ENDING, answer: { word: held.machine.terms.refusal } }, 0, now());
    else this.input(held, { name: "failed" });
    return verdict;
  }

  async #amend(held: HeldRequest, by: string, deadlineAt: number): Promise<SettleVerdict> {
    const verdict = await this.#options.ledger.settle({ requestId: held.id, state: "open", digest: held.digest, by, deadlineAt });
    if (verdict.ok) this.input(held, { name: "amended", deadlineAt });
    else if (verdict.why === "late") await this.#learn(held, verdict.settledBy);
    return verdict;
  }

  async #learn(held: HeldRequest, position: number): Promise<void> {
    if (!isMachineOpen(held.machine)) return;
    const { ending, at } = await readEnding(this.#options.ledger, position);
    if (!this.#isForged(held, ending)) return this.#settled(held, ending, position, at);
    this.#alarm(held, FORGED);
    const { refusal, digest } = held.machine.terms;
    const refused: RequestEnding = { state: "orphaned", digest, by: "hub", answer: { word: refusal }, reason: FORGED };
    this.#settled(held, refused, position, this.#options.now());
  }

  #settled(held: HeldRequest, settlement: RequestEnding, position: number, at: number): void {
    if (!isMachineOpen(held.machine)) return;
    held.decidedAt = at;
    held.decidedPosition = position;
    this.input(held, { name: "settled", settlement });
  }

  /** Decisions of other processes are read from the ledger. */
  #heardDecision(decision: JsonObject, position: number, at: number): void {
    const held = this.table.findOpen(String(decision["request"]));
    if (held === undefined) {
      // Opened and refused at another hub: that it ran all the same may be heard here.
      const isRefused = this.#options.isAlone !== true && decision["state"] !== "open" && isRefusal(toEnding(decision).answer);
      if (isRefused) void this.table.lookUp(String(decision["request"])).catch(this.#options.onFailure);
      return;
    }
    if (held.machine.phase === "opening") return;
    if (decision["state"] === "open") {
      this.input(held, { name: "amended", deadlineAt: Date.parse(String(decision["deadlineAt"])) });
      return;
    }
    const ending = toEnding(decision);
    if (!this.#isForged(held, ending)) this.#settled(held, ending, position, at);
    // A pending settlement is reported by its sender.
    else if (held.machine.phase !== "settling") this.#alarm(held, FORGED);
  }

  /** A hub that is alone has made, or at least attempted, every decision itself. */
  #isForged({ machine, unsure }: HeldRequest, { state, by, answer }: RequestEnding): boolean {
    if (this.#options.isAlone !== true || !isMachineOpen(machine)) return false;
    const isOwn = (one: RequestEnding) => one.state === state && one.by === by && JSON.stringify(one.answer) === JSON.stringify(answer);
    return !unsure.some(isOwn);
  }
}

function wake(held: HeldRequest): void {
  for (const waiter of [...held.waiting]) waiter();
}
