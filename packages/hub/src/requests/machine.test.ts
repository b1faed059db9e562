import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../tools/test-volume.ts";
import { beginMachine, isMachineOpen, nextTick, resumeMachine, STEPS, stepMachine } from "./machine.ts";
import { isKeepable, MAX_EXTENSIONS, silentAnswer } from "./machine-steps.ts";
import {
  type InputName,
  type MachineInput,
  type MachineTerms,
  PHASES,
  type Phase,
  type RequestEnding,
  type RequestMachine,
} from "./machine-types.ts";

const TERMS: MachineTerms = {
  id: "r1",
  digest: "d",
  timeMs: 600_000,
  deadlineAt: 1_600_000,
  latestMs: null,
  moreTimeMs: 600_000,
  silence: { word: "ask" },
  silenceBy: "hub",
  risky: false,
  refusal: "deny",
  polls: true,
};
const ENDING: RequestEnding = { state: "answered-by-person", digest: "d", by: "ann", answer: { word: "allow" } };
const INPUTS: { readonly [Name in InputName]: Extract<MachineInput, { readonly name: Name }> } = {
  opened: { name: "opened" },
  asked: { name: "asked" },
  answered: { name: "answered", by: "ann", answer: { word: "allow" }, digest: "d" },
  ruled: { name: "ruled", rule: "no-rm", answer: { word: "deny" } },
  ticked: { name: "ticked" },
  polled: { name: "polled" },
  unpolled: { name: "unpolled" },
  lost: { name: "lost" },
  withdrawn: { name: "withdrawn", by: "ann", reason: "Never mind.", asker: false },
  closed: { name: "closed", reason: "Answered at the terminal." },
  extended: { name: "extended", by: "ann" },
  amended: { name: "amended", deadlineAt: 1_601_000 },
  settled: { name: "settled", settlement: ENDING },
  failed: { name: "failed" },
  restarted: { name: "restarted", wallLeftMs: 5000 },
  ran: { name: "ran", unseen: false },
};

function at(phase: Phase): RequestMachine {
  const machine = beginMachine(TERMS, 0);
  const isEnd = !["opening", "waiting", "unattended", "settling"].includes(phase);
  return { ...machine, phase, settlement: isEnd ? { ...ENDING, state: phase as RequestEnding["state"], answer: { word: "deny" } } : null };
}

/** Written by hand: the next phase and the effects of each input. `.` means no change and no effect. */
const ENDED = {
  opened: ".",
  asked: "= release",
  answered: "= settle",
  ruled: ".",
  ticked: ".",
  polled: "= release",
  unpolled: ".",
  lost: ".",
  withdrawn: "= refuse",
  closed: ".",
  extended: "= refuse",
  amended: ".",
  settled: ".",
  failed: ".",
  restarted: ".",
  ran: "= alarm",
} as const;
const EXPECTED: Readonly<Record<Phase, Readonly<Record<InputName, string>>>> = {
  opening: {
    opened: "waiting tell",
    asked: ".",
    answered: "= refuse",
    ruled: ".",
    ticked: ".",
    polled: ".",
    unpolled: ".",
    lost: ".",
    withdrawn: "= refuse",
    closed: ".",
    extended: "= refuse",
    amended: ".",
    settled: "answered-by-person release tell",
    failed: ".",
    restarted: "unattended",
    ran: ".",
  },
  waiting: {
    opened: ".",
    asked: ".",
    answered: "settling settle",
    ruled: "settling settle",
    ticked: ".",
    polled: ".",
    unpolled: ".",
    lost: "unattended tell",
    withdrawn: "settling settle",
    closed: "settling settle",
    extended: "= amend",
    amended: "= tell",
    settled: "answered-by-person release tell",
    failed: ".",
    restarted: "unattended",
    ran: "settling settle alarm",
  },
  unattended: {
    opened: ".",
    asked: "waiting tell",
    answered: "= refuse",
    ruled: ".",
    ticked: ".",
    polled: "waiting tell",
    unpolled: ".",
    lost: ".",
    withdrawn: "settling settle",
    closed: "settling settle",
    extended: "= refuse",
    amended: "= tell",
    settled: "answered-by-person release tell",
    failed: ".",
    restarted: ".",
    ran: "settling settle alarm",
  },
  settling: {
    opened: ".",
    asked: ".",
    answered: "= settle",
    ruled: ".",
    ticked: ".",
    polled: ".",
    unpolled: ".",
    lost: ".",
    withdrawn: "= refuse",
    closed: ".",
    extended: "= refuse",
    amended: "waiting tell",
    settled: "answered-by-person release tell",
    failed: "waiting",
    restarted: "unattended",
    ran: ".",
  },
  "answered-by-person": ENDED,
  "answered-by-policy": ENDED,
  defaulted: ENDED,
  withdrawn: ENDED,
  orphaned: ENDED,
};

const INPUT_NAMES = Object.keys(INPUTS) as InputName[];

