import type { StreamItem } from "../peer/peer.ts";
import { type DriveConnection, ObservedSession } from "./drive-connection.ts";
import { askForSignature, askForVersion, compareManifest, fetchManifest, shakeHands } from "./handshakes.ts";
import { askForFew, askForSilence, askForSlowness, askForTools, askForWhole, changeTerms, leaveOneDeaf } from "./kept-terms.ts";
import { notShown, type ProducerStage, type ScenarioResult } from "./producer-stage.ts";
import { sessionOf, typeOf } from "./question.ts";
import {
  acceptScenario,
  answerOne,
  clarifyScenario,
  handoffScenario,
  modifyScenario,
  rejectScenario,
  replyAsStranger,
  replyTwice,
  replyWrongly,
  runWhileAsked,
  waitForDefault,
} from "./question-scenarios.ts";
import { resumeAfterCut, resumeFromNowhere } from "./resumptions.ts";
import { didNotStart, NO_LINE, type Scenario } from "./scenario.ts";
import { answerBoth, askForLanguage, askForWords, askTersely, closeWhileAsked } from "./several-connections.ts";

/** Level 1: what an agent reports about itself. The recording rules do most of the judging; the scenarios provoke events. */
export const LEVEL_1: readonly Scenario[] = [
  {
    name: "chat",
    level: 1,
    title: "A short conversation begins, says something and ends.",
    async run(stage) {
      const line = await stage.open();
      if (line === undefined) return notShown(NO_LINE);
      const session = await stage.start(line, "chat");
      if (session === undefined) return didNotStart("chat");
      await stage.end(session);
      return undefined;
    },
  },
  { name: "tool", level: 1, title: "A tool is announced before it is used, and its end is told.", run: useTool },
  {
    name: "failing-tool",
    level: 1,
    title: "A failed tool call is reported as failed.",
    async run(stage) {
      const line = await stage.open();
      if (line === undefined) return notShown(NO_LINE);
      const session = await stage.start(line, "failing-tool");
      if (session === undefined) return didNotStart("failing-tool");
      await stage.end(session);
      const failed = session
        .events()
        .some(
          (item) =>
            typeOf(item) === "agent.session.errored" || (typeOf(item) === "agent.tool.completed" && item.value["status"] !== "success"),
        );
      return failed ? undefined : notShown("Nothing failed.");
    },
  },
  {
    name: "error",
    level: 1,
    title: "A session that fails says so, critically.",
    async run(stage) {
      const line = await stage.open();
      if (line === undefined) return notShown(NO_LINE);
      const session = await stage.start(line, "error");
      if (session === undefined) return didNotStart("error");
      const end = await stage.end(session);
      return end === undefined || typeOf(end) === "agent.session.errored" ? undefined : notShown("The session did not fail.");
    },
  },
  {
    name: "secret",
    level: 1,
    title: "A secret in the request appears in no event.",
    async run(stage) {
      const line = await stage.open();
      if (line === undefined) return notShown(NO_LINE);
      const session = await stage.start(line, "secret");
      if (session === undefined) return didNotStart("secret");
      await stage.end(session);
      stage.shows("aaep/no-secrets");
      const told = session.events().find((item) => item.text.includes(stage.secret));
      if (told !== undefined) stage.breaks("aaep/no-secrets", "The key that was given with the request is told to everybody.", told);
      return undefined;
    },
  },
  {
    name: "two-requests",
    level: 1,
    title: "A second request gets a session of its own.",
    async run(stage) {
      const line = await stage.open();
      if (line === undefined) return notShown(NO_LINE);
      const first = await request(stage, line, undefined);
      if (first === undefined) return didNotStart("chat");
      if ((await stage.end(first)) === undefined) return notShown("The first request did not come to its end.");
      const second = await request(stage, line, first.id);
      if (second === undefined) return didNotStart("chat");
      stage.shows("aaep/one-request-per-session");
      await stage.end(second);
      return undefined;
    },
  },
  { name: "two-at-once", level: 1, title: "Two requests at the same time get a session each, and both are whole.", run: askTwice },
];

/** Two concurrent sessions: the recording rules judge which event belongs to which. */
async function askTwice(stage: ProducerStage): Promise<ScenarioResult> {
  const line = await stage.open();
  if (line === undefined) return notShown(NO_LINE);
  const from = line.stream.items.length;
  if (!(await stage.trigger(line, "long")) || !(await stage.trigger(line, "tool"))) return didNotStart("long");
  const begins = (item: StreamItem) => typeOf(item) === "agent.session.started" && !stage.isKnown(sessionOf(item) ?? "");
  const first = await line.stream.until(begins, stage.patience.answerMs, from);
  if (first === undefined) return didNotStart("long");
  const isOther = (item: StreamItem) => begins(item) && sessionOf(item) !== sessionOf(first);
  const second = await line.stream.until(isOther, stage.patience.answerMs, from);
  if (second === undefined) return notShown("A second request does not begin while the first one runs.");
  for (const item of [first, second]) await stage.end(new ObservedSession(sessionOf(item) ?? "", line, from));
  return undefined;
}

async function useTool(stage: ProducerStage): Promise<ScenarioResult> {
  const line = await stage.open();
  if (line === undefined) return notShown(NO_LINE);
  const before = await stage.world();
  const session = await stage.start(line, "tool");
  if (session === undefined) return didNotStart("tool");
  await stage.end(session);
  const invoked = session.events().find((item) => typeOf(item) === "agent.tool.invoked");
  if (before !== undefined && (await stage.world()) !== before) {
    stage.shows("aaep/tool-before-effect");
    if (invoked === undefined) stage.breaks("aaep/tool-before-effect", "The world changed, and no tool was announced.");
  }
  return invoked === undefined ? notShown("No tool was used.") : undefined;
}

