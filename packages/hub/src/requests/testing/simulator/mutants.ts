import * as machine from "../../machine.ts";
import type { Effect, MachineInput, MachineStep, MachineTerms, RequestEnding, RequestMachine } from "../../machine-types.ts";
import type { HubFaults } from "./hubs.ts";
import type { Invariant } from "./invariants.ts";
import type { StoreFaults } from "./store.ts";

/** A simulated process's behavior, replaceable by a broken one. */
export interface ProcessBehavior {
  readonly step: typeof machine.stepMachine;
  readonly resume: typeof machine.resumeMachine;
  readonly store?: StoreFaults;
  readonly hubs?: HubFaults;
  /** The clock of its deadlines. */
  readonly clock: "monotonic" | "wall";
  /** Whether a posted event may decide. */
  readonly believesEvents?: boolean;
}

export const CORRECT_BEHAVIOR: ProcessBehavior = { step: machine.stepMachine, resume: machine.resumeMachine, clock: "monotonic" };

/** A step with changed effects. */
function withEffects(change: (step: MachineStep, before: RequestMachine, input: MachineInput) => MachineStep["effects"]): ProcessBehavior {
  return {
    ...CORRECT_BEHAVIOR,
    step(before, input, now) {
      const stepped = machine.stepMachine(before, input, now);
      return { ...stepped, effects: change(stepped, before, input) };
    },
  };
}

const reworded = (change: (ending: RequestEnding, terms: MachineTerms) => RequestEnding): ProcessBehavior =>
  withEffects(({ effects }, { terms }) =>
    effects.map((effect) => (effect.kind === "settle" ? { ...effect, settlement: change(effect.settlement, terms) } : effect)),
  );

let attempt: RequestEnding | undefined;

/** Bugs, each with the invariant that must detect it. */
export const MUTANTS: Readonly<Record<string, { readonly breaks: Invariant; readonly behaviour: ProcessBehavior }>> = {
  "tells the asker before the ledger has it": {
    breaks: "durable-first",
    behaviour: withEffects(({ effects }) =>
      effects.flatMap((effect): Effect[] =>
        effect.kind === "settle" ? [effect, { kind: "release", settlement: effect.settlement }] : [effect],
      ),
    ),
  },
  "tells its own answer, although another was first": {
    breaks: "durable-first",
    behaviour: withEffects(({ effects }) => {
      for (const effect of effects) if (effect.kind === "settle") attempt = effect.settlement;
      return effects.map((effect) => (effect.kind === "release" && attempt !== undefined ? { ...effect, settlement: attempt } : effect));
    }),
  },
  "settles what has been settled": { breaks: "one-end", behaviour: { ...CORRECT_BEHAVIOR, store: { comparesNothing: true } } },
  "does not compare digests": { breaks: "what-was-shown", behaviour: { ...CORRECT_BEHAVIOR, store: { ignoresDigest: true } } },
  "believes what is posted as an event": { breaks: "only-people-and-rules", behaviour: { ...CORRECT_BEHAVIOR, believesEvents: true } },
  "takes silence for a yes": {
    breaks: "silence",
    behaviour: reworded((ending) => (ending.state === "defaulted" ? { ...ending, answer: { word: "allow" } } : ending)),
  },
  "honours a wish for a yes, whatever the risk": {
    breaks: "silence",
    behaviour: reworded((ending, { silence }) => (ending.state === "defaulted" ? { ...ending, answer: silence } : ending)),
  },
  "tells no answer as a refusal": {
    breaks: "no-answer-is-no-refusal",
    behaviour: reworded((ending) => (ending.state === "defaulted" ? { ...ending, reason: "Refused." } : ending)),
  },
  "lets questions wait for ever": {
    breaks: "ends-in-time",
    behaviour: {
      ...CORRECT_BEHAVIOR,
      step: (before, input, now) => (input.name === "ticked" ? { machine: before, effects: [] } : machine.stepMachine(before, input, now)),
    },
  },
  "goes by the wall clock": { breaks: "not-early", behaviour: { ...CORRECT_BEHAVIOR, clock: "wall" } },
  "believes the wall clock after a restart": {
    breaks: "ends-in-time",
    behaviour: {
      ...CORRECT_BEHAVIOR,
      resume(terms, left) {
        const resumed = machine.resumeMachine(terms, left);
        return left.wallLeftMs === null ? resumed : { ...resumed, deadline: left.now + left.wallLeftMs };
      },
    },
  },
  "forgets to tell the asker": {
    breaks: "heard",
    behaviour: withEffects(({ effects }) => effects.filter(({ kind }) => kind !== "release")),
  },
  "drops an answer that comes too late": {
    breaks: "recorded",
    behaviour: withEffects(({ effects }, before, input) => (input.name === "answered" && before.settlement !== null ? [] : effects)),
  },
  "opens as many questions as are asked": { breaks: "bounded", behaviour: { ...CORRECT_BEHAVIOR, store: { hasNoLimit: true } } },
  "answers for somebody who is gone": {
    breaks: "nobody-waits",
    behaviour: {
      ...CORRECT_BEHAVIOR,
      step: (before, input, now) =>
        machine.stepMachine(
          input.name === "answered" && before.phase === "unattended" ? { ...before, phase: "waiting" } : before,
          input,
          now,
        ),
    },
  },
};

/** Bugs that only several hubs on a database can have. */
export const HUB_MUTANTS: typeof MUTANTS = {
  "goes by the clock of its machine": { breaks: "not-early", behaviour: { ...CORRECT_BEHAVIOR, hubs: { trustsOwnClock: true } } },
  "ends requests without the lease": {
    breaks: "newest-lease",
    behaviour: { ...CORRECT_BEHAVIOR, hubs: { needsNoLease: true }, store: { ignoresFence: true } },
  },
  "takes work done under an older lease": { breaks: "newest-lease", behaviour: { ...CORRECT_BEHAVIOR, store: { ignoresFence: true } } },
  "knows only the askers that poll it": { breaks: "nobody-waits", behaviour: { ...CORRECT_BEHAVIOR, hubs: { keepsPollsToItself: true } } },
};
