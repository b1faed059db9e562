import type { AlertThresholds } from "./detector.ts";
import { type Detector, NOTHING, type Sighting, type TimeOptions, toldDuration } from "./detector.ts";
import { hearQuestion, type OpenQuestions, openQuestions, type Question } from "./open-questions.ts";

/** A question that waits too long: as long as the threshold says, or half of the time it gives itself, where that is less. */
export type RequestState = OpenQuestions;

export const requestWaiting: Detector<RequestState> = {
  open: openQuestions,

  hear(state, { activities, position, receivedAt }, thresholds) {
    const late = overdue(state, receivedAt, { thresholds }).map((sighting): Sighting => ({ ...sighting, late: true }));
    for (const activity of activities) hearQuestion(state, activity, position, receivedAt);
    return late;
  },

  check: overdue,

  dueAt({ open }, options) {
    const due = open.filter((question) => question[5] === 0).map((question) => dueOf(question, options));
    return due.length === 0 || options.thresholds.requestSeconds === 0 ? undefined : Math.min(...due);
  },
};

function overdue({ open }: RequestState, now: number, options: TimeOptions): readonly Sighting[] {
  if (options.thresholds.requestSeconds === 0 || open.length === 0) return NOTHING;
  const sightings: Sighting[] = [];
  for (const question of open) {
    if (question[5] === 1 || dueOf(question, options) > now) continue;
    question[5] = 1;
    const [, , position, at] = question;
    const waited = patience(question, options.thresholds);
    const message = `A question has waited for an answer for ${toldDuration(waited)}.`;
    // Two questions of one entry are one alert.
    if (sightings.some((other) => other.position === position)) continue;
    sightings.push({ severity: "warning", message, position, at: at + waited });
  }
  return sightings;
}

function dueOf(question: Question, { thresholds, deafUntil = 0 }: TimeOptions): number {
  return Math.max(question[3], deafUntil) + patience(question, thresholds);
}

function patience([, , , , timeoutMs]: Question, { requestSeconds }: AlertThresholds): number {
  return Math.min(requestSeconds * 1000, timeoutMs === null ? Number.POSITIVE_INFINITY : timeoutMs / 2);
}