describe("every phase and every input", () => {
  const cells = PHASES.flatMap((phase) => INPUT_NAMES.map((name) => [phase, name, EXPECTED[phase][name]] as const));
  it.each(cells)("%s, %s: %s", (phase, name, expected) => {
    const { machine, effects } = stepMachine(at(phase), INPUTS[name], 1000);
    const next = machine.phase === phase ? "=" : machine.phase;
    const told = [next, ...effects.map(({ kind }) => kind)].join(" ");
    expect(told === "=" ? "." : told).toBe(expected);
  });

  it("has a cell for each", () => {
    for (const phase of PHASES) expect(Object.keys(STEPS[phase]).sort()).toEqual([...INPUT_NAMES].sort());
  });
});

const wait = (terms: Partial<MachineTerms> = {}) => stepMachine(beginMachine({ ...TERMS, ...terms }, 0), INPUTS.opened, 0).machine;
const tick = (machine: RequestMachine, now: number) => stepMachine(machine, INPUTS.ticked, now);
const whatIs = ({ effects }: ReturnType<typeof tick>) => effects.map((effect) => ("what" in effect ? effect.what : effect.kind));

describe("time", () => {
  it("is announced at half time and with 20 seconds left, and then it is up", () => {
    let machine = wait({ polls: false });
    const heard: [number, string][] = [];
    for (let now = 0; now <= 600_000; now += 1000) {
      const stepped = tick(machine, now);
      for (const what of whatIs(stepped)) heard.push([now, what]);
      machine = stepped.machine;
    }
    expect(heard).toEqual([
      [300_000, "half-time"],
      [580_000, "last-call"],
      [600_000, "settle"],
    ]);
  });

  it("that is short is not announced as short", () => {
    expect(whatIs(tick(wait({ polls: false, timeMs: 15_000 }), 1))).toEqual([]);
  });

  it("can be added at least ten times, and only where the asker waits that long", () => {
    let machine = wait({ polls: false, timeMs: 60_000, deadlineAt: 1_060_000, moreTimeMs: 60_000 });
    let times = 0;
    for (; times < 100; times++) {
      const { effects } = stepMachine(machine, INPUTS.extended, 0);
      if (effects[0]?.kind !== "amend") break;
      machine = stepMachine(machine, { name: "amended", deadlineAt: effects[0].deadlineAt }, 0).machine;
    }
    expect(times).toBe(MAX_EXTENSIONS);
    expect(times).toBeGreaterThanOrEqual(10);
    expect(machine.deadline).toBe(60_000 * 21);
    expect(tick(machine, 60_000 * 21 - 20_000).effects).toEqual([{ kind: "tell", what: "last-call" }]);
    expect(stepMachine(wait({ moreTimeMs: 0 }), INPUTS.extended, 0).effects).toEqual([{ kind: "refuse", why: "not-extendable" }]);
    expect(stepMachine(wait({ latestMs: 600_000 }), INPUTS.extended, 0).effects).toEqual([{ kind: "refuse", why: "not-extendable" }]);
    expect(stepMachine(wait({ latestMs: 700_000 }), INPUTS.extended, 5000).effects).toEqual([
      { kind: "amend", by: "ann", deadlineAt: 1_700_000 },
    ]);
    expect(stepMachine(wait({ timeMs: null, deadlineAt: null }), INPUTS.extended, 0).effects).toEqual([
      { kind: "refuse", why: "not-extendable" },
    ]);
  });

  it("that was added is not added twice, and a default for the old deadline is not meant for the new one", () => {
    const more = stepMachine(wait({ polls: false }), { name: "amended", deadlineAt: 1_660_000 }, 0).machine;
    expect(stepMachine(more, { name: "amended", deadlineAt: 1_660_000 }, 0).machine).toBe(more);
    expect(tick(wait({ polls: false }), 600_000).effects).toMatchObject([{ settlement: { deadlineAt: 1_600_000 } }]);
    expect(tick(more, 600_000).effects).toEqual([]);
    expect(tick(more, 660_000).effects).toMatchObject([{ settlement: { deadlineAt: 1_660_000 } }]);
    const settling = tick(wait({ polls: false }), 600_000).machine;
    expect(stepMachine(settling, { name: "amended", deadlineAt: 1_660_000 }, 600_001).machine).toMatchObject({
      phase: "waiting",
      deadline: 660_000,
    });
  });

  it("after a restart is what wall time leaves of it, and never more than there was", () => {
    const left = (wallLeftMs: number | null, timeMs: number | null = 600_000) =>
      resumeMachine({ ...TERMS, timeMs, deadlineAt: timeMs }, { wallLeftMs, now: 50_000 }).deadline;
    expect(left(1000)).toBe(51_000);
    expect(left(-1000)).toBe(50_000);
    expect(left(86_400_000)).toBe(650_000); // the clock was set back meanwhile
    expect(left(null, null)).toBeNull();
  });
});

