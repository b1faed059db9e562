import { isAnswer } from "../peer/peer.ts";
import { confirmationReplyTo, type DriveConnection, type ObservedSession } from "./drive-connection.ts";
import { notShown, type ProducerStage, type ScenarioResult } from "./producer-stage.ts";
import { eventIdOf, isEnd, toQuestion, typeOf } from "./question.ts";
import { didNotAsk, didNotStart, NO_LINE, NO_PAIR } from "./scenario.ts";

export async function askForFew(stage: ProducerStage): Promise<ScenarioResult> {
  const line = await stage.open({
    event_filters: { include: ["aaep:agent.*"], exclude: ["aaep:agent.tool.*", "aaep:agent.progress.updated"] },
  });
  return line === undefined ? notShown(NO_LINE) : useToolUnheard(stage, line);
}

/**
 * A tool is used and seen by an unfiltered subscriber, but not by the one that filters tools. The latter's events are judged as a
 * recording.
 */
async function useToolUnheard(stage: ProducerStage, line: DriveConnection): Promise<ScenarioResult> {
  const witness = stage.peer.shared ? await stage.open() : undefined;
  const session = await stage.start(line, "tool");
  if (session === undefined) return didNotStart("tool");
  await stage.end(session);
  if (witness !== undefined) {
    const whole = stage.on(witness, session);
    await stage.end(whole);
    if (!whole.events().some((item) => typeOf(item) === "agent.tool.invoked")) return notShown("No tool was used.");
  }
  stage.shows("aaep/filter-honored");
  return undefined;
}

export async function askForWhole(stage: ProducerStage): Promise<ScenarioResult> {
  const line = await stage.open({ coalesce_boundaries: ["completion"] });
  if (line === undefined) return notShown(NO_LINE);
  const session = await stage.start(line, "long");
  if (session === undefined) return didNotStart("long");
  await stage.end(session);
  return session.events().some((item) => typeOf(item) === "agent.output.streaming") ? undefined : notShown("Nothing was said at length.");
}

const SLOW = 2;

/** Allows 20 % for clock inaccuracy, and a burst of one second. */
const TOLERANCE = 1.2;

export async function askForSlowness(stage: ProducerStage): Promise<ScenarioResult> {
  const began = performance.now();
  const line = await stage.open({ max_events_per_second: SLOW });
  if (line === undefined) return notShown(NO_LINE);
  const session = await stage.start(line, "busy");
  if (session === undefined) return didNotStart("busy");
  await session.until(isEnd, stage.patience.rateMs);
  // Events before the answer, such as a producer's history, are not within its terms.
  const answered = line.stream.items.findIndex((item) => isAnswer(item.value));
  const counted = line.stream.items.slice(answered + 1).filter((item) => typeOf(item) !== "" && item.value["urgency"] !== "critical");
  line.leftEarly = true;
  if (counted.length < 2 * SLOW) return notShown("Too little was said to need a limit.");
  stage.shows("aaep/rate-honored");
  // Counted from the beginning: late arrival can only make the producer look slower.
  const over = counted.find((item, index) => index + 1 > TOLERANCE * SLOW * ((item.at - began) / 1000 + 1));
  if (over !== undefined) {
    const seconds = ((over.at - began) / 1000).toFixed(1);
    stage.breaks(
      "aaep/rate-honored",
      `${counted.indexOf(over) + 1} events within ${seconds} s; ${SLOW} per second were agreed upon.`,
      over,
    );
  }
  return undefined;
}

/** Fast enough that ten tools take a few seconds, and slow enough to need a queue. */
const STEADY = 5;

export async function askForTools(stage: ProducerStage): Promise<ScenarioResult> {
  if (!stage.peer.shared) return notShown(NO_PAIR);
  const witness = await stage.open();
  if (witness === undefined) return notShown(NO_LINE);
  const alone = await timeBusy(stage, witness);
  const line = await stage.open({ max_events_per_second: STEADY });
  if (line === undefined) return notShown(NO_LINE);
  const { session, ms } = await timeBusy(stage, witness);
  if (session === undefined) return didNotStart("busy");
  const tools = session.events().filter((item) => typeOf(item).startsWith("agent.tool."));
  if (tools.length < STEADY) return notShown("Too few tools were used to need a limit.");
  stage.shows("aaep/subscriptions-independent");
  if (ms > 2 * alone.ms + stage.patience.criticalMs) {
    const message = `A session took ${Math.round(ms)} ms for a subscription without a limit beside one of ${STEADY} events per second, and ${Math.round(alone.ms)} ms alone.`;
    stage.breaks("aaep/subscriptions-independent", message, session.events().at(-1));
  }
  const slow = stage.on(line, session);
  await slow.until(isEnd, stage.patience.answerMs + (session.events().length / STEADY) * 1000);
  stage.shows("aaep/rate-keeps-tools");
  line.leftEarly = true;
  const had = new Set(slow.events().map(eventIdOf));
  const missing = tools.filter((item) => !had.has(eventIdOf(item)));
  if (missing.length > 0) {
    const message = `${missing.length} of ${tools.length} tool events did not come to a subscription of ${STEADY} events per second.`;
    stage.breaks("aaep/rate-keeps-tools", message, missing[0]);
  }
  return undefined;
}

