import type { Situation } from "../situations.ts";
import { settles, typeOf } from "./question.ts";
import { clarification, responses } from "./replies.ts";
import { didNotAsk, didNotStart, NO_LINE } from "./scenario.ts";
import { notShown, type Shown, type Stage } from "./stage.ts";

export async function clarify(stage: Stage, situation: Situation): Promise<Shown> {
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
  const { right, wrong } = responses(question);
  if (wrong !== undefined && early === undefined) {
    await line.sayWrongly(clarification(line, question, wrong));
    await stage.quiet();
    stage.shows("aaep/reply-validated");
    const moved = session.events().find((item) => settles(item, question));
    if (moved !== undefined)
      stage.breaks("aaep/reply-validated", "The question was settled by a response of a kind that it does not accept.", moved);
  }
  await line.say(clarification(line, question, right));
  const next = await session.until((item) => settles(item, question), stage.patience.answerMs);
  stage.shows("aaep/clarification-followed");
  if (next === undefined) stage.breaks("aaep/clarification-followed", "The question was answered, and nothing followed.", question.item);
  await stage.end(session);
  return undefined;
}

const DEPENDENT: ReadonlySet<string> = new Set(["agent.tool.invoked", "agent.output.streaming", "agent.session.completed"]);

export async function handOver(stage: Stage): Promise<Shown> {
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
  // Words that mean nothing to a producer hand nothing over. Where somebody said that these do, or the state says so, it was silent.
  const handing = events.find((item) => item.value["to_state"] === "handing_off");
  if (handing === undefined && !stage.isGiven("handoff")) return notShown("Nothing was handed over.");
  stage.breaks("aaep/handoff-emitted", "The agent hands over, and no handoff.requested says so.", handing ?? events.at(-1));
  return undefined;
}
