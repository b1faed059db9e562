import { setTimeout as sleep } from "node:timers/promises";
import { CORE_CONTEXT, type JsonObject } from "@earshot/protocol";
import type { AskedQuestion, PlayedAgent } from "./played-agent.ts";
import type { Scene, SubscriberStage } from "./subscriber-stage.ts";

/** The scenes in order; the last one asks the subscriber to leave. */
export const SCENES: readonly Scene[] = [
  { name: "listen", level: 1, title: "It listens to a session from beginning to end.", run: listen },
  { name: "handshake", level: 3, title: "It opens with a request that says what it can take.", run: shakeHands },
  { name: "unknown", level: 1, title: "It continues after unknown types, extensions and states.", run: sayStrangeThings },
  {
    name: "accept",
    level: 2,
    title: "It sends the person's yes, with the token as it came.",
    run: (stage) => confirm(stage, "Please accept this question.", "accept"),
  },
  {
    name: "reject",
    level: 2,
    title: "It sends the person's no.",
    run: (stage) => confirm(stage, "Please reject this question.", "reject"),
  },
  { name: "no-answer", level: 2, title: "It does not answer for a person who has not answered.", run: waitInVain },
  {
    name: "words",
    level: 2,
    title: "It sends words for a question that takes words.",
    run: (stage) => clarify(stage, { words: "Please answer with the word blue.", kinds: ["freetext"] }),
  },
  {
    name: "yes-no",
    level: 2,
    title: "It sends yes or no for a question that takes those.",
    run: (stage) => clarify(stage, { words: "Please answer yes.", kinds: ["yes_no"] }),
  },
  {
    name: "choice",
    level: 2,
    title: "It sends the value of a choice.",
    run: (stage) => clarify(stage, { words: "Please choose blue.", kinds: ["multiple_choice"], choices: CHOICES }),
  },
  {
    name: "number",
    level: 2,
    title: "It sends a number for a question that takes numbers.",
    run: (stage) => clarify(stage, { words: "Please answer with the number 3.", kinds: ["numeric"] }),
  },
  { name: "pressure", level: 2, title: "It announces what is critical however much else arrives.", run: pressBusy },
  { name: "duplicates", level: 3, title: "It takes an event that comes twice for one.", run: repeat },
  { name: "renegotiate", level: 3, title: "It asks for other terms rather than falling behind.", run: renegotiate },
  { name: "close", level: 3, title: "It closes its subscription when it stops.", run: sayGoodbye },
];

const CHOICES = [
  { value: "red", label: "Red" },
  { value: "blue", label: "Blue" },
];

async function listen(stage: SubscriberStage): Promise<string | undefined> {
  const agent = stage.agent("A check by Earshot begins.");
  agent.enter("writing_output");
  agent.emit("aaep:agent.output.streaming", {
    chunk: "This is a check. ",
    position: 0,
    complete: false,
    output_id: "out_1",
    coalesce_hint: "sentence",
  });
  agent.emit("aaep:agent.output.streaming", {
    chunk: "Questions will follow.",
    position: 17,
    complete: true,
    output_id: "out_1",
    coalesce_hint: "completion",
  });
  agent.end();
  await stage.quiet();
  return stage.isAttended ? undefined : "The subscriber did not stay.";
}

async function shakeHands(stage: SubscriberStage): Promise<string | undefined> {
  const request = stage.exchanged.find(({ by, value }) => by === "subscriber" && value["type"] === "subscription.request");
  return request === undefined ? "The subscriber listens without a handshake." : undefined;
}

async function sayStrangeThings(stage: SubscriberStage): Promise<string | undefined> {
  const before = stage.visits;
  const agent = stage.agent("Things that nobody knows.");
  const strange: JsonObject = {
    "@context": [CORE_CONTEXT, "https://example.org/earshotcheck/v1"],
    extensions: { earshotcheck: { deep: { er: [1, null] } } },
  };
  // Critical, so that no filter removes it.
  agent.emit("earshotcheck:thing.happened", {
    ...strange,
    urgency: "critical",
    summary_normal: "Something happened that has no name yet.",
    novel: { field: true },
  });
  agent.emit("aaep:agent.progress.updated", { ...strange, progress: { percent: 50 } });
  agent.enter("pondering");
  agent.enter("thinking");
  agent.end();
  await stage.quiet();
  stage.shows("aaep/unknown-tolerated");
  // A reconnected subscriber has left as well.
  if (!stage.isAttended || stage.visits > before) {
    stage.breaks("aaep/unknown-tolerated", "The subscriber hung up after an event that it does not know.");
    await stage.attended();
  }
  return undefined;
}

