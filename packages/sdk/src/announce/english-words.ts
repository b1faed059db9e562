import type { Activity } from "@earshot/translate";
import type { Segment } from "./announcement.ts";
import { counted, spaced, stateInEnglish } from "./english-phrases.ts";
import {
  addressAloud,
  fileName,
  MOST_ASKED,
  MOST_WORDS,
  readAloud,
  spokenName,
  subjectAloud,
  summaryOf,
  takes,
  toolName,
  type Verbosity,
} from "./english-reading.ts";
import { asked, closed, decided, ended, progress, type Sentence } from "./english-sentences.ts";
import type { Words } from "./words.ts";

const LANGUAGE = "en";

/** Plain, short English for every activity. An announcement that the agent supplied is kept as it is. */
export function englishWords(activity: Activity, verbosity: Verbosity, _language: string): Words | undefined {
  const sentence = sentenceOf(activity, verbosity);
  if (sentence === undefined) return undefined;
  const { verb, own = [], ours = [] } = sentence;
  const segments = [...toSegment(own, activity.language), ...toSegment(ours, LANGUAGE)];
  return verb === "" && segments.length === 0 ? undefined : { verb, language: LANGUAGE, segments };
}

function toSegment(parts: readonly (string | undefined)[], language: string | undefined): readonly Segment[] {
  const text = parts
    .filter((part) => part !== undefined && part !== "")
    .map((part = "") => toSentence(part))
    .join(" ");
  if (text === "") return [];
  return [language === undefined ? { text } : { text, language }];
}

function sentenceOf(activity: Activity, verbosity: Verbosity): Sentence | undefined {
  const summary = summaryOf(activity, verbosity);
  const read = (text: string | undefined) => readAloud(text, MOST_WORDS[verbosity]);
  switch (activity.kind) {
    case "session.opened":
      return {
        verb: activity.resumed === true ? "resumed" : "started",
        own: [summary ?? read(activity.goal)],
        ours: [takes(activity.expectedMs)],
      };
    case "session.closed":
      return closed(activity, summary, read);
    case "turn.started":
      return { verb: "started a turn" };
    case "turn.ended":
      return { verb: "is done for now" };
    case "state":
      return {
        verb: summary === undefined ? stateInEnglish(spokenName(activity.to)) : "",
        own: [summary],
        ours: [takes(activity.expectedMs)],
      };
    case "progress":
      return progress(activity, summary);
    case "thought":
      return { verb: "thinks", own: [summary ?? read(activity.text)] };
    case "goal":
      return { verb: "set a goal", own: [summary ?? read(activity.text)] };
    case "decision":
      return { verb: "decided", own: [summary ?? read(activity.text), verbosity === "detailed" ? read(activity.why) : undefined] };
    case "uncertainty":
      return { verb: "is unsure", own: [summary ?? read(activity.text)] };
    case "prompt":
      return { verb: "was told", own: [read(activity.text)] };
    case "response":
      return { verb: "says", own: [summary ?? readAloud(activity.text, MOST_WORDS[verbosity] * 2)] };
    case "output.chunk":
      return { verb: "says", own: [read(activity.text)] };
    case "tool.requested":
    case "tool.started": {
      const expected = activity.kind === "tool.started" ? takes(activity.expectedMs) : undefined;
      if (summary !== undefined) return { verb: "", own: [summary], ours: [expected] };
      const subject = verbosity === "terse" ? undefined : subjectAloud(activity.subject, activity.protocol === "aaep");
      return { verb: `uses ${toolName(activity.toolTitle ?? activity.tool)}`, own: [subject], ours: [expected] };
    }
    case "tool.ended":
      return ended(activity, summary, read);
    case "tool.decided":
      return decided(activity, read);
    case "request.asked":
      return asked(activity, summary, verbosity);
    case "request.answered":
      return { verb: "was answered", own: [read(activity.answer)] };
    case "handoff":
      return {
        verb: `hands over to ${toolName(spaced(activity.targetKind ?? activity.to ?? "somebody"))}`,
        own: [summary ?? readAloud(activity.reason, MOST_ASKED)],
        ours: [activity.priority === "high" ? "High priority" : undefined],
      };
    case "subagent.started":
      return { verb: `started ${toolName(activity.childAgent ?? "a helper")}`, own: [summary ?? read(activity.goal)] };
    case "subagent.ended":
      return { verb: `heard back from ${toolName(activity.childAgent ?? "a helper")}`, own: [summary ?? read(activity.result)] };
    case "memory":
      return { verb: activity.operation === "write" ? "noted something" : "looked something up", own: [summary ?? read(activity.key)] };
    case "external.call":
      return { verb: "called a service", own: [addressAloud(activity.target)] };
    case "context.compacted":
      return { verb: "shortened its memory", own: [summary] };
    case "workspace.changed":
      return { verb: "changed files", own: [fileName(activity.path)] };
    case "plan":
      return {
        verb: activity.items.length === 0 ? "has a plan" : `has a plan of ${counted(activity.items.length, "step")}`,
        own: [summary],
      };
    case "notification":
      return { verb: "says", own: [summary ?? read(activity.text)] };
    case "error":
      return { verb: "had an error", own: [summary ?? read(activity.message), readAloud(activity.hint, MOST_ASKED)] };
    case "custom":
      return summary === undefined
        ? { verb: "sent an event", own: [spokenName(activity.type.slice(activity.type.indexOf(":") + 1).replaceAll(".", " "))] }
        : { verb: "", own: [summary] };
    case "heartbeat":
      return undefined;
  }
}

function toSentence(text: string): string {
  return /[.!?…:。！？]["')\]]?$/u.test(text) ? text : `${text}.`;
}
