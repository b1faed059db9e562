import { boundText, recordKeyOf } from "../brief.ts";
import type { ProtocolReading } from "../protocol.ts";
import { defineRule } from "../rule.ts";
import { quoteJsonValue } from "../schema.ts";
import { payloadOf } from "./aliases.ts";
import { goal, run } from "./example-events.ts";
import { COGNITION } from "./sections.ts";
import { GOAL_STEPS, type GoalSignal, type GoalState } from "./steps.ts";
import { appendFinding, type PlacedFinding } from "./tool-calls.ts";

export const GOALS_RULES = {
  "aop/goal-status-order": defineRule(["info", "recording", 0, COGNITION, ["cognition.goal"]], {
    title: "A goal is set, then in progress, then completed or abandoned.",
    hint: "Emit `cognition.goal` with status `set` first; take up a closed goal again by setting it again.",
    examples: () => ({
      passes: run(goal(2, "set"), goal(3, "in_progress"), goal(4, "completed")),
      fails: run(goal(2, "set"), goal(3, "completed"), goal(4, "in_progress")),
    }),
  }),
} as const;

/** The goals of one session, keyed by text. A plain value. */
export interface GoalBook {
  goals: Record<string, GoalState>;
  count: number;
  /** Forgotten goals: a goal that changes status may have been set before. */
  forgotten: number;
}

const MAX_GOALS = 256;

export function openGoalBook(): GoalBook {
  return { goals: {}, count: 0, forgotten: 0 };
}

/** Applies one goal event; changes the book in place. */
export function stepGoal(
  book: GoalBook,
  reading: ProtocolReading,
  at: number,
  before: PlacedFinding[] | undefined,
): PlacedFinding[] | undefined {
  const { goal: said, status } = payloadOf(reading.value);
  if (typeof said !== "string" || typeof status !== "string" || !isGoalSignal(status)) return before;
  const goal = boundText(said);
  const key = recordKeyOf(goal);
  if (book.count >= MAX_GOALS && book.goals[key] === undefined) forgetGoals(book);
  const known = book.goals[key];
  if (known === undefined) book.count++;
  const cell = GOAL_STEPS[known ?? "unknown"][status];
  book.goals[key] = typeof cell === "string" ? cell : cell.then;
  if (typeof cell === "string" || (known === undefined && book.forgotten > 0)) return before;
  const message =
    known === undefined
      ? `The goal ${quoteJsonValue(goal)} is ${status}, but was never set.`
      : `The goal ${quoteJsonValue(goal)} was ${known} and is now ${status}.`;
  return appendFinding(before, { at, finding: { rule: cell.breaks, pointer: "/payload/status", message } });
}

export function forgetGoals(book: GoalBook): void {
  book.goals = {};
  book.forgotten += book.count;
  book.count = 0;
}

function isGoalSignal(status: string): status is GoalSignal {
  return status === "set" || status === "in_progress" || status === "completed" || status === "abandoned";
}
