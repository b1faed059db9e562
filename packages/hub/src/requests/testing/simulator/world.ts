import type { RequestAnswer } from "../../answer.ts";
import { beginMachine, isMachineOpen, nextTick } from "../../machine.ts";
import { MAX_MISSED_POLLS, POLL_INTERVAL_MS } from "../../machine-steps.ts";
import type { Effect, MachineInput, MachineTerms, RequestEnding, RequestMachine } from "../../machine-types.ts";
import { Hubs } from "./hubs.ts";
import { BrokenInvariant, checkEnd, checkRecorded, checkRelease } from "./invariants.ts";
import { CORRECT_BEHAVIOR, type ProcessBehavior } from "./mutants.ts";
import { SeededRandom } from "./random.ts";
import { SimulatedStore } from "./store.ts";

/** One question with everything the invariants need. */
export interface SimulatedQuestion {
  readonly terms: MachineTerms;
  readonly session: string;
  /** Polls until answered. */
  readonly isPatient: boolean;
  readonly rule: RequestAnswer | undefined;
  readonly jumpsAtOpening: number;
  openedAt: number | undefined;
  endedAt: number | undefined;
  ends: number;
  heard: boolean;
  isResumed: boolean;
  /** A hub was told that its asker has gone. */
  isLost: boolean;
  lastResumedAt: number;
  extendedMs: number;
  /** The approvers' actual answers, with or without the right digest. */
  readonly given: { readonly by: string; readonly answer: RequestAnswer }[];
  /** Answers that reached a process. */
  delivered: number;
}

interface Process {
  readonly index: number;
  alive: boolean;
  bootedAt: number;
  /** Incremented by every start: earlier operations have no effect afterwards. */
  life: number;
  machines: Map<string, RequestMachine>;
  pollers: Map<string, number>;
}

interface Happening {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** The result of a write that does not happen. */
interface Missed {
  /** In any case. */
  readonly lost?: () => void;
  /** For a process that still exists. */
  readonly failed: () => void;
}

export interface SimulationResult {
  readonly seed: number;
  readonly steps: number;
  readonly questions: number;
  readonly broken?: BrokenInvariant;
}

const MINUTE = 60_000;
const QUIET_AT = 15 * MINUTE;
const END_AT = 60 * MINUTE;
const PROCESSES = 2;
/** Unix milliseconds at the beginning, by the clock of the machine or of the database. */
const START = 1_790_000_000_000;
/** Longer than a lease. */
const MAX_STALL_MS = 12_000;
const YES: RequestAnswer = { word: "allow" };
const NO: RequestAnswer = { word: "deny" };

/** One run from one seed: processes that share a store, people, agents, rules, and all faults between them. */
export class SimulatedWorld {
  readonly store: SimulatedStore;
  readonly questions = new Map<string, SimulatedQuestion>();
  /** The largest forward jump of the wall clock. */
  highestJump = 0;
  now = 0;
  readonly slackMs = 30_000;
  readonly #behaviour: ProcessBehavior;
  readonly #random: SeededRandom;
  readonly #processes: readonly Process[];
  #queue: Happening[] = [];
  #order = 0;
  #steps = 0;
  #wallOffset = 0;
  /** Undefined for processes on one machine, which share its clock and need no lease. */
  readonly hubs: Hubs | undefined;
  /** When a hub last reached the database again. */
  healedAt = 0;

