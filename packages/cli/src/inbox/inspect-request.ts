import { homedir } from "node:os";
import type { AnswerWordName, AskedCard, Inspection } from "@earshot/hub";
import { hubHomeOf } from "@earshot/hub/home";
import { inspectAsked } from "@earshot/hub/inspection";
import type { Places } from "@earshot/policy";

/** Inspects a request's input with this user's folders, as the user's hub does. */
export function inspectRequest(asked: AskedCard): Inspection {
  return inspectAsked(asked, ownPlaces());
}

/** This user's folders. */
export function ownPlaces(): Places {
  return { home: homedir(), earshot: hubHomeOf(process.env).folder };
}

const VERBS: Readonly<Partial<Record<AnswerWordName, string>>> = {
  allow: "allow",
  accept: "allow",
  continue: "continue",
  "take-over": "take over",
  deny: "deny",
  reject: "deny",
  block: "block",
  decline: "decline",
};

/** The word a person would use. */
export function verbOfAnswer(word: AnswerWordName): string {
  return VERBS[word] ?? word;
}
