import type { JsonObject } from "@earshot/protocol";
import type { StreamItem } from "../peer/peer.ts";
import type { Situation } from "../situations.ts";
import {
  alteredToken,
  clarificationReplyTo,
  confirmationReplyTo,
  type DriveConnection,
  exampleResponses,
  inventedToken,
  type ObservedSession,
} from "./drive-connection.ts";
import { notShown, type ProducerStage, type ScenarioResult } from "./producer-stage.ts";
import { completes, invokes, isEnd, type ObservedQuestion, settles, stampOf, typeOf } from "./question.ts";
import { didNotAsk, didNotStart, NO_LINE } from "./scenario.ts";

/** An open question and its place. */
interface Asked {
  readonly line: DriveConnection;
  readonly session: ObservedSession;
  readonly question: ObservedQuestion;
}

export async function runWhileAsked(
  stage: ProducerStage,
  situation: Situation,
  then: (stage: ProducerStage, asked: Asked) => Promise<ScenarioResult>,
): Promise<ScenarioResult> {
  const line = await stage.open();
  if (line === undefined) return notShown(NO_LINE);
  const before = await stage.world();
  const session = await stage.start(line, situation);
  if (session === undefined) return didNotStart(situation);
  const question = await stage.question(session, "confirmation");
  if (question === undefined) {
    // The recording rules judge what it does without asking, once it has ended.
    await stage.end(session);
    return didNotAsk(situation);
  }
  await stage.quiet();
  judgeWaiting(stage, session, question);
  if (before !== undefined && (await stage.world()) !== before) {
    stage.breaks("aaep/confirmation-blocks", "The world changed while the question was open.", question.item);
    if (!session.events().some((item) => invokes(item, question)))
      stage.breaks("aaep/tool-before-effect", "The world changed before the tool was announced.", question.item);
  }
  return then(stage, { line, session, question });
}

/** Nothing may happen, or be reported as done, while a question is open. */
function judgeWaiting(stage: ProducerStage, session: ObservedSession, question: ObservedQuestion): void {
  stage.shows("aaep/confirmation-blocks", "aaep/nothing-implies-action");
  const early = session.events().find((item) => invokes(item, question));
  if (early !== undefined) stage.breaks("aaep/confirmation-blocks", "The tool is invoked while its confirmation is open.", early);
  const implies = session.events().find((item) => completes(item, question) || startsCall(item, question));
  if (implies !== undefined)
    stage.breaks("aaep/nothing-implies-action", "An event tells of the action while its confirmation is open.", implies);
}

function startsCall(item: StreamItem, question: ObservedQuestion): boolean {
  return item.index > question.item.index && typeOf(item) === "agent.state.changed" && item.value["to_state"] === "calling_tool";
}

export async function acceptScenario(stage: ProducerStage, { line, session, question }: Asked): Promise<ScenarioResult> {
  await line.sendMessage(confirmationReplyTo(line, question, "accept"));
  const next = await session.until((item) => invokes(item, question) || isEnd(item), stage.patience.answerMs);
  stage.shows("aaep/accepted-action-invoked");
  if (next === undefined) stage.breaks("aaep/accepted-action-invoked", "The action was accepted, and nothing followed.", question.item);
  await stage.end(session);
  return undefined;
}

export async function rejectScenario(stage: ProducerStage, { line, session, question }: Asked): Promise<ScenarioResult> {
  const world = await stage.world();
  await line.sendMessage(confirmationReplyTo(line, question, "reject"));
  const next = await session.until((item) => settles(item, question), stage.patience.answerMs);
  stage.shows("aaep/rejection-reported", "aaep/rejected-action-not-invoked");
  if (next === undefined) stage.breaks("aaep/rejection-reported", "The action was rejected, and nothing followed.", question.item);
  await stage.end(session);
  const done = session.events().find((item) => invokes(item, question));
  if (done !== undefined)
    stage.breaks("aaep/rejected-action-not-invoked", "The tool is invoked, although its confirmation was rejected.", done);
  if (world !== undefined && (await stage.world()) !== world) {
    stage.breaks("aaep/rejected-action-not-invoked", "The world changed, although the action was rejected.", question.item);
  }
  return undefined;
}

export async function replyTwice(stage: ProducerStage, { line, session, question }: Asked): Promise<ScenarioResult> {
  await line.sendMessage(confirmationReplyTo(line, question, "reject"));
  await line.sayWrongly(confirmationReplyTo(line, question, "accept"));
  await stage.end(session);
  await stage.quiet();
  stage.shows("aaep/reply-first-wins");
  const done = session.events().find((item) => invokes(item, question));
  if (done !== undefined) stage.breaks("aaep/reply-first-wins", "The action was rejected, then accepted, and is done.", done);
  return undefined;
}

/** No producer can perform this, so it must count as a rejection. */
const OTHER_ACTION: JsonObject = { modified_action: { earshot_check: "another action than the one asked about" } };