  constructor(seed: number, behaviour: ProcessBehavior = CORRECT_BEHAVIOR, hubs?: number) {
    this.#random = new SeededRandom(seed);
    this.#behaviour = behaviour;
    this.store = new SimulatedStore(behaviour.store);
    this.hubs = hubs === undefined ? undefined : new Hubs(hubs, this.#random, behaviour.hubs);
    this.#processes = Array.from({ length: hubs ?? PROCESSES }, (_, index) => ({
      index,
      alive: true,
      bootedAt: 0,
      life: 0,
      machines: new Map(),
      pollers: new Map(),
    }));
  }

  run(seed: number): SimulationResult {
    const told = () => ({ seed, steps: this.#steps, questions: this.questions.size });
    try {
      this.#populate();
      while (this.#queue.length > 0) {
        const next = this.#take();
        if (next === undefined || next.at > END_AT) break;
        this.now = next.at;
        const before = this.store.recorded.length;
        next.run();
        this.#steps++;
        checkRecorded(this, before);
      }
      checkEnd(this);
      return told();
    } catch (error) {
      if (error instanceof BrokenInvariant) return { ...told(), broken: error };
      throw error;
    }
  }

  #populate(): void {
    const random = this.#random;
    const isBurst = random.chance(0.1);
    const count = isBurst ? random.whole(60, 70) : random.whole(1, 6);
    for (let index = 0; index < count; index++)
      this.#ask(`r${index}`, isBurst ? "s0" : `s${random.whole(0, 1)}`, isBurst ? random.whole(0, 9) : random.whole(0, 5 * MINUTE));
    for (const process of this.#processes) this.#every(process, 1000);
    if (this.hubs !== undefined)
      for (let index = random.whole(0, 6); index > 0; index--) this.#at(random.whole(0, QUIET_AT), () => this.#part());
    else for (let index = random.whole(0, 4); index > 0; index--) this.#at(random.whole(0, QUIET_AT), () => this.#jumpWall());
    for (let index = random.whole(0, 5); index > 0; index--) this.#at(random.whole(0, QUIET_AT), () => this.#crash());
    for (let index = random.whole(0, isBurst ? 5 : 20); index > 0; index--)
      this.#at(random.whole(0, QUIET_AT), () => this.#answerSomething());
    for (let index = random.whole(0, 4); index > 0; index--) this.#at(random.whole(0, QUIET_AT), () => this.#meddle());
  }

  #ask(id: string, session: string, at: number): void {
    const random = this.#random;
    const polls = random.chance(0.7);
    const terms: MachineTerms = {
      id,
      digest: `digest of ${id}`,
      deadlineAt: null,
      timeMs: random.chance(0.1) ? null : random.of([5000, 30_000, 2 * MINUTE, 10 * MINUTE]),
      latestMs: random.chance(0.5) ? null : 12 * MINUTE,
      moreTimeMs: random.chance(0.5) ? 2 * MINUTE : 0,
      silence: random.of([YES, NO, { word: "ask" }]),
      silenceBy: "hub",
      risky: random.chance(0.5),
      refusal: "deny",
      polls,
    };
    const question: SimulatedQuestion = {
      terms,
      session,
      isPatient: polls && random.chance(0.7),
      rule: random.chance(0.15) ? random.of([YES, NO]) : undefined,
      jumpsAtOpening: 0,
      openedAt: undefined,
      endedAt: undefined,
      ends: 0,
      heard: false,
      isResumed: false,
      isLost: false,
      lastResumedAt: 0,
      extendedMs: 0,
      given: [],
      delivered: 0,
    };
    this.questions.set(id, question);
    this.#at(at, () => this.#sendAsk(question));
  }

  /** Asks, or asks again without an answer. */
  #sendAsk(question: SimulatedQuestion): void {
    const { terms, session } = question;
    for (let copies = this.#random.chance(0.2) ? 2 : 1; copies > 0; copies--) {
      this.#send((process) => {
        if (process.machines.has(terms.id)) return void this.#input(process, terms.id, { name: "asked" });
        if (this.store.rows.has(terms.id)) return void this.#takeUp(process, terms.id);
        const wallNow = this.#wall(process);
        const askedAt = this.now;
        const asked = { ...terms, deadlineAt: terms.timeMs === null ? null : wallNow + terms.timeMs };
        process.machines.set(terms.id, beginMachine(asked, this.#clock(process)));
        this.#write(
          process,
          () => {
            const became = this.store.open(asked, session, wallNow);
            if (became === "opened") {
              question.openedAt = askedAt;
              Object.assign(question, { jumpsAtOpening: this.#wallOffset });
              this.#adoptLater(terms.id);
            }
            return () => {
              if (became === "refused") {
                process.machines.delete(terms.id);
                question.heard = true; // it was told why
                return;
              }
              if (became === "known") return void this.#takeUp(process, terms.id, true);
              this.#input(process, terms.id, { name: "opened" });
              if (question.rule !== undefined) this.#input(process, terms.id, { name: "ruled", rule: "rule", answer: question.rule });
            };
          },
          { failed: () => void process.machines.delete(terms.id) },
        );
      });
    }
    if (terms.polls) this.#at(this.now + this.#random.whole(10, 500), () => this.#poll(question));
  }

  /** A poll lasts at most 25 seconds and is repeated soon; an impatient asker leaves at some time. */
  #poll(question: SimulatedQuestion): void {
    const { id } = question.terms;
    if (question.heard || (!question.isPatient && this.#random.chance(0.2))) return;
    const slice = this.#random.whole(1000, 25_000);
    let isTaken = false;
    this.#send((process) => {
      if (!process.machines.has(id) && !this.#takeUp(process, id)) return;
      isTaken = true;
      const { life } = process;
      process.pollers.set(id, (process.pollers.get(id) ?? 0) + 1);
      this.#input(process, id, { name: "polled" });
      this.#at(this.now + slice, () => {
        if (process.life !== life || !process.alive) return;
        process.pollers.set(id, Math.max(0, (process.pollers.get(id) ?? 1) - 1));
        this.#input(process, id, { name: "unpolled" });
      });
    });
    this.#at(this.now + slice + this.#random.whole(50, 2000), () => {
      if (!isTaken && this.store.rows.get(id) === undefined) return void (question.heard || this.#sendAsk(question));
      this.#poll(question);
    });
  }

  #answerSomething(): void {
    const random = this.#random;
    const id = random.of([...this.store.rows.keys()]);
    const question = id === undefined ? undefined : this.questions.get(id);
    if (id === undefined || question === undefined) return;
    const answer = random.of([YES, NO]);
    const by = `approver ${random.whole(1, 3)}`;
    const other = random.of([...this.questions.values()])?.terms.digest;
    const digest = random.chance(0.2) ? (other ?? "forged") : random.chance(0.1) ? "forged" : question.terms.digest;
    question.given.push({ by, answer });
    for (let copies = random.chance(0.3) ? 2 : 1; copies > 0; copies--) {
      this.#send((process) => {
        if (!process.machines.has(id) && !this.#takeUp(process, id)) return;
        const before = process.machines.get(id);
        const effects = this.#input(process, id, { name: "answered", by, answer, digest, keep: random.chance(0.3) });
        const isRefused = effects.some(({ kind }) => kind === "refuse");
        const isDeaf = effects.some((effect) => effect.kind === "refuse" && effect.why === "nobody-waits");
        const hasHeard = this.hubs?.hasHeard(process.index, id, {
          since: question.lastResumedAt,
          until: this.now - MAX_MISSED_POLLS * POLL_INTERVAL_MS,
        });
        if (isDeaf && !question.isLost && hasHeard === true)
          throw new BrokenInvariant("nobody-waits", `${id} was refused, and its asker waited at another hub`);
        if (before?.phase === "unattended" && !isRefused)
          throw new BrokenInvariant("nobody-waits", `${id} was answered, and nobody waited`);
        if (!isRefused && before !== undefined) question.delivered++;
      });
    }
  }

  /** Operations that must change nothing, or little. */
  #meddle(): void {
    const random = this.#random;
    const id = random.of([...this.store.rows.keys()]);
    const question = id === undefined ? undefined : this.questions.get(id);
    if (id === undefined || question === undefined) return;
    this.#send((process) => {
      if (!process.machines.has(id) && !this.#takeUp(process, id)) return;
      const input = random.of<MachineInput>([
        { name: "extended", by: "approver 1" },
        { name: "extended", by: "approver 2" },
        { name: "withdrawn", by: "asker", reason: "Never mind.", asker: true },
        { name: "closed", reason: "Answered at the terminal." },
        { name: "closed", reason: "The session ended." },
        { name: "lost" },
        { name: "ran", unseen: false },
        { name: "answered", by: "an event", answer: YES, digest: question.terms.digest },
        { name: "answered", by: "an event", answer: YES, digest: question.terms.digest },
      ]);
      if (input.name === "answered" && this.#behaviour.believesEvents !== true) return;
      if (input.name === "lost") question.isLost = true;
      this.#input(process, id, input);
    });
  }

  #crash(): void {
    const process = this.#random.of(this.#processes);
    if (process === undefined || !process.alive) return;
    process.alive = false;
    process.life++;
    process.machines = new Map();
    process.pollers = new Map();
    this.#at(this.now + this.#random.whole(100, 60_000), () => {
      process.alive = true;
      process.bootedAt = this.now;
      for (const [id, row] of this.store.rows) if (row.ending === null) this.#takeUp(process, id);
    });
  }

  /** A hub does not reach the database for a while. */
  #part(): void {
    const state = this.#random.of(this.hubs?.states ?? []);
    if (state === undefined) return;
    state.isReachable = false;
    this.#at(this.now + this.#random.whole(500, 60_000), () => {
      state.isReachable = true;
      this.healedAt = this.now;
    });
  }

  /** Every hub finds a new request in the ledger, sooner or later. */
  #adoptLater(id: string): void {
    if (this.hubs === undefined) return;
    for (const process of this.#processes) {
      this.#hearLater(process, () => {
        if (process.machines.has(id) || this.store.rows.get(id)?.ending !== null || !this.#takeUp(process, id)) return;
        const machine = process.machines.get(id) as RequestMachine;
        process.machines.set(id, { ...machine, phase: "opening" });
        this.#input(process, id, { name: "opened" });
      });
    }
  }

  /** An entry of the store reaches a process as soon as it can read. */
  #hearLater(process: Process, hear: () => void): void {
    const { life } = process;
    this.#at(this.now + this.#random.whole(1, 3000), () => {
      if (!process.alive || process.life !== life) return;
      if (this.#reaches(process)) hear();
      else this.#hearLater(process, hear);
    });
  }

  #reaches(process: Process): boolean {
    return this.hubs?.states[process.index]?.isReachable !== false;
  }

  #beat(process: Process): void {
    const polled = [...process.pollers].filter(([, count]) => count > 0).map(([id]) => id);
    for (const id of this.hubs?.beat(process.index, this.now, polled) ?? []) this.#input(process, id, { name: "asked" });
  }

  #jumpWall(): void {
    this.#wallOffset += this.#random.whole(-20 * MINUTE, 20 * MINUTE);
    this.highestJump = Math.max(this.highestJump, this.#wallOffset);
  }

  /** Loads a request opened by another process or before a restart. */
  #takeUp(process: Process, id: string, anew = false): boolean {
    const row = this.store.rows.get(id);
    const question = this.questions.get(id);
    if (row === undefined || question === undefined) return false;
    if (process.machines.has(id) && !anew) return true;
    const timeMs = row.deadlineAt === null ? null : row.deadlineAt - row.openedAt;
    const wallLeftMs = row.deadlineAt === null ? null : row.deadlineAt - this.#wall(process);
    question.isResumed = true;
    question.lastResumedAt = this.now;
    process.machines.set(
      id,
      this.#behaviour.resume({ ...row.terms, timeMs, deadlineAt: row.deadlineAt }, { wallLeftMs, now: this.#clock(process) }),
    );
    if (row.ending !== null) this.#input(process, id, { name: "settled", settlement: row.ending });
    return true;
  }

  #input(process: Process, id: string, input: MachineInput, fence?: number): readonly Effect[] {
    const machine = process.machines.get(id);
    if (machine === undefined) return [];
    const stepped = this.#behaviour.step(machine, input, this.#clock(process));
    process.machines.set(id, stepped.machine);
    for (const effect of stepped.effects) this.#do(process, { id, effect, fence });
    return stepped.effects;
  }

  #do(process: Process, { id, effect, fence }: { readonly id: string; readonly effect: Effect; readonly fence: number | undefined }): void {
    const question = this.questions.get(id);
    const lost = () => {
      if (question !== undefined && effect.kind === "settle" && effect.settlement.state === "answered-by-person") question.delivered--;
    };
    switch (effect.kind) {
      case "settle":
        this.#write(
          process,
          () => {
            const shared = this.hubs === undefined ? undefined : { now: START + this.now, fence: this.hubs.fence };
            const ending = this.store.settle(id, effect.settlement, { fence, shared });
            if (ending === undefined) return () => this.#input(process, id, { name: "failed" });
            if (!("state" in ending)) return () => this.#input(process, id, { name: "amended", deadlineAt: ending.deadlineAt });
            this.#spread(id, ending);
            return () => this.#input(process, id, { name: "settled", settlement: ending });
          },
          { lost, failed: () => void this.#input(process, id, { name: "failed" }) },
        );
        return;
      case "amend":
        this.#write(
          process,
          () => {
            const before = this.store.rows.get(id)?.deadlineAt ?? 0;
            const isDone = this.store.extend(id, effect.deadlineAt);
            if (isDone && question !== undefined) question.extendedMs += Math.max(0, effect.deadlineAt - before);
            return () => {
              if (isDone) this.#input(process, id, { name: "amended", deadlineAt: effect.deadlineAt });
            };
          },
          { failed: () => {} },
        );
        return;
      case "release":
        this.#release(process, id, effect.settlement);
        return;
      case "keep":
      case "tell":
      case "alarm":
      case "refuse":
        return;
    }
  }

  #release(process: Process, id: string, ending: RequestEnding): void {
    checkRelease(this, id, ending);
    const question = this.questions.get(id);
    if (question !== undefined && (process.pollers.get(id) ?? 0) > 0) question.heard = true;
  }

  /** Other processes follow the store, sooner or later. */
  #spread(id: string, settlement: RequestEnding): void {
    for (const process of this.#processes) this.#hearLater(process, () => void this.#input(process, id, { name: "settled", settlement }));
  }

  /** Written after a delay and answered after another. A process that dies meanwhile may have written or not, and gets no answer. */
  #write(process: Process, work: () => () => void, missed: Missed): void {
    const { life } = process;
    const failsAtOnce = this.now < QUIET_AT && this.#random.chance(0.03);
    const stallMs = this.hubs !== undefined && this.#random.chance(0.05) ? this.#random.whole(0, MAX_STALL_MS) : 0;
    if (stallMs > 0) this.hubs?.stall(process.index, this.now + stallMs);
    this.#at(this.now + this.#random.whole(0, 20) + stallMs, () => {
      if (process.life !== life && this.#random.chance(0.5)) return void missed.lost?.();
      if (failsAtOnce || !this.#reaches(process)) {
        missed.lost?.();
        if (process.life === life) missed.failed(); // the disk was full, or the database away
        return;
      }
      const answer = work();
      this.#at(this.now + this.#random.whole(0, 20), () => {
        if (process.life === life) answer();
      });
    });
  }

  /** To some live process after a delay; messages may overtake each other. */
  #send(deliver: (process: Process) => void): void {
    const process = this.#random.of(this.#processes);
    this.#at(this.now + this.#random.whole(0, 300), () => {
      if (process?.alive === true) deliver(process);
    });
  }

  #every(process: Process, ms: number): void {
    this.#at(this.now + ms, () => {
      const now = this.#clock(process);
      if (process.alive && this.hubs?.isStalled(process.index, this.now) !== true) {
        this.#beat(process);
        const fence = this.hubs?.fenceOf(process.index, this.now);
        for (const [id, machine] of process.machines) {
          const due = nextTick(machine);
          if (!isMachineOpen(machine) || due === null || due > now) continue;
          const ends = () => this.#behaviour.step(machine, { name: "ticked" }, now).effects.some(({ kind }) => kind === "settle");
          if (this.hubs === undefined || fence !== undefined || !ends()) this.#input(process, id, { name: "ticked" }, fence);
        }
      }
      if (this.now < END_AT) this.#every(process, ms);
    });
  }

  #clock(process: Process): number {
    return this.#behaviour.clock === "wall" ? this.#wall(process) : this.now - process.bootedAt;
  }

  /** A process's wall clock; for hubs their estimate of the database's. */
  #wall(process?: Process): number {
    const offset = this.hubs === undefined || process === undefined ? this.#wallOffset : this.hubs.errorMs(process.index);
    return START + this.now + offset;
  }

  #at(at: number, run: () => void): void {
    const happening = { at, order: this.#order++, run };
    let index = this.#queue.push(happening) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = this.#queue[parent];
      if (above === undefined || !isBefore(happening, above)) break;
      this.#queue[index] = above;
      index = parent;
    }
    this.#queue[index] = happening;
  }

  #take(): Happening | undefined {
    const [first] = this.#queue;
    const last = this.#queue.pop();
    if (first === undefined || last === undefined || this.#queue.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      const [left, right] = [this.#queue[child], this.#queue[child + 1]];
      if (left === undefined) break;
      const smaller = right !== undefined && isBefore(right, left) ? right : left;
      if (smaller === right) child++;
      if (!isBefore(smaller, last)) break;
      this.#queue[index] = smaller;
      index = child;
    }
    this.#queue[index] = last;
    return first;
  }
}

function isBefore(a: Happening, b: Happening): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** `hubs`: so many on a database; left out, processes on one machine. */
export function simulate(seed: number, behaviour?: ProcessBehavior, hubs?: number): SimulationResult {
  return new SimulatedWorld(seed, behaviour, hubs).run(seed);
}
