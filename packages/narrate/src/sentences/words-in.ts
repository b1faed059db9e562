import type { Activity } from "@earshot/protocol/activities";
import { isObject } from "@earshot/protocol/json";
import { spaceWords } from "../amounts.ts";
import { callBegunSentence, callDecidedSentence, callEndedSentence, conjugateTool, type SentenceContext } from "./call-sentences.ts";
import { spokenState } from "./phrases-in.ts";
import { approximateDuration } from "./quantities.ts";
import {
  agentSummaryOf,
  type LanguageWords,
  MAX_QUESTION_WORDS,
  MAX_WORDS_BY_VERBOSITY,
  spokenAddress,
  spokenBeginning,
  spokenName,
  spokenPerson,
  valuesOfJson,
} from "./reading.ts";
import { type Sentence, spokenDuration, toSentence } from "./sentence.ts";
import {
  plannedSentence,
  progressSentence,
  sessionClosedSentence,
  spendingSentences,
  workspaceChangedSentence,
} from "./session-sentences.ts";
import type { Segment, WordsFor } from "./words.ts";

/** Short, plain words for every activity in one language. Summaries written by the agent are kept. */
export function wordsInLanguage(tongue: LanguageWords): WordsFor {
  const { language } = tongue.catalogue;
  return (activity, verbosity) => {
    const sentence = sentenceOf(activity, { summary: agentSummaryOf(activity, verbosity, tongue), verbosity, tongue });
    if (sentence === undefined) return undefined;
    const { verb, own = [], ours = [] } = sentence;
    const segments = [...toSegment(own, activity.language), ...toSegment(ours, language)];
    return verb === "" && segments.length === 0 ? undefined : { verb, language, segments };
  };
}

function toSegment(parts: readonly (string | undefined)[], language: string | undefined): readonly Segment[] {
  const text = parts
    .filter((part) => part !== undefined && part !== "")
    .map((part = "") => toSentence(part))
    .join(" ");
  if (text === "") return [];
  return [language === undefined ? { text } : { text, language }];
}

/** One entry per kind, so that the compiler finds a missing one. */
function sentenceOf(activity: Activity, telling: SentenceContext): Sentence | undefined {
  const { summary, verbosity, tongue } = telling;
  const { words } = tongue.catalogue;
  const read = (text: string | undefined, most: number = MAX_WORDS_BY_VERBOSITY[verbosity]) => spokenBeginning(text, most, tongue);
  const isDetailed = verbosity === "detailed";
  switch (activity.kind) {
    case "session.opened":
      return {
        verb: activity.resumed === true ? words.resumed : words.started,
        own: [summary ?? read(activity.goal)],
        ours: [spokenDuration(activity.expectedMs, "takes", tongue)],
      };
    case "session.closed":
      return sessionClosedSentence(activity, telling);
    case "turn.started":
      return { verb: words.turnStarted, own: [summary] };
    case "turn.ended": {
      const took = isDetailed ? spokenDuration(activity.durationMs, "took", tongue) : undefined;
      return { verb: words.turnEnded, own: [summary], ours: [took, ...spendingSentences(activity, telling)] };
    }
    case "state":
      return {
        verb: summary === undefined ? spokenState(spokenName(activity.to, tongue) ?? "", tongue.catalogue) : "",
        own: [summary],
        ours: [spokenDuration(activity.expectedMs, "takes", tongue)],
      };
    case "progress":
      return progressSentence(activity, telling);
    case "thought":
      return { verb: words.thinks, own: [summary ?? read(activity.text)] };
    case "goal":
      return { verb: words[GOALS[activity.status ?? "set"]], own: [summary ?? read(activity.text)] };
    case "decision":
      return {
        verb: words.decided,
        own: [summary ?? read(activity.text), isDetailed ? read(activity.why) : undefined],
        ours: [isDetailed && activity.confidence === "low" ? words.lowConfidence : undefined],
      };
    case "uncertainty":
      return { verb: words.unsure, own: [summary ?? read(activity.text)] };
    case "prompt":
      return { verb: words.told, own: [read(activity.text)] };
    case "response": {
      const said = summary ?? read(activity.text, MAX_WORDS_BY_VERBOSITY[verbosity] * 2);
      return { verb: said === undefined ? words.hasAnswer : words.says, own: [said] };
    }
    case "output.chunk": {
      const said = read(activity.text);
      return said === undefined ? undefined : { verb: words.says, own: [said] };
    }
    case "tool.requested":
    case "tool.started":
      return callBegunSentence(activity, telling);
    case "tool.ended":
      return callEndedSentence(activity, telling);
    case "tool.decided":
      return callDecidedSentence(activity, telling);
    case "request.asked":
      return asked(activity, telling);
    case "request.answered":
      return { verb: words.answered, own: [read(valuesOfJson(activity.answer))] };
    case "handoff":
      return handedOver(activity, telling);
    case "subagent.started":
      return {
        verb: words.helperStarted(spokenName(activity.childAgent, tongue)),
        own: [summary ?? read(activity.goal), isDetailed ? read(activity.why) : undefined],
      };
    case "subagent.ended": {
      const verb = /fail|error/i.test(activity.outcome ?? "") ? words.helperFailed : words.helperEnded;
      return {
        verb: verb(spokenName(activity.childAgent, tongue)),
        own: [summary ?? read(activity.result)],
        ours: spendingSentences(activity, telling),
      };
    }
    case "memory":
      return {
        verb: activity.operation === "write" ? words.noted : activity.operation === "delete" ? words.forgot : words.lookedUp,
        own: [summary ?? read(activity.key)],
      };
    case "external.call": {
      const isFailed = activity.error !== undefined || (activity.status ?? 0) >= 400;
      return {
        verb: isFailed ? words.serviceFailed : words.calledService,
        own: [spokenAddress(activity.target, tongue), read(activity.error)],
      };
    }
    case "context.compacted":
      return { verb: words.compacted, own: [summary], ours: spendingSentences(activity, telling) };
    case "workspace.changed":
      return workspaceChangedSentence(activity, telling);
    case "plan":
      return plannedSentence(activity, telling);
    case "notification": {
      const said = summary ?? read(activity.text);
      return said === undefined ? undefined : { verb: words.says, own: [said] };
    }
    case "error":
      return { verb: words.error, own: [summary ?? read(activity.message), read(activity.hint, MAX_QUESTION_WORDS)] };
    case "custom":
      return summary === undefined ? { verb: words.sentEvent, own: [unknownName(activity, tongue)] } : { verb: "", own: [summary] };
    case "heartbeat":
      return undefined;
  }
}

