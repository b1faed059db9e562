import type { HeardSession } from "./line.ts";
import { invokes, type Question, sessionOf, settles, toQuestion } from "./question.ts";
import { confirmation } from "./replies.ts";
import { didNotAsk, didNotStart, NO_LINE, NO_PAIR } from "./scenario.ts";
import { notShown, type Shown, type Stage } from "./stage.ts";

export async function answerBoth(stage: Stage): Promise<Shown> {
  if (!stage.peer.shared) return notShown(NO_PAIR);
  const [first, second] = [await stage.open(), await stage.open()];
  if (first === undefined || second === undefined) return notShown(NO_LINE);
  const { answerMs } = stage.patience;
  const session = await stage.start(first, "irreversible");
  if (session === undefined) return didNotStart("irreversible");
  const question = await stage.question(session, "confirmation");
  if (question === undefined) return didNotAsk("irreversible");
  const other = stage.on(second, session);
  const asked = await other.until((item) => toQuestion(item)?.token === question.token, answerMs);
  await first.say(confirmation(first, question, "reject"));
  await second.sayWrongly(confirmation(second, question, "accept"));
  await stage.end(session);
  await stage.end(other);
  await stage.quiet();
  stage.shows("aaep/reply-first-wins", "aaep/outcome-announced");
  const done = session.events().find((item) => invokes(item, question));
  if (done !== undefined)
    stage.breaks("aaep/reply-first-wins", "One subscriber rejected, then another accepted, and the action is done.", done);
  const told =
    asked === undefined || other.events().some((item) => item.index > asked.index && settles(item, { ...question, item: asked }));
  if (!told) stage.breaks("aaep/outcome-announced", "A second subscriber never learnt how the question was settled.", question.item);
  return undefined;
}

export async function closeWhileAsked(stage: Stage): Promise<Shown> {
  if (!stage.peer.shared) return notShown(NO_PAIR);
  const { answerMs, graceMs } = stage.patience;
  const line = await stage.open();
  const witness = await stage.open({
    supports_confirmation_reply: false,
    supports_clarification_reply: false,
    supported_conformance_levels: [1],
  });
  if (line === undefined || witness === undefined) return notShown(NO_LINE);
  line.leftEarly = true;
  const session = await stage.start(line, "confirm");
  const question = session === undefined ? undefined : await stage.question(session, "confirmation");
  await line.close();
  const from = line.stream.items.length;
  stage.shows("aaep/close-stops-events");
  if (session !== undefined && question !== undefined) {
    const watched = stage.on(witness, session);
    const asked = await watched.until((item) => toQuestion(item)?.token === question.token, answerMs);
    if (asked !== undefined && stage.isAttended) await answerAgain(stage, watched, question);
    else if (asked !== undefined && question.timeoutMs > graceMs) await judgeDefault(stage, watched, { ...question, item: asked });
  }
  const next = await stage.start(witness, "chat");
  if (next === undefined) return didNotStart("chat");
  await stage.end(next);
  await stage.quiet();
  const after = line.stream.items.slice(from).find((item) => sessionOf(item) === next.id);
  if (after !== undefined) stage.breaks("aaep/close-stops-events", "An event of a session that began after the close was sent.", after);
  return undefined;
}

/** Nobody is left who could answer: the question takes its default, perhaps after a while in which somebody could come back. */
async function judgeDefault(stage: Stage, watched: HeardSession, question: Question): Promise<void> {
  if ((await watched.until((item) => settles(item, question), stage.patience.graceMs)) !== undefined) {
    await stage.end(watched);
    return;
  }
  watched.line.leftEarly = true;
  stage.breaks(
    "aaep/close-stops-events",
    "Nobody is left who could answer, and the question is not settled by its default.",
    question.item,
  );
}

/** Somebody else may answer: then it is for somebody else to do so. */
async function answerAgain(stage: Stage, watched: HeardSession, question: Question): Promise<void> {
  const other = await stage.open();
  if (other === undefined) return;
  other.leftEarly = true;
  await other.say(confirmation(other, question, "reject"));
  await stage.end(watched);
}