async function confirm(stage: SubscriberStage, words: string, decision: string): Promise<string | undefined> {
  const agent = stage.agent(words);
  const question = agent.confirm({ words, seconds: stage.questionSeconds });
  const reply = await stage.reply(question);
  if (reply?.["decision"] === "accept") agent.act();
  else agent.enter("thinking", "Not accepted.");
  agent.end();
  await stage.quiet();
  if (reply === undefined) return "No answer came.";
  return reply["decision"] === decision ? undefined : `The answer was ${String(reply["decision"])}, and ${decision} was asked for.`;
}

async function waitInVain(stage: SubscriberStage): Promise<string | undefined> {
  const words = "Please leave this question unanswered until it goes away.";
  const agent = stage.agent(words);
  const question = agent.confirm({ words, seconds: stage.shortSeconds });
  const reply = await stage.reply(question, stage.shortSeconds * 1000);
  stage.shows("aaep/no-auto-reply");
  if (reply !== undefined) stage.breaks("aaep/no-auto-reply", "A question was answered that nobody was to answer.");
  agent.enter("thinking", "Nobody answered in time.");
  agent.end();
  return undefined;
}

interface Wanted {
  readonly words: string;
  readonly kinds: readonly string[];
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
}

async function clarify(stage: SubscriberStage, wanted: Wanted): Promise<string | undefined> {
  const agent = stage.agent(wanted.words);
  const question = agent.clarify({ ...wanted, seconds: stage.questionSeconds });
  const reply = await stage.reply(question);
  agent.enter("thinking", "Thank you.");
  agent.end();
  await stage.quiet();
  return reply === undefined ? "No answer came." : undefined;
}

const FLOOD = 300;

async function pressBusy(stage: SubscriberStage): Promise<string | undefined> {
  if (!stage.hasReplied) return "No question has been answered so far, so a missing answer proves nothing.";
  const words = "Please accept this question, too.";
  const agent = stage.agent("A great deal of progress.");
  for (let number = 0; number < FLOOD; number++) agent.progress((number * 50) / FLOOD);
  const question = agent.confirm({ words, seconds: stage.questionSeconds });
  for (let number = 0; number < FLOOD; number++) agent.progress(50 + (number * 50) / FLOOD);
  const reply = await stage.reply(question);
  stage.shows("aaep/critical-announced");
  if (reply === undefined)
    stage.breaks("aaep/critical-announced", `A confirmation among ${2 * FLOOD} progress events was not answered; others were.`);
  if (reply?.["decision"] === "accept") agent.act();
  else agent.enter("thinking", "Not accepted.");
  agent.end();
  return undefined;
}

async function repeat(stage: SubscriberStage): Promise<string | undefined> {
  const words = "Please accept this question. It is sent twice.";
  const agent = stage.agent(words);
  const question = agent.confirm({ words, seconds: stage.questionSeconds });
  agent.repeat(question.event);
  const reply = await stage.reply(question);
  if (reply === undefined) {
    agent.enter("thinking", "Nobody answered.");
    agent.end();
    return "No answer came.";
  }
  agent.repeat(question.event);
  agent.act();
  agent.end();
  await stage.quiet();
  stage.shows("aaep/duplicates-ignored");
  const replies = repliesTo(stage, question);
  if (replies > 1) stage.breaks("aaep/duplicates-ignored", `A question that was sent several times was answered ${replies} times.`);
  return undefined;
}

function repliesTo(stage: SubscriberStage, { token }: AskedQuestion): number {
  return stage.exchanged.filter(({ by, value }) => by === "subscriber" && value["reply_token"] === token).length;
}

async function renegotiate(stage: SubscriberStage): Promise<string | undefined> {
  const asked = stage.exchanged.some(({ by, value }) => by === "subscriber" && value["type"] === "subscription.renegotiate");
  return asked ? undefined : "The subscriber never asked for other terms; it may not have had to.";
}

async function sayGoodbye(stage: SubscriberStage): Promise<string | undefined> {
  if (!stage.hasHandshake) return "Without a handshake there is no subscription to close.";
  const agent: PlayedAgent = stage.agent("The check is over. Please stop the subscriber now.");
  agent.end();
  const gone = await stage.gone();
  if (gone === "still there") return "The subscriber was not stopped.";
  stage.shows("aaep/subscriber-closes");
  if (gone === "without a word") stage.breaks("aaep/subscriber-closes", "The subscriber went without closing its subscription.");
  await sleep(0);
  return undefined;
}