/** More than operating systems buffer for a local connection. */
const FULL_BYTES = 4 << 20;
/** Sessions asked for at once. */
const CROWD = 10;

/** One subscriber stops reading until nothing more can be written to it; the others must not be affected. */
export async function leaveOneDeaf(stage: ProducerStage): Promise<ScenarioResult> {
  if (!stage.peer.shared) return notShown(NO_PAIR);
  const line = await stage.open();
  const witness = await stage.open();
  if (line === undefined || witness === undefined) return notShown(NO_LINE);
  const { answerMs, fillMs } = stage.patience;
  const usual = await hearCrowd(stage, witness, { sessions: CROWD, ms: answerMs });
  if (usual.sessions === 0) return didNotStart("busy");
  line.leftEarly = true;
  witness.leftEarly = true;
  const readAgain = line.stream.stopReading();
  const deadline = performance.now() + fillMs;
  try {
    for (let bytes = 0; bytes < FULL_BYTES; ) {
      if (performance.now() > deadline) {
        return notShown(`The producer said ${bytes >> 10} KiB in ${fillMs / 1000} s: too little to fill the connection of a subscriber.`);
      }
      const heard = await hearCrowd(stage, witness, { sessions: usual.sessions, ms: answerMs + 2 * usual.ms });
      bytes += heard.bytes;
      if (heard.sessions === usual.sessions) continue;
      const message = `After one subscriber stopped reading, ${heard.sessions} of ${usual.sessions} sessions were told to another one to their end.`;
      stage.breaks("aaep/subscriptions-independent", message, witness.stream.items.at(-1));
      return undefined;
    }
  } finally {
    readAgain();
  }
  stage.shows("aaep/subscriptions-independent");
  return undefined;
}

interface Crowd {
  readonly sessions: number;
  readonly ms: number;
}

/** Under load: how many sessions ended in time, and how many events came. */
async function hearCrowd(
  stage: ProducerStage,
  line: DriveConnection,
  { sessions, ms }: Crowd,
): Promise<Crowd & { readonly bytes: number }> {
  const began = performance.now();
  let from = line.stream.items.length;
  const first = from;
  for (let count = 0; count < CROWD; count++) await stage.trigger(line, "busy");
  let ended = 0;
  while (ended < sessions) {
    const end = await line.stream.until(isEnd, began + ms - performance.now(), from);
    if (end === undefined) break;
    from = end.index + 1;
    ended++;
  }
  const bytes = line.stream.items.slice(first).reduce((sum, { text }) => sum + text.length, 0);
  return { sessions: ended, ms: performance.now() - began, bytes };
}

/** How long a load takes on one connection. */
async function timeBusy(
  stage: ProducerStage,
  line: DriveConnection,
): Promise<{ readonly session: ObservedSession | undefined; readonly ms: number }> {
  const began = performance.now();
  const session = await stage.start(line, "busy");
  if (session !== undefined) await stage.end(session);
  return { session, ms: performance.now() - began };
}

export async function askForSilence(stage: ProducerStage): Promise<ScenarioResult> {
  if (!stage.peer.shared) return notShown(NO_PAIR);
  const line = await stage.open({
    max_events_per_second: 1,
    event_filters: { include: ["aaep:agent.*"], exclude: ["aaep:agent.awaiting.*", "aaep:agent.session.errored", "aaep:agent.handoff.*"] },
  });
  const witness = await stage.open();
  if (line === undefined || witness === undefined) return notShown(NO_LINE);
  line.leftEarly = true;
  const { criticalMs } = stage.patience;
  // First a load to wait behind.
  const busy = await stage.start(witness, "busy");
  if (busy !== undefined) await stage.end(busy);
  const session = await stage.start(witness, "confirm");
  if (session === undefined) return didNotStart("confirm");
  const question = await stage.question(session, "confirmation");
  if (question === undefined) return didNotAsk("confirm");
  stage.shows("aaep/critical-always-delivered");
  const got = await line.stream.until((item) => toQuestion(item)?.token === question.token, criticalMs);
  if (got === undefined) {
    const later = await line.stream.until((item) => toQuestion(item)?.token === question.token, stage.patience.quietMs);
    const what = later === undefined ? `within ${criticalMs / 1000} s` : "at once";
    stage.breaks(
      "aaep/critical-always-delivered",
      `A confirmation did not come ${what} to a subscription with a filter and a limit.`,
      question.item,
    );
  }
  await witness.sendMessage(confirmationReplyTo(witness, question, "reject"));
  await stage.end(session);
  return undefined;
}

export async function changeTerms(stage: ProducerStage): Promise<ScenarioResult> {
  const { answerMs } = stage.patience;
  const line = await stage.open({ max_events_per_second: 50, preferred_verbosity: "terse" });
  if (line === undefined) return notShown(NO_LINE);
  const answer = await line.renegotiate({ event_filters: { include: ["aaep:agent.*"], exclude: ["aaep:agent.tool.*"] } }, answerMs);
  if (answer === undefined) return undefined; // told by the rule that every request is answered
  if (answer["type"] !== "subscription.accepted") return notShown("The new terms were rejected, which ends the subscription.");
  return useToolUnheard(stage, line);
}
