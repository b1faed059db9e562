import type { Activity } from "@earshot/protocol/activities";
import { hash53 } from "./bounded.ts";

/** Open questions of a session, oldest first, and answers stored before their questions: a plain JSON value. */
export interface OpenQuestions {
  readonly open: OpenQuestion[];
  readonly early: number[];
}

/** Hashes of the question's name and call, position and time, its timeout, and whether an alert was raised. */
export type OpenQuestion = [name: number, call: number | null, position: number, at: number, timeoutMs: number | null, raised: 0 | 1];

/** Beyond this, the oldest questions are dropped. */
const MAX_OPEN_QUESTIONS = 64;
const NAMELESS = hash53("");

export function openQuestions(): OpenQuestions {
  return { open: [], early: [] };
}

/** Applies an activity that asks or answers, or shows that a question is settled. */
export function applyToQuestions(questions: OpenQuestions, activity: Activity, position: number, at: number): void {
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
      else if (!settle(open, ([name]) => name === hash53(activity.token ?? ""))) remember(early, hash53(activity.token));
      break;
    case "tool.decided": {
      const call = hash53(activity.callId ?? "");
      const event = activity.requestEventId === undefined ? null : hash53(activity.requestEventId);
      if (activity.verdict === "asked") ask(questions, [event ?? call, call, position, at, null, 0]);
      else settle(open, (question) => question[1] === call || question[0] === event);
      break;
    }
    case "tool.started":
    case "tool.ended": {
      if (open.length === 0) break;
      const call = hash53(activity.callId ?? "");
      settle(open, (question) => question[1] === call); // a call that runs was allowed
      break;
    }
    case "session.closed":
      open.length = 0;
      early.length = 0;
      break;
  }
}

function ask({ open, early }: OpenQuestions, question: OpenQuestion): void {
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
  if (open.length > MAX_OPEN_QUESTIONS) open.shift();
}

/** Removes every matching question, because several hooks may ask about one call. Returns whether there was one. */
function settle(open: OpenQuestion[], isMeant: (question: OpenQuestion) => boolean): boolean {
  const left = open.filter((question) => !isMeant(question));
  return open.splice(0, open.length, ...left).length > left.length;
}

function remember(early: number[], name: number): void {
  early.push(name);
  if (early.length > MAX_OPEN_QUESTIONS) early.shift();
}
