import { invokes, isEnd, settles, stampOf } from "./question.ts";
import { confirmation } from "./replies.ts";
import { didNotAsk, didNotStart, NO_LINE } from "./scenario.ts";
import { notShown, type Shown, type Stage } from "./stage.ts";

/** Clocks tick in steps, and timers fire a little early. */
const EARLY_MS = 150;

export async function waitForDefault(stage: Stage): Promise<Shown> {
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
    await line.say(confirmation(line, question, "reject"));
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
  await line.sayWrongly(confirmation(line, question, "accept"));
  await stage.end(session);
  await stage.quiet();
  const done = session.events().find((item) => invokes(item, question));
  if (done !== undefined) stage.breaks("aaep/timeout-default", "The default is reject, and the action is done.", done);
  return undefined;
}