export async function modifyScenario(stage: ProducerStage, { line, session, question }: Asked): Promise<ScenarioResult> {
  await line.sayWrongly(confirmationReplyTo(line, question, "accept", OTHER_ACTION));
  stage.shows("aaep/modified-action-rejected");
  line.leftEarly = true;
  const next = await session.until((item) => settles(item, question), stage.patience.answerMs);
  // An unsupported form leaves the question open.
  if (next === undefined) await line.sendMessage(confirmationReplyTo(line, question, "reject"));
  await stage.end(session);
  const done = session.events().find((item) => invokes(item, question));
  if (done !== undefined) {
    stage.breaks("aaep/modified-action-rejected", "Another action was accepted than the one asked about, and that one is done.", done);
  }
  return undefined;
}

/** Two sessions ask: answering one must not affect the other. */
export async function answerOne(stage: ProducerStage): Promise<ScenarioResult> {
  const line = await stage.open();
  if (line === undefined) return notShown(NO_LINE);
  const first = await stage.start(line, "irreversible");
  const asked = first === undefined ? undefined : await stage.question(first, "confirmation");
  if (first === undefined || asked === undefined) return didNotAsk("irreversible");
  const second = await stage.start(line, "irreversible");
  const other = second === undefined ? undefined : await stage.question(second, "confirmation");
  stage.shows("aaep/reply-validated");
  if (second !== undefined && other !== undefined) {
    await line.sendMessage(confirmationReplyTo(line, asked, "accept"));
    await first.until((item) => invokes(item, asked) || isEnd(item), stage.patience.answerMs);
    await stage.quiet();
    const moved = second.events().find((item) => settles(item, other));
    if (moved !== undefined) stage.breaks("aaep/reply-validated", "An answer to one session settled the question of another.", moved);
    await line.sendMessage(confirmationReplyTo(line, other, "reject"));
    await stage.end(second);
  } else {
    await line.sendMessage(confirmationReplyTo(line, asked, "reject"));
  }
  await stage.end(first);
  return other === undefined ? notShown("A second session does not ask while the first one waits.") : undefined;
}

/** Replies without required members, or dated after the deadline. */
function misshapen(line: DriveConnection, question: ObservedQuestion): readonly JsonObject[] {
  const { timestamp, ...undated } = confirmationReplyTo(line, question, "accept");
  const late = new Date(Date.parse(String(timestamp)) + Math.min(question.timeoutMs, 86_400_000) + 3_600_000).toISOString();
  const replies = [undated, { ...undated, timestamp: late }];
  if (line.subscriptionId === undefined) return replies;
  const { subscription_id: _, ...unnamed } = confirmationReplyTo(line, question, "accept");
  return [...replies, unnamed];
}

export async function replyWrongly(stage: ProducerStage, { line, session, question }: Asked): Promise<ScenarioResult> {
  const { length } = line.stream.items;
  const receipts = [
    await line.sayWrongly(confirmationReplyTo(line, { token: inventedToken() }, "accept")),
    await line.sayWrongly(confirmationReplyTo(line, { token: alteredToken(question.token) }, "accept")),
    await line.sayWrongly(clarificationReplyTo(line, question, "accept")),
  ];
  await line.sayWrongly(confirmationReplyTo(line, question, "maybe"));
  for (const reply of misshapen(line, question)) await line.sayWrongly(reply);
  await stage.quiet();
  stage.shows("aaep/reply-validated", "aaep/reply-failure-hidden");
  const moved = session.events().find((item) => settles(item, question));
  if (moved !== undefined) stage.breaks("aaep/reply-validated", "The question was settled by a reply that is none to it.", moved);
  const told = line.stream.items.slice(length).find((item) => item.value["error"] !== undefined);
  const receipt = await line.sendMessage(confirmationReplyTo(line, question, "reject"));
  const differs = receipts.some((one) => one?.status !== receipt?.status || one?.body !== receipt?.body);
  if (differs || told !== undefined) {
    stage.breaks(
      "aaep/reply-failure-hidden",
      "A reply with an invented token is answered otherwise than a good one.",
      told ?? question.item,
    );
  }
  await stage.end(session);
  const done = session.events().find((item) => invokes(item, question));
  if (done !== undefined && moved === undefined)
    stage.breaks("aaep/reply-validated", "The action is done, although the only good reply rejected it.", done);
  return undefined;
}

export async function replyAsStranger(stage: ProducerStage, { line, session, question }: Asked): Promise<ScenarioResult> {
  if (!stage.peer.authenticates) {
    await line.sendMessage(confirmationReplyTo(line, question, "reject"));
    await stage.end(session);
    return notShown("There is no header to leave out: who is known to the producer, and who is not, cannot be told apart.");
  }
  const stranger = await stage.connect({ authenticated: false }).catch(() => undefined);
  await stranger?.sayWrongly(confirmationReplyTo(line, question, "accept"));
  await stage.quiet();
  stage.shows("aaep/reply-authenticated");
  await line.sendMessage(confirmationReplyTo(line, question, "reject"));
  await stage.end(session);
  const done = session.events().find((item) => invokes(item, question));
  if (done !== undefined)
    stage.breaks("aaep/reply-authenticated", "The action is done, although it was accepted by a stranger only.", done);
  return undefined;
}

