import { homedir } from "node:os";
import type { Asked, Inspection, Word } from "@earshot/hub";
import { homeOf } from "@earshot/hub/home";
import { inspectAsked } from "@earshot/hub/inspection";
import type { Places } from "@earshot/policy";

/** Looks into what is asked, as the hub of whoever runs this command does. */
export function inspectRequest(asked: Asked): Inspection {
  return inspectAsked(asked, ownPlaces());
}

/** The folders of whoever runs this command. */
export function ownPlaces(): Places {
  return { home: homedir(), earshot: homeOf(process.env).folder };
}

const VERBS: Readonly<Partial<Record<Word, string>>> = {
  allow: "allow",
  accept: "allow",
  continue: "let it go on",
  "take-over": "take over",
  deny: "deny",
  reject: "deny",
  block: "hold it back",
  decline: "decline",
};

/** As a person says it. */
export function verbOf(word: Word): string {
  return VERBS[word] ?? word;
}
