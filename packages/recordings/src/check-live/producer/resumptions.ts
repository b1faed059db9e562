import { confirmationReplyTo, isStanding } from "./drive-connection.ts";
import { notShown, type ProducerStage, type ScenarioResult } from "./producer-stage.ts";
import { isEnd, sessionOf, typeOf } from "./question.ts";
import { didNotAsk, didNotStart, NO_LINE } from "./scenario.ts";
import { findMissing } from "./several-connections.ts";

const NO_RESUME = "This transport cannot resume: a new connection begins with a new handshake.";

export async function resumeAfterCut(stage: ProducerStage): Promise<ScenarioResult> {
  if (stage.peer.resume === undefined) return notShown(NO_RESUME);
  const line = await stage.open();
  const witness = await stage.open();
  if (line === undefined || witness === undefined) return notShown(NO_LINE);
  const { answerMs } = stage.patience;
  const session = await stage.start(witness, "busy");
  if (session === undefined) return didNotStart("busy");
  const cutAt = await line.stream.until((item) => item.resumeId !== undefined && sessionOf(item) === session.id, answerMs);
  if (cutAt?.resumeId === undefined) return notShown("The stream names nothing to resume from.");
  line.leftEarly = true;
  await line.cut();
  const end = await stage.end(session);
  if (end === undefined) return undefined;
  // Events before the cut took effect do not count: resume from the first event.
  const resumed = await stage.resume(line, cutAt.resumeId);
  stage.shows("aaep/resume-complete");
  if (resumed === undefined) {
    stage.breaks("aaep/resume-complete", "The stream cannot be opened again after the last event that was heard.");
    return undefined;
  }
  const rest = stage.on(resumed, session);
  await rest.until((item) => isEnd(item) || isStanding(item), answerMs);
  resumed.leftEarly = true;
  if (rest.events().some(isStanding)) return undefined;
  const heard = [...line.stream.items.filter((item) => item.index <= cutAt.index && sessionOf(item) === session.id), ...rest.events()];
  const [missing] = findMissing(session.events(), heard);
  if (missing !== undefined) stage.breaks("aaep/resume-complete", `Missing after the cut: ${missing.what}.`, missing.item);
  return undefined;
}

export async function resumeFromNowhere(stage: ProducerStage): Promise<ScenarioResult> {
  if (stage.peer.resume === undefined) return notShown(NO_RESUME);
  const witness = await stage.open();
  const line = await stage.open();
  if (line === undefined || witness === undefined) return notShown(NO_LINE);
  const { answerMs } = stage.patience;
  const session = await stage.start(witness, "confirm");
  const question = session === undefined ? undefined : await stage.question(session, "confirmation");
  if (session === undefined || question === undefined) return didNotAsk("confirm");
  line.leftEarly = true;
  await line.cut();
  const resumed = await stage.resume(line, "evt_neverheardof00000000000000000");
  stage.shows("aaep/resume-complete");
  if (resumed === undefined)
    stage.breaks("aaep/resume-complete", "The stream cannot be opened again after an event that is not known any more.");
  else {
    resumed.leftEarly = true;
    const standing = await stage
      .on(resumed, session)
      .until((item) => isStanding(item) || typeOf(item) === "agent.session.started", answerMs);
    if (standing === undefined) {
      stage.breaks(
        "aaep/resume-complete",
        "After an event that is not known any more, nothing says where the running session stands.",
        question.item,
      );
    }
  }
  await witness.sendMessage(confirmationReplyTo(witness, question, "reject"));
  await stage.end(session);
  return undefined;
}
