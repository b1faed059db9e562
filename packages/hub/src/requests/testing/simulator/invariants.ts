import { isConsent } from "../../answer.ts";
import { MAX_OPEN_PER_SESSION } from "../../held-table.ts";
import type { RequestEnding } from "../../machine-types.ts";
import type { SimulatedQuestion, SimulatedWorld } from "./world.ts";

/** Invariants of every step by short names; the numbers are those of docs/adr/0010. */
export const INVARIANTS = [
  "one-end",
  "durable-first",
  "what-was-shown",
  "only-people-and-rules",
  "silence",
  "no-answer-is-no-refusal",
  "not-early",
  "ends-in-time",
  "heard",
  "recorded",
  "bounded",
  "nobody-waits",
  "newest-lease",
] as const;
export type Invariant = (typeof INVARIANTS)[number];

/** Two hubs estimate the clock of the database, and the ledger tolerates 250 ms. */
const ESTIMATE_MS = 300;

export class BrokenInvariant extends Error {
  readonly invariant: Invariant;

  constructor(invariant: Invariant, message: string) {
    super(`${invariant}: ${message}`);
    this.invariant = invariant;
  }
}

function hold(invariant: Invariant, isTrue: boolean, message: string): void {
  if (!isTrue) throw new BrokenInvariant(invariant, message);
}

/** Call after each operation of the store. */
export function checkRecorded(world: SimulatedWorld, from: number): void {
  for (const { id, what, ending, fence } of world.store.recorded.slice(from)) {
    const question = world.questions.get(id);
    if (question === undefined) continue;
    if (what === "opened")
      hold(
        "bounded",
        world.store.openIn(question.session) <= MAX_OPEN_PER_SESSION,
        `${question.session} has more than ${MAX_OPEN_PER_SESSION}`,
      );
    if (what === "ended" && ending !== undefined) {
      question.ends++;
      question.endedAt = world.now;
      hold("one-end", question.ends === 1, `${id} ended ${question.ends} times`);
      checkEnding(world, question, ending);
      if (world.hubs !== undefined && ending.state === "defaulted")
        hold("newest-lease", fence === world.hubs.fence, `${id} ended under lease ${fence}, and ${world.hubs.fence} is the newest`);
    }
  }
}

function checkEnding(world: SimulatedWorld, question: SimulatedQuestion, ending: RequestEnding): void {
  const { terms } = question;
  const { id } = terms;
  hold("what-was-shown", ending.digest === terms.digest, `${id} was settled by a decision about something else`);
  const yes = isConsent(ending.answer);
  switch (ending.state) {
    case "answered-by-person": {
      const given = question.given.some((one) => one.by === ending.by && one.answer.word === ending.answer.word);
      hold("only-people-and-rules", given, `${id}: nobody called ${ending.by} said ${ending.answer.word}`);
      return;
    }
    case "answered-by-policy":
      hold("only-people-and-rules", question.rule?.word === ending.answer.word, `${id}: no rule says ${ending.answer.word}`);
      return;
    case "defaulted":
      hold("silence", !yes || (isConsent(terms.silence) && !terms.risky), `${id}: silence was taken for ${ending.answer.word}`);
      hold("no-answer-is-no-refusal", ending.reason === "No answer.", `${id}: told as ${ending.reason ?? "nothing"}`);
      checkTime(world, question);
      return;
    case "withdrawn":
    case "orphaned":
      hold("silence", !yes, `${id}: ${ending.state}, and told as a yes`);
  }
}

/** Not before its deadline; by the wall clock only if the process with the better clock is gone. */
function checkTime(world: SimulatedWorld, { terms, openedAt, extendedMs, isResumed, jumpsAtOpening }: SimulatedQuestion): void {
  const elapsed = world.now - (openedAt ?? world.now);
  const jumped = isResumed ? Math.max(0, world.highestJump - jumpsAtOpening) : 0;
  const due = (terms.timeMs ?? Number.POSITIVE_INFINITY) + extendedMs;
  const tolerance = world.hubs === undefined ? 1 : ESTIMATE_MS;
  hold("not-early", elapsed + jumped + tolerance >= due, `${terms.id} timed out after ${elapsed} of ${due} ms`);
}

/** Checks an answer about to be released to an asker. */
export function checkRelease(world: SimulatedWorld, id: string, ending: RequestEnding): void {
  const stored = world.store.rows.get(id)?.ending ?? null;
  hold("durable-first", stored !== null, `${id}: ${ending.answer.word} is told, and the store has no end of it`);
  const same = stored !== null && stored.state === ending.state && stored.answer.word === ending.answer.word && stored.by === ending.by;
  hold("durable-first", same, `${id}: ${ending.answer.word} is told, and the store has ${stored?.answer.word ?? "nothing"}`);
}

/** At the end, after enough time for everyone. */
export function checkEnd(world: SimulatedWorld): void {
  for (const question of world.questions.values()) {
    const { terms, openedAt, endedAt, heard, isPatient, lastResumedAt, extendedMs } = question;
    if (openedAt === undefined) continue;
    // Without a deadline a question waits as long as somebody waits for its answer.
    if (terms.timeMs === null && endedAt === undefined && (isPatient || !terms.polls)) continue;
    const latest =
      Math.max(openedAt, lastResumedAt, world.healedAt) + (terms.timeMs ?? Number.POSITIVE_INFINITY) + extendedMs + world.slackMs;
    hold("ends-in-time", endedAt !== undefined, `${terms.id} never ended`);
    hold("ends-in-time", (endedAt ?? 0) <= latest, `${terms.id} ended ${(endedAt ?? 0) - latest} ms too late`);
    hold("heard", !isPatient || heard, `${terms.id}: the asker never got an answer`);
    const attempts = world.store.recorded.filter(({ id, ending }) => id === terms.id && ending?.state === "answered-by-person").length;
    hold("recorded", attempts >= question.delivered, `${terms.id}: ${question.delivered} answers arrived, ${attempts} are recorded`);
  }
}
