import { homedir } from "node:os";
import type { Asked, Inspection, Word } from "@earshot/hub";
import { homeOf } from "@earshot/hub/home";
import { inspectAsked } from "@earshot/hub/inspection";
import type { Places } from "@earshot/policy";

/** Inspects a request's input with this user's folders, as the user's hub does. */
export function inspectRequest(asked: Asked): Inspection {
  return inspectAsked(asked, ownPlaces());
}

/** This user's folders. */
export function ownPlaces(): Places {
  return { home: homedir(), earshot: homeOf(process.env).folder };
}

const VERBS: Readonly<Partial<Record<Word, string>>> = {
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
export function verbOf(word: Word): string {
  return VERBS[word] ?? word;
}
