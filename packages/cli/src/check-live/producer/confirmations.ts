import type { Item } from "../peer/stream.ts";
import type { Situation } from "../situations.ts";
import type { HeardSession, Line } from "./line.ts";
import { completes, invokes, isEnd, type Question, settles, typeOf } from "./question.ts";
import { alteredToken, clarification, confirmation, inventedToken } from "./replies.ts";
import { didNotAsk, didNotStart, NO_LINE } from "./scenario.ts";
import { notShown, type Shown, type Stage } from "./stage.ts";

/** A question that is open, and where. */
interface Asked {
  readonly line: Line;
  readonly session: HeardSession;
  readonly question: Question;
}

export async function asking(stage: Stage, situation: Situation, then: (stage: Stage, asked: Asked) => Promise<Shown>): Promise<Shown> {
  const line = await stage.open();
  if (line === undefined) return notShown(NO_LINE);
  const before = await stage.world();
  const session = await stage.start(line, situation);
  if (session === undefined) return didNotStart(situation);
  const question = await stage.question(session, "confirmation");
  if (question === undefined) {
    // What it does without asking is judged by the rules of a recording, once it has ended.
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

/** Nothing happens while a question is open, and nothing is told as if it had. */
function judgeWaiting(stage: Stage, session: HeardSession, question: Question): void {
  stage.shows("aaep/confirmation-blocks", "aaep/nothing-implies-action");
  const early = session.events().find((item) => invokes(item, question));
  if (early !== undefined) stage.breaks("aaep/confirmation-blocks", "The tool is invoked while its confirmation is open.", early);
  const implies = session.events().find((item) => completes(item, question) || startsCall(item, question));
  if (implies !== undefined)
    stage.breaks("aaep/nothing-implies-action", "An event tells of the action while its confirmation is open.", implies);
}

function startsCall(item: Item, question: Question): boolean {
  return item.index > question.item.index && typeOf(item) === "agent.state.changed" && item.value["to_state"] === "calling_tool";
}

export async function accept(stage: Stage, { line, session, question }: Asked): Promise<Shown> {
  await line.say(confirmation(line, question, "accept"));
  const next = await session.until((item) => invokes(item, question) || isEnd(item), stage.patience.answerMs);
  stage.shows("aaep/accepted-action-invoked");
  if (next === undefined) stage.breaks("aaep/accepted-action-invoked", "The action was accepted, and nothing followed.", question.item);
  await stage.end(session);
  return undefined;
}

export async function reject(stage: Stage, { line, session, question }: Asked): Promise<Shown> {
  const world = await stage.world();
  await line.say(confirmation(line, question, "reject"));
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

export async function replyTwice(stage: Stage, { line, session, question }: Asked): Promise<Shown> {
  await line.say(confirmation(line, question, "reject"));
  await line.sayWrongly(confirmation(line, question, "accept"));
  await stage.end(session);
  await stage.quiet();
  stage.shows("aaep/reply-first-wins");
  const done = session.events().find((item) => invokes(item, question));
  if (done !== undefined) stage.breaks("aaep/reply-first-wins", "The action was rejected, then accepted, and is done.", done);
  return undefined;
}

export async function replyWrongly(stage: Stage, { line, session, question }: Asked): Promise<Shown> {
  const { length } = line.stream.items;
  const receipts = [
    await line.sayWrongly(confirmation(line, { token: inventedToken() }, "accept")),
    await line.sayWrongly(confirmation(line, { token: alteredToken(question.token) }, "accept")),
    await line.sayWrongly(clarification(line, question, "accept")),
  ];
  await line.sayWrongly(confirmation(line, question, "maybe"));
  await stage.quiet();
  stage.shows("aaep/reply-validated", "aaep/reply-failure-hidden");
  const moved = session.events().find((item) => settles(item, question));
  if (moved !== undefined) stage.breaks("aaep/reply-validated", "The question was settled by a reply that is none to it.", moved);
  const told = line.stream.items.slice(length).find((item) => item.value["error"] !== undefined);
  const receipt = await line.say(confirmation(line, question, "reject"));
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

export async function replyAsStranger(stage: Stage, { line, session, question }: Asked): Promise<Shown> {
  if (!stage.peer.authenticates) {
    await line.say(confirmation(line, question, "reject"));
    await stage.end(session);
    return notShown("There is no header to leave out: who is known to the producer, and who is not, cannot be told apart.");
  }
  const stranger = await stage.connect({ authenticated: false }).catch(() => undefined);
  await stranger?.sayWrongly(confirmation(line, question, "accept"));
  await stage.quiet();
  stage.shows("aaep/reply-authenticated");
  await line.say(confirmation(line, question, "reject"));
  await stage.end(session);
  const done = session.events().find((item) => invokes(item, question));
  if (done !== undefined)
    stage.breaks("aaep/reply-authenticated", "The action is done, although it was accepted by a stranger only.", done);
  return undefined;
}
