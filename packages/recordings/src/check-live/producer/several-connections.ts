import { isObject } from "@earshot/protocol";
import type { StreamItem } from "../peer/peer.ts";
import { confirmationReplyTo, type DriveConnection, type ObservedSession } from "./drive-connection.ts";
import { notShown, type ProducerStage, type ScenarioResult } from "./producer-stage.ts";
import { eventIdOf, invokes, type ObservedQuestion, sessionOf, settles, toQuestion, typeOf } from "./question.ts";
import { didNotAsk, didNotStart, NO_LINE, NO_PAIR } from "./scenario.ts";

export async function answerBoth(stage: ProducerStage): Promise<ScenarioResult> {
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
  await first.sendMessage(confirmationReplyTo(first, question, "reject"));
  await second.sayWrongly(confirmationReplyTo(second, question, "accept"));
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

export async function closeWhileAsked(stage: ProducerStage): Promise<ScenarioResult> {
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
  // A failing session, because critical events pass every filter, but not a close.
  const failing = await stage.start(witness, "error");
  if (failing !== undefined) await stage.end(failing);
  await stage.quiet();
  const after = line.stream.items.slice(from).find((item) => [next.id, failing?.id].includes(sessionOf(item) ?? ""));
  if (after !== undefined) stage.breaks("aaep/close-stops-events", "An event of a session that began after the close was sent.", after);
  return undefined;
}

/** Nobody is left to answer: the question takes its default, possibly after a grace period. */
async function judgeDefault(stage: ProducerStage, watched: ObservedSession, question: ObservedQuestion): Promise<void> {
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

/** Another attendant may answer, and then does. */
async function answerAgain(stage: ProducerStage, watched: ObservedSession, question: ObservedQuestion): Promise<void> {
  const other = await stage.open();
  if (other === undefined) return;
  other.leftEarly = true;
  await other.sendMessage(confirmationReplyTo(other, question, "reject"));
  await stage.end(watched);
}

export async function askForLanguage(stage: ProducerStage): Promise<ScenarioResult> {
  if (!stage.peer.shared) return notShown(NO_PAIR);
  const line = await stage.connect();
  const answer = await stage.request(line, { languages: ["tlh"], supports_confirmation_reply: true });
  if (answer?.["type"] !== "subscription.accepted") return notShown("A language that is not spoken is rejected, which is allowed.");
  return hearBoth(stage, line, "aaep/language-never-drops", "who asked for another language");
}

export async function askForWords(stage: ProducerStage): Promise<ScenarioResult> {
  if (!stage.peer.shared) return notShown(NO_PAIR);
  const line = await stage.open({ preferred_verbosity: "terse" });
  const usual = await stage.open({ preferred_verbosity: "normal" });
  if (line === undefined || usual === undefined) return notShown(NO_LINE);
  return hearBoth(stage, line, "aaep/verbosity-never-omits", "who asked for few words", async (session, terse) => {
    const normal = stage.on(usual, session);
    await stage.end(normal);
    stage.shows("aaep/verbosity-honored");
    const wordy = findWordy(terse.events(), [...session.events(), ...normal.events()]);
    if (wordy !== undefined)
      stage.breaks("aaep/verbosity-honored", "There is a terse text, and a terse subscriber got a longer one.", wordy);
    else if (isPromised(line) && hasSameWords(terse.events(), normal.events()))
      stage.breaks("aaep/verbosity-honored", "Terse texts were honored, and every text is the one for subscribers of normal verbosity.");
  });
}

const hasTerse = ({ value }: StreamItem) => typeof value["summary_terse"] === "string";

/** An event for a terse subscriber without the terse text that it, or the same event for another subscriber, has. */
function findWordy(part: readonly StreamItem[], others: readonly StreamItem[]): StreamItem | undefined {
  const terse = new Set(others.filter(hasTerse).map(eventIdOf));
  return part.find((item) => {
    const isLong = item.value["verbosity"] === "normal" || item.value["verbosity"] === "detailed";
    return hasTerse(item) ? isLong : terse.has(eventIdOf(item));
  });
}

/** `honored_capabilities` is what a producer commits to (§5.4.1); it may honor `normal` instead. */
function isPromised({ accepted }: DriveConnection): boolean {
  const honored = accepted?.["honored_capabilities"];
  return isObject(honored) && honored["preferred_verbosity"] === "terse";
}

/** Texts in common that are needed to conclude anything from their equality. */
const MIN_COMMON_TEXTS = 3;

/** Whether terse terms made no difference: no event is marked as terse, and each summary equals the one of normal verbosity. */
function hasSameWords(part: readonly StreamItem[], normal: readonly StreamItem[]): boolean {
  const texts = new Map(normal.map((item) => [eventIdOf(item), item.value["summary_normal"]]));
  const common = part.filter((item) => typeof item.value["summary_normal"] === "string" && texts.has(eventIdOf(item)));
  const isMarked = part.some((item) => hasTerse(item) || item.value["verbosity"] === "terse");
  return (
    !isMarked && common.length >= MIN_COMMON_TEXTS && common.every((item) => item.value["summary_normal"] === texts.get(eventIdOf(item)))
  );
}

const ASKED = ["action", "consequence", "question", "choices"] as const;

export async function askTersely(stage: ProducerStage): Promise<ScenarioResult> {
  if (!stage.peer.shared) return notShown(NO_PAIR);
  const line = await stage.open({ preferred_verbosity: "terse" });
  const witness = await stage.open({ preferred_verbosity: "detailed" });
  if (line === undefined || witness === undefined) return notShown(NO_LINE);
  const session = await stage.start(witness, "confirm");
  const question = session === undefined ? undefined : await stage.question(session, "confirmation");
  if (session === undefined || question === undefined) return didNotAsk("confirm");
  const got = await line.stream.until((item) => toQuestion(item)?.token === question.token, stage.patience.answerMs);
  stage.shows("aaep/terse-keeps-question");
  const changed = ASKED.find((name) => JSON.stringify(got?.value[name]) !== JSON.stringify(question.item.value[name]));
  if (got !== undefined && changed !== undefined) {
    stage.breaks("aaep/terse-keeps-question", `The ${changed} is another one for a subscriber of few words.`, got);
  }
  await witness.sendMessage(confirmationReplyTo(witness, question, "reject"));
  await stage.end(session);
  await stage.end(stage.on(line, session));
  return undefined;
}

/** The same session under restricted and unrestricted terms: what the former misses breaks the rule. */
async function hearBoth(
  stage: ProducerStage,
  line: DriveConnection,
  rule: string,
  who: string,
  judge?: (whole: ObservedSession, part: ObservedSession) => Promise<void>,
): Promise<ScenarioResult> {
  const witness = await stage.open({ preferred_verbosity: "detailed" });
  if (witness === undefined) return notShown(NO_LINE);
  const session = await stage.start(witness, "tool");
  if (session === undefined) return didNotStart("tool");
  const end = await stage.end(session);
  if (end === undefined) return undefined;
  const heard = stage.on(line, session);
  await stage.end(heard);
  stage.shows(rule);
  await judge?.(session, heard);
  const [missing] = findMissing(session.events(), heard.events());
  if (missing !== undefined) {
    line.leftEarly = true;
    stage.breaks(rule, `Not sent to ${who}: ${missing.what}.`, missing.item);
  }
  return undefined;
}

export interface MissingEvent {
  readonly what: string;
  readonly item: StreamItem | undefined;
}

/** Types that may be merged per subscription: compared by content, not one by one. */
const MERGED: ReadonlySet<string> = new Set(["agent.output.streaming", "agent.progress.updated", "agent.state.changed"]);

/** The events that one subscription received and another did not. Duplicates and merging make no difference. */
export function findMissing(whole: readonly StreamItem[], part: readonly StreamItem[]): readonly MissingEvent[] {
  const missing: MissingEvent[] = [];
  const had = new Set(part.map(eventIdOf));
  for (const item of whole) {
    if (!MERGED.has(typeOf(item)) && !had.has(eventIdOf(item))) missing.push({ what: `the event ${typeOf(item)}`, item });
  }
  for (const [output, text] of textsOf(whole)) {
    if (textsOf(part).get(output) !== text)
      missing.push({ what: "a part of the output", item: whole.find((item) => outputOf(item) === output) });
  }
  const jumps = jumpsOf(whole);
  for (const [jump, item] of jumpsOf(part)) if (!jumps.has(jump)) missing.push({ what: `a change of state (${jump})`, item });
  const last = whole.findLast(isState);
  const reached = part.findLast(isState);
  if (last !== undefined && last.value["to_state"] !== reached?.value["to_state"]) {
    missing.push({ what: `the state ${String(last.value["to_state"])}`, item: last });
  }
  return missing;
}

function isState(item: StreamItem): boolean {
  return typeOf(item) === "agent.state.changed";
}

/** States left without being entered: merging leaves no such gap, a missing event does. */
function jumpsOf(items: readonly StreamItem[]): Map<string, StreamItem> {
  const jumps = new Map<string, StreamItem>();
  let state = "idle";
  for (const item of items.filter(isState)) {
    const from = String(item.value["from_state"]);
    if (from !== state) jumps.set(`${state} is left as ${from}`, item);
    state = String(item.value["to_state"]);
  }
  return jumps;
}

function outputOf(item: StreamItem): string {
  return typeof item.value["output_id"] === "string" ? item.value["output_id"] : "";
}

/** Each output's text assembled by position, so that a repeated chunk makes no difference. */
function textsOf(items: readonly StreamItem[]): Map<string, string> {
  const texts = new Map<string, string[]>();
  for (const item of items) {
    const { chunk, position } = item.value;
    if (typeOf(item) !== "agent.output.streaming" || typeof chunk !== "string" || typeof position !== "number") continue;
    const characters = texts.get(outputOf(item)) ?? [];
    [...chunk].forEach((character, offset) => {
      if (position + offset <= 1_000_000) characters[position + offset] = character;
    });
    texts.set(outputOf(item), characters);
  }
  return new Map([...texts].map(([output, characters]) => [output, Array.from(characters, (one) => one ?? "\0").join("")]));
}
