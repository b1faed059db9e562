import type { Activity } from "@earshot/protocol/activities";
import { hash53 } from "../bounded.ts";

/** What a session asked and waits for, oldest first, and answers that came before their questions: a plain JSON value. */
export interface OpenQuestions {
  readonly open: Question[];
  readonly early: number[];
}

/** Its name and its call's, where and when it was asked, how long it may wait by its own account, and whether it was told. */
export type Question = [name: number, call: number | null, position: number, at: number, timeoutMs: number | null, told: 0 | 1];

/** Of a session that asks more than a person can answer, the last ones are watched. */
const MOST_OPEN = 32;
const NAMELESS = hash53("");

export function openQuestions(): OpenQuestions {
  return { open: [], early: [] };
}

/** Takes in what asks, answers, or shows that there is nothing to wait for any more. */
export function hearQuestion(questions: OpenQuestions, activity: Activity, position: number, at: number): void {
  const { open, early } = questions;
  switch (activity.kind) {
    case "request.asked": {
      const { token, eventId, callId, timeoutMs } = activity;
      const name = hash53(token ?? eventId ?? "");
      const call = callId === undefined ? null : hash53(callId);
      ask(questions, [name, call, position, at, timeoutMs !== undefined && timeoutMs > 0 ? timeoutMs : null, 0]);
      break;
    }
    case "request.answered":
      if (activity.token === undefined) open.shift();
      else if (!remove(open, ([name]) => name === hash53(activity.token ?? ""))) remember(early, hash53(activity.token));
      break;
    case "tool.decided": {
      const call = activity.callId === undefined ? null : hash53(activity.callId);
      const event = activity.requestEventId === undefined ? null : hash53(activity.requestEventId);
      if (activity.verdict === "asked") ask(questions, [event ?? call ?? NAMELESS, call, position, at, null, 0]);
      else remove(open, (question) => (call !== null && question[1] === call) || (event !== null && question[0] === event));
      break;
    }
    case "tool.started":
    case "tool.ended": {
      const call = activity.callId === undefined ? null : hash53(activity.callId);
      // It runs, so somebody let it.
      if (call !== null && open.length > 0) remove(open, (question) => question[1] === call);
      break;
    }
    case "session.closed":
      open.length = 0;
      early.length = 0;
      break;
  }
}

function ask({ open, early }: OpenQuestions, question: Question): void {
  const [name] = question;
  if (name !== NAMELESS) {
    const answered = early.indexOf(name);
    if (answered >= 0) {
      early.splice(answered, 1);
      return;
    }
    if (open.some((other) => other[0] === name)) return; // asked again
  }
  open.push(question);
  if (open.length > MOST_OPEN) open.shift();
}

function remove(open: Question[], isMeant: (question: Question) => boolean): boolean {
  const index = open.findIndex(isMeant);
  if (index >= 0) open.splice(index, 1);
  return index >= 0;
}

function remember(early: number[], name: number): void {
  early.push(name);
  if (early.length > MOST_OPEN) early.shift();
}