describe("somebody who polls", () => {
  it("waits for as long as a poll is under way, and is gone after two misses", () => {
    const polling = stepMachine(wait(), INPUTS.polled, 0).machine;
    expect(tick(polling, 25_000).machine.phase).toBe("waiting");
    const between = stepMachine(polling, INPUTS.unpolled, 25_000).machine;
    expect(tick(between, 34_999).machine.phase).toBe("waiting");
    expect(nextTick(between)).toBe(35_000);
    const gone = tick(between, 35_000);
    expect(gone).toMatchObject({ machine: { phase: "unattended" }, effects: [{ what: "unattended" }] });
    expect(stepMachine(gone.machine, INPUTS.answered, 36_000).effects).toEqual([{ kind: "refuse", why: "nobody-waits" }]);
    expect(stepMachine(gone.machine, INPUTS.polled, 36_000).machine).toMatchObject({ phase: "waiting", polls: 1 });
    expect(tick(gone.machine, 600_000).effects).toMatchObject([{ settlement: { state: "orphaned" } }]);
  });

  it("without a deadline is given up after ten minutes", () => {
    const gone = stepMachine(wait({ timeMs: null, deadlineAt: null }), INPUTS.lost, 0).machine;
    expect(nextTick(gone)).toBe(600_000);
    expect(tick(gone, 599_999).effects).toEqual([]);
    expect(tick(gone, 600_000).effects).toMatchObject([{ settlement: { state: "orphaned", answer: { word: "ask" } } }]);
  });
});

describe("silence", () => {
  it.each([
    [false, "accept", "accept"],
    [true, "accept", "deny"],
    [false, "allow", "allow"],
    [true, "allow", "deny"],
    [true, "ask", "ask"],
    [false, "deny", "deny"],
  ] as const)("where risky is %s and the wish %s is %s", (risky, word, expected) => {
    expect(silentAnswer({ ...TERMS, risky, silence: { word } })).toEqual({ word: expected });
    const { effects } = tick(wait({ polls: false, risky, silence: { word } }), 600_000);
    expect(effects).toMatchObject([{ settlement: { state: "defaulted", answer: { word: expected }, reason: "No answer." } }]);
  });
});

describe("what has ended", () => {
  it("keeps a late yes only where nobody has said no", () => {
    const keepable = (state: RequestEnding["state"], word: RequestEnding["answer"]["word"]) =>
      isKeepable({ ...at(state), settlement: { ...ENDING, state, answer: { word } } });
    expect(keepable("defaulted", "deny")).toBe(true);
    expect(keepable("orphaned", "abstain")).toBe(true);
    expect(keepable("answered-by-person", "defer")).toBe(true);
    expect(keepable("answered-by-person", "deny")).toBe(false);
    expect(keepable("answered-by-policy", "deny")).toBe(false);
    expect(keepable("withdrawn", "abstain")).toBe(false);
    const late = stepMachine(at("defaulted"), { ...INPUTS.answered, keep: true }, 0).effects;
    expect(late.map(({ kind }) => kind)).toEqual(["settle", "keep"]);
    expect(stepMachine(at("answered-by-person"), { ...INPUTS.answered, keep: true }, 0).effects.map(({ kind }) => kind)).toEqual([
      "settle",
    ]);
  });

  it("raises an alarm only when it ran although it was refused", () => {
    const allowed: RequestMachine = { ...at("answered-by-person"), settlement: ENDING };
    expect(stepMachine(allowed, INPUTS.ran, 0).effects).toEqual([]);
    expect(stepMachine(at("answered-by-person"), INPUTS.ran, 0).effects).toEqual([{ kind: "alarm", what: "ran-despite-refusal" }]);
  });
});

describe("any sequence of inputs", () => {
  const input = fc.constantFrom(...INPUT_NAMES).map((name): MachineInput => INPUTS[name]);
  const said = fc.array(fc.tuple(input, fc.integer({ min: 0, max: 200_000 })), { maxLength: 60 });
  const terms = fc.record({
    timeMs: fc.option(fc.integer({ min: 0, max: 900_000 })),
    risky: fc.boolean(),
    polls: fc.boolean(),
    silence: fc.constantFrom({ word: "accept" } as const, { word: "deny" } as const),
  });

  it("releases nothing that the ledger has not told, consents to nothing risky by silence, and never leaves an end", () => {
    fc.assert(
      fc.property(terms, said, (some, inputs) => {
        let machine = beginMachine({ ...TERMS, ...some, deadlineAt: some.timeMs === null ? null : 1_000_000 + some.timeMs }, 0);
        let now = 0;
        for (const [one, after] of inputs) {
          now += after;
          const before = machine;
          const stepped = stepMachine(machine, one, now);
          machine = stepped.machine;
          if (!isMachineOpen(before)) expect(machine).toBe(before);
          for (const effect of stepped.effects) {
            if (effect.kind === "release") expect(one.name === "settled" || !isMachineOpen(before)).toBe(true);
            if (effect.kind !== "settle") continue;
            const { state, answer } = effect.settlement;
            if (state === "defaulted") expect(some.risky && ["accept", "allow"].includes(answer.word)).toBe(false);
            if (state === "defaulted") expect(now).toBeGreaterThanOrEqual(before.deadline ?? Number.POSITIVE_INFINITY);
          }
          const next = nextTick(machine);
          if (next !== null) expect(Number.isFinite(next)).toBe(true);
        }
      }),
      { numRuns: propertyRuns() },
    );
  });
});