export async function clarifyScenario(stage: ProducerStage, situation: Situation): Promise<ScenarioResult> {
  const line = await stage.open();
  if (line === undefined) return notShown(NO_LINE);
  const session = await stage.start(line, situation);
  if (session === undefined) return didNotStart(situation);
  const question = await stage.question(session, "clarification");
  if (question === undefined) {
    await stage.end(session);
    return didNotAsk(situation);
  }
  await stage.quiet();
  stage.shows("aaep/clarification-blocks");
  const early = session.events().find((item) => item.index > question.item.index && DEPENDENT.has(typeOf(item)));
  if (early !== undefined) stage.breaks("aaep/clarification-blocks", "The work goes on while the question is open.", early);
  const { right, wrong } = exampleResponses(question);
  if (wrong !== undefined && early === undefined) {
    await line.sayWrongly(clarificationReplyTo(line, question, wrong));
    await stage.quiet();
    stage.shows("aaep/reply-validated");
    const moved = session.events().find((item) => settles(item, question));
    if (moved !== undefined)
      stage.breaks("aaep/reply-validated", "The question was settled by a response of a kind that it does not accept.", moved);
  }
  await line.sendMessage(clarificationReplyTo(line, question, right));
  const next = await session.until((item) => settles(item, question), stage.patience.answerMs);
  stage.shows("aaep/clarification-followed");
  if (next === undefined) stage.breaks("aaep/clarification-followed", "The question was answered, and nothing followed.", question.item);
  await stage.end(session);
  return undefined;
}

const DEPENDENT: ReadonlySet<string> = new Set(["agent.tool.invoked", "agent.output.streaming", "agent.session.completed"]);

export async function handoffScenario(stage: ProducerStage): Promise<ScenarioResult> {
  const line = await stage.open();
  if (line === undefined) return notShown(NO_LINE);
  const session = await stage.start(line, "handoff");
  if (session === undefined) return didNotStart("handoff");
  await stage.end(session);
  const events = session.events();
  if (events.some((item) => typeOf(item) === "agent.handoff.requested")) {
    stage.shows("aaep/handoff-emitted");
    return undefined;
  }
  // A producer that does not understand the words hands nothing over. If the user said that it does, or its state says so, it was silent.
  const handing = events.find((item) => item.value["to_state"] === "handing_off");
  if (handing === undefined && !stage.isGiven("handoff")) return notShown("Nothing was handed over.");
  stage.breaks("aaep/handoff-emitted", "The agent hands over, and no handoff.requested says so.", handing ?? events.at(-1));
  return undefined;
}

/** Clocks tick in steps, and timers fire slightly early. */
const EARLY_MS = 150;

export async function waitForDefault(stage: ProducerStage): Promise<ScenarioResult> {
  const line = await stage.open();
  if (line === undefined) return notShown(NO_LINE);
  const session = await stage.start(line, "timeout");
  if (session === undefined) return didNotStart("timeout");
  const question = await stage.question(session, "confirmation");
  if (question === undefined) {
    await stage.end(session);
    return didNotAsk("timeout");
  }
  const { answerMs } = stage.patience;
  const { timeoutMs, defaultDecision } = question;
  if (timeoutMs > answerMs) {
    await line.sendMessage(confirmationReplyTo(line, question, "reject"));
    await stage.end(session);
    return notShown(`The question waits for ${timeoutMs / 1000} s, and the check for ${answerMs / 1000} s at most.`);
  }
  stage.shows("aaep/timeout-default");
  const settled = await session.until((item) => settles(item, question), timeoutMs + answerMs);
  if (settled === undefined) {
    stage.breaks("aaep/timeout-default", `Nothing followed when the ${timeoutMs / 1000} s were over.`, question.item);
    line.leftEarly = true;
    return undefined;
  }
  const waited = (stampOf(settled) ?? 0) - (stampOf(question.item) ?? 0);
  if (waited < timeoutMs - EARLY_MS) {
    stage.breaks("aaep/timeout-default", `The default was applied after ${waited} ms; ${timeoutMs} ms were given.`, settled);
  }
  if (defaultDecision === "accept") {
    await session.until((item) => invokes(item, question) || isEnd(item), answerMs);
    await stage.end(session);
    const done = session.events().some((item) => invokes(item, question));
    if (!done) stage.breaks("aaep/timeout-default", "The default is accept, and the action is not done.", settled);
    return undefined;
  }
  await line.sayWrongly(confirmationReplyTo(line, question, "accept"));
  await stage.end(session);
  await stage.quiet();
  const done = session.events().find((item) => invokes(item, question));
  if (done !== undefined) stage.breaks("aaep/timeout-default", "The default is reject, and the action is done.", done);
  return undefined;
}
