import type { Activity } from "@earshot/protocol/activities";
import { spaceWords } from "../amounts.ts";
import { type Telling, toolAloud } from "./call-sentences.ts";
import { aboutAloud } from "./quantities.ts";
import { MOST_ASKED, readAloud, whoAloud } from "./reading.ts";
import type { Sentence } from "./sentence.ts";

const MOST_CHOICES = 9;
const CHOICE_WORDS = 12;

/** What happens, whether it can be undone, what can be answered and for how long. */
export function asked(activity: Extract<Activity, { kind: "request.asked" }>, { summary, verbosity, tongue }: Telling): Sentence {
  const { words, saysNoWayBack } = tongue.catalogue;
  const { prompt, consequence, background, choices, timeoutMs, request, tool } = activity;
  const read = (text: string | undefined) => readAloud(text, MOST_ASKED, tongue);
  const isTerse = verbosity === "terse";
  const own =
    summary === undefined
      ? [read(prompt), isTerse ? undefined : read(consequence), verbosity === "detailed" ? read(background) : undefined]
      : [summary];
  const isUntold = summary === undefined && own[0] === undefined;
  const numbered =
    request === "clarification"
      ? choices?.slice(0, MOST_CHOICES).map((choice, index) => `${index + 1}, ${readAloud(choice, CHOICE_WORDS, tongue) ?? ""}`)
      : undefined;
  return {
    verb: words.asks,
    own,
    ours: [
      isUntold && tool !== undefined ? words.wants(toolAloud(tool, tongue)) : undefined,
      activity.reversible === false && !saysNoWayBack.test(own.join(" ")) ? words.noWayBack : undefined,
      activity.risk === "high" ? words.highRisk : undefined,
      isTerse || numbered === undefined ? undefined : words.answers(numbered.join("; ")),
      isTerse || timeoutMs === undefined ? undefined : words.youHave(aboutAloud(timeoutMs, tongue.catalogue)),
    ],
  };
}

export function handedOver(activity: Extract<Activity, { kind: "handoff" }>, { summary, tongue }: Telling): Sentence {
  const { words } = tongue.catalogue;
  const { targetKind, to, reason, priority } = activity;
  const target = targetKind ?? to ?? "";
  return {
    verb: words.handsOver(whoAloud(spaceWords(target), tongue)),
    own: [summary ?? readAloud(reason, MOST_ASKED, tongue)],
    ours: [priority === "high" ? words.highPriority : undefined],
  };
}
