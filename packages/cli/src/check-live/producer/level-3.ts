import { askForSignature, askForVersion, readManifest, shakeHands } from "./handshakes.ts";
import { askForFew, askForSilence, askForSlowness, askForWhole, changeTerms } from "./kept-terms.ts";
import { resumeAfterCut, resumeFromNowhere } from "./resumptions.ts";
import { askForLanguage, askForWords } from "./same-for-all.ts";
import type { Scenario } from "./scenario.ts";
import { answerBoth, closeWhileAsked } from "./several-lines.ts";

/** Level 3: what is agreed with each subscriber, and whether it is kept. */
export const LEVEL_3: readonly Scenario[] = [
  { name: "handshake", level: 3, title: "A request is answered, and no more is honoured than was asked for.", run: shakeHands },
  { name: "version", level: 3, title: "A version that nobody speaks is not agreed upon.", run: askForVersion },
  { name: "manifest", level: 3, title: "The producer publishes what it is.", run: readManifest },
  { name: "signed-manifest", level: 3, title: "Who takes signed manifests only gets one, or a rejection.", run: askForSignature },
  { name: "languages", level: 3, title: "A language that is not spoken is no reason to say nothing.", run: askForLanguage },
  { name: "verbosity", level: 3, title: "Few words or many: the events are the same.", run: askForWords },
  { name: "filter", level: 3, title: "What was not asked for is not sent.", run: askForFew },
  { name: "boundaries", level: 3, title: "Output is cut at the boundaries that were agreed upon.", run: askForWhole },
  { name: "rate", level: 3, title: "No more events come than were agreed upon, and nothing is lost.", run: askForSlowness },
  { name: "critical", level: 3, title: "What is critical comes at once, whatever was agreed upon.", run: askForSilence },
  { name: "renegotiate", level: 3, title: "New terms are answered, and hold from then on.", run: changeTerms },
  { name: "two-subscribers", level: 3, title: "The first answer counts across subscribers, and all learn of it.", run: answerBoth },
  { name: "close", level: 3, title: "After closing nothing more comes, and open questions take their default.", run: closeWhileAsked },
  { name: "resume", level: 3, title: "A stream that was cut goes on where it broke off.", run: resumeAfterCut },
  { name: "resume-unknown", level: 3, title: "Who cannot be brought up to date is told where things stand.", run: resumeFromNowhere },
];