/** An unknown event is named by its type and its tool. */
function unknownName({ type, data }: Extract<Activity, { kind: "custom" }>, tongue: Parameters<typeof spokenName>[1]): string {
  const tool = isObject(data?.["tool"]) ? data["tool"]["name"] : undefined;
  const names = [type.slice(type.indexOf(":") + 1).replaceAll(".", " "), ...(typeof tool === "string" ? [tool] : [])];
  return names.map((name) => spokenName(name, tongue)).join(", ");
}

const GOALS = { set: "goalSet", in_progress: "goalPursued", completed: "goalReached", abandoned: "goalGivenUp" } as const;

const MAX_CHOICES = 9;
const CHOICE_WORDS = 12;

/** The action, its reversibility, the possible answers and the time left. */
function asked(activity: Extract<Activity, { kind: "request.asked" }>, { summary, verbosity, tongue }: SentenceContext): Sentence {
  const { words, saysNoWayBack } = tongue.catalogue;
  const { prompt, consequence, background, choices, timeoutMs, request, tool } = activity;
  const read = (text: string | undefined) => spokenBeginning(text, MAX_QUESTION_WORDS, tongue);
  const isTerse = verbosity === "terse";
  const own =
    summary === undefined
      ? [read(prompt), isTerse ? undefined : read(consequence), verbosity === "detailed" ? read(background) : undefined]
      : [summary];
  const isUntold = summary === undefined && own[0] === undefined;
  const numbered =
    request === "clarification"
      ? choices?.slice(0, MAX_CHOICES).map((choice, index) => `${index + 1}, ${spokenBeginning(choice, CHOICE_WORDS, tongue) ?? ""}`)
      : undefined;
  return {
    verb: words.asks,
    own,
    ours: [
      isUntold && tool !== undefined ? words.wants(conjugateTool(tool, tongue)) : undefined,
      activity.reversible === false && !saysNoWayBack.test(own.join(" ")) ? words.noWayBack : undefined,
      activity.risk === "high" ? words.highRisk : undefined,
      isTerse || numbered === undefined ? undefined : words.answers(numbered.join("; ")),
      isTerse || timeoutMs === undefined ? undefined : words.youHave(approximateDuration(timeoutMs, tongue.catalogue)),
    ],
  };
}

function handedOver(activity: Extract<Activity, { kind: "handoff" }>, { summary, tongue }: SentenceContext): Sentence {
  const { words } = tongue.catalogue;
  const { targetKind, to, reason, priority } = activity;
  const target = targetKind ?? to ?? "";
  return {
    verb: words.handsOver(spokenPerson(spaceWords(target), tongue)),
    own: [summary ?? spokenBeginning(reason, MAX_QUESTION_WORDS, tongue)],
    ours: [priority === "high" ? words.highPriority : undefined],
  };
}
