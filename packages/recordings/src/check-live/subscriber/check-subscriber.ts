import { AAEP } from "@earshot/protocol";
import {
  isRuleOfSubscribers,
  judgeConversation,
  type LiveReport,
  type ScenarioReport,
  scenarioOutcomeOf,
  toLiveFinding,
  toLiveReport,
  withoutRepetitions,
} from "../live-report.ts";
import type { ExchangedMessage, PlayedProducer } from "./played-producer.ts";
import { SCENES } from "./scenes.ts";
import { type Scene, type SubscriberPatience, SubscriberStage } from "./subscriber-stage.ts";

export interface SubscriberCheck {
  readonly reception: PlayedProducer;
  readonly level: 1 | 2 | 3;
  readonly patience: SubscriberPatience;
  readonly strict: boolean;
  readonly requiresAll: boolean;
  readonly onScene?: (scene: Scene, index: number, of: number) => void;
}

/** Plays a producer for a subscriber, and judges how it listens and answers. */
export async function checkSubscriber(check: SubscriberCheck): Promise<LiveReport> {
  const { reception, level, patience, strict, requiresAll } = check;
  const began = performance.now();
  const scenarios: ScenarioReport[] = [];
  const asked = SCENES.filter((scene) => scene.level <= level);
  for (const [index, scene] of asked.entries()) {
    check.onScene?.(scene, index, asked.length);
    const stage = new SubscriberStage(reception, patience);
    const isThere = await stage.attended();
    const from = scenarios.length === 0 ? 0 : reception.exchanged.length;
    const reason = isThere ? await scene.run(stage) : "No subscriber connected, or it disconnected.";
    const replies = judgeSaid(reception, from, level);
    const findings = withoutRepetitions([...stage.findings, ...replies.findings]);
    scenarios.push({
      name: scene.name,
      title: scene.title,
      level: scene.level,
      outcome: scenarioOutcomeOf(findings, reason, strict),
      reason,
      findings,
      shown: [...stage.shown, ...replies.shown],
    });
  }
  return toLiveReport({
    role: "subscriber",
    peer: reception.url,
    transport: "whatever it chose",
    level,
    strict,
    requiresAll,
    scenarios,
    events: reception.exchanged.filter(({ by }) => by === "producer").length,
    durationMs: performance.now() - began,
    asked: Object.entries(AAEP.rules)
      .filter(([id, rule]) => rule.level <= level && isRuleOfSubscribers(id))
      .map(([id]) => id),
  });
}

/** The subscriber's messages in one scene, judged by the recording rules. Handshakes are judged by form alone. */
function judgeSaid(reception: PlayedProducer, from: number, level: number) {
  const said = reception.exchanged.slice(from);
  const isHandshake = ({ value }: ExchangedMessage) => String(value["type"]).startsWith("subscription.");
  const texts = (ones: readonly ExchangedMessage[]) => ones.map(({ value }) => JSON.stringify(value));
  const replied = judgeConversation({ texts: texts(said.filter((one) => !isHandshake(one))), whole: false, level });
  const forms = said.filter(isHandshake).map((one) => judgeConversation({ texts: texts([one]), whole: false, level }));
  const findings = [replied, ...forms].flatMap((one) => one.findings).filter(({ rule }) => isRuleOfSubscribers(rule));
  const exercised = [replied, ...forms].flatMap((one) => one.exercised);
  return {
    findings: [...findings, ...strangeSubscriptions(reception, said)],
    shown: exercised.filter(isRuleOfSubscribers),
  };
}

/** After a handshake, a reply must name its subscription. */
function strangeSubscriptions(reception: PlayedProducer, said: readonly ExchangedMessage[]) {
  const handshake = reception.exchanged.some(({ value }) => value["type"] === "subscription.request");
  if (!handshake) return [];
  return said
    .filter(
      ({ by, value }) => by === "subscriber" && value["reply_token"] !== undefined && !reception.isSubscription(value["subscription_id"]),
    )
    .map(({ value }) =>
      toLiveFinding({ rule: "aaep/reply-subscription", message: `No subscription is called ${name(value["subscription_id"])}.` }),
    );
}

function name(id: unknown): string {
  return JSON.stringify(String(id).slice(0, 80));
}