/** One request and its session, which must be a new one. */
async function request(stage: ProducerStage, line: DriveConnection, before: string | undefined): Promise<ObservedSession | undefined> {
  const from = line.stream.items.length;
  if (!(await stage.trigger(line, "chat"))) return undefined;
  const begins = (item: StreamItem) => typeOf(item) === "agent.session.started" || (before !== undefined && sessionOf(item) === before);
  const item = await line.stream.until(begins, stage.patience.answerMs, from);
  const id = item === undefined ? undefined : sessionOf(item);
  if (id === undefined) return undefined;
  if (id === before || stage.isKnown(id))
    stage.breaks("aaep/one-request-per-session", "The request goes on in the session of an earlier one.", item);
  return new ObservedSession(id, line, from);
}

const CLARIFIES = {
  clarify: "A question waits for text, refuses anything else, and continues with the answer.",
  "clarify-yes-no": "A question waits for yes or no.",
  "clarify-choice": "A question waits for one of its choices.",
  "clarify-number": "A question waits for a number.",
} as const;

/** Level 2: an agent's questions, and the effect of the answers. */
export const LEVEL_2: readonly Scenario[] = [
  {
    name: "accept",
    level: 2,
    title: "An action waits for its confirmation, and follows it.",
    run: (stage) => runWhileAsked(stage, "confirm", acceptScenario),
  },
  {
    name: "reject",
    level: 2,
    title: "A rejected action is not done, and all subscribers are informed.",
    run: (stage) => runWhileAsked(stage, "confirm", rejectScenario),
  },
  {
    name: "irreversible",
    level: 2,
    title: "What cannot be undone is asked about first, and done once it is accepted.",
    run: (stage) => runWhileAsked(stage, "irreversible", acceptScenario),
  },
  {
    name: "second-reply",
    level: 2,
    title: "The first answer counts, and a second one changes nothing.",
    run: (stage) => runWhileAsked(stage, "irreversible", replyTwice),
  },
  {
    name: "wrong-replies",
    level: 2,
    title: "Invented, altered and misshapen replies change nothing.",
    run: (stage) => runWhileAsked(stage, "irreversible", replyWrongly),
  },
  {
    name: "modified-action",
    level: 2,
    title: "An accept of another action than the one asked about does not start that one.",
    run: (stage) => runWhileAsked(stage, "irreversible", modifyScenario),
  },
  { name: "two-questions", level: 2, title: "Two sessions ask at the same time, and each waits for its own answer.", run: answerOne },
  {
    name: "timeout",
    level: 2,
    title: "Without an answer the default applies, when the time is over, and a late answer changes nothing.",
    run: waitForDefault,
  },
  {
    name: "stranger",
    level: 2,
    title: "A reply from an unknown sender changes nothing.",
    run: (stage) => runWhileAsked(stage, "irreversible", replyAsStranger),
  },
  ...(["clarify", "clarify-yes-no", "clarify-choice", "clarify-number"] as const).map(
    (situation): Scenario => ({
      name: situation,
      level: 2,
      title: CLARIFIES[situation],
      run: (stage) => clarifyScenario(stage, situation),
    }),
  ),
  { name: "handoff", level: 2, title: "An agent that hands over says so.", run: handoffScenario },
];

/** Level 3: what is agreed with each subscriber, and whether it is kept. */
export const LEVEL_3: readonly Scenario[] = [
  { name: "handshake", level: 3, title: "A request is answered, and no more is honoured than was asked for.", run: shakeHands },
  { name: "version", level: 3, title: "An unknown version is not agreed upon.", run: askForVersion },
  { name: "manifest", level: 3, title: "The producer publishes what it is.", run: fetchManifest },
  { name: "signed-manifest", level: 3, title: "Who takes signed manifests only gets one, or a rejection.", run: askForSignature },
  { name: "languages", level: 3, title: "A language that is not spoken is no reason to say nothing.", run: askForLanguage },
  { name: "verbosity", level: 3, title: "Few words or many: the events are the same.", run: askForWords },
  { name: "filter", level: 3, title: "What was not asked for is not sent.", run: askForFew },
  { name: "boundaries", level: 3, title: "Output is cut at the boundaries that were agreed upon.", run: askForWhole },
  { name: "rate", level: 3, title: "No more events come than were agreed upon, and nothing is lost.", run: askForSlowness },
  {
    name: "rate-tools",
    level: 3,
    title: "With a rate limit, all tool events arrive, possibly late, and other subscribers are not slowed.",
    run: askForTools,
  },
  { name: "terse-question", level: 3, title: "A question is the same for subscribers of few words.", run: askTersely },
  { name: "critical", level: 3, title: "What is critical comes at once, whatever was agreed upon.", run: askForSilence },
  { name: "renegotiate", level: 3, title: "New terms are answered, and hold from then on.", run: changeTerms },
  { name: "two-subscribers", level: 3, title: "The first answer counts across subscribers, and all learn of it.", run: answerBoth },
  { name: "close", level: 3, title: "After closing nothing more comes, and open questions take their default.", run: closeWhileAsked },
  { name: "resume", level: 3, title: "A stream resumes where it was cut.", run: resumeAfterCut },
  { name: "resume-unknown", level: 3, title: "A subscriber that cannot resume gets the current state.", run: resumeFromNowhere },
  { name: "manifest-honest", level: 3, title: "The manifest says what was heard in this drive.", run: compareManifest },
  { name: "deaf", level: 3, title: "A subscriber that stops reading slows no other.", run: leaveOneDeaf },
];
