import type { JsonObject, JsonValue } from "@earshot/protocol";
import type { DrivenConnection, DrivenPeer } from "../peer/peer.ts";
import { toSubscriptionRequest } from "../producer/producer-stage.ts";

/** Possible defects of a subscriber, one switch each, with the rule that `check subscriber` must name. */
export const SUBSCRIBER_DEFECTS = {
  "hangs-up-on-unknown": "aaep/unknown-tolerated",
  "answers-by-itself": "aaep/no-auto-reply",
  "answers-twice": "aaep/duplicates-ignored",
  "changes-the-token": "aaep/reply-token-known",
  "answers-in-the-wrong-form": "aaep/confirmation-reply",
  "answers-the-wrong-kind": "aaep/reply-kind",
  "answers-the-wrong-type": "aaep/clarification-response",
  "names-another-subscription": "aaep/reply-subscription",
  "drops-critical-under-pressure": "aaep/critical-announced",
  "goes-without-closing": "aaep/subscriber-closes",
  "asks-without-a-version": "aaep/subscription-request",
  "claims-a-level-without-replies": "aaep/level-needs-replies",
} as const;
export type SubscriberDefect = keyof typeof SUBSCRIBER_DEFECTS;

/** A program in place of a person: it does what the questions say, with at most one defect. */
export async function runObedientSubscriber(peer: DrivenPeer, defect?: SubscriberDefect): Promise<void> {
  for (let connection = await greet(peer, defect); ; connection = await greet(peer, defect)) {
    if ((await listen(connection, defect)) === "over") return;
  }
}

interface Greeted {
  readonly connection: DrivenConnection;
  readonly id: string;
}

async function greet(peer: DrivenPeer, defect: SubscriberDefect | undefined): Promise<Greeted> {
  const connection = await peer.connect();
  const replies = defect !== "claims-a-level-without-replies";
  const request = toSubscriptionRequest({
    supports_confirmation_reply: replies,
    supports_clarification_reply: true,
    supported_conformance_levels: [1, 2, 3],
  });
  if (defect === "asks-without-a-version") {
    const { aaep_version: _, ...rest } = request;
    await connection.subscribe(rest, 1000).catch(() => undefined);
  }
  const answer = await connection.subscribe(request, 20_000);
  return { connection, id: String(answer?.["subscription_id"]) };
}

async function listen({ connection, id }: Greeted, defect: SubscriberDefect | undefined): Promise<"over" | "again"> {
  const seen = new Set<JsonValue | undefined>();
  let progress = 0;
  for (let next = 0; ; next++) {
    const item = await connection.stream.until(() => true, 120_000, next);
    if (item === undefined) return "over";
    const { value } = item;
    if (defect === "hangs-up-on-unknown" && String(value["type"]).startsWith("earshotcheck:")) {
      await connection.cut();
      return "again";
    }
    if (value["type"] === "aaep:agent.progress.updated") progress++;
    if (String(value["summary_normal"]).includes("Please stop")) {
      if (defect !== "goes-without-closing") await connection.sendMessage({ type: "subscription.close", subscription_id: id });
      await connection.cut();
      return "over";
    }
    if (seen.has(value["event_id"]) && defect !== "answers-twice") continue;
    seen.add(value["event_id"]);
    if (defect === "drops-critical-under-pressure" && progress > 20) continue;
    const reply = replyTo(value, id, defect);
    if (reply !== undefined) await connection.sendMessage(reply);
  }
}

function replyTo(event: JsonObject, id: string, defect: SubscriberDefect | undefined): JsonObject | undefined {
  const token = event["reply_token"];
  if (typeof token !== "string") return undefined;
  const words = String(event["action"] ?? event["question"]);
  if (words.includes("unanswered") && defect !== "answers-by-itself") return undefined;
  const from = {
    reply_token: defect === "changes-the-token" ? `${token}x` : token,
    subscription_id: defect === "names-another-subscription" ? "sub_another" : id,
    timestamp: new Date().toISOString(),
  };
  const isConfirmation = event["type"] === "aaep:agent.awaiting.confirmation";
  if (isConfirmation && defect !== "answers-the-wrong-kind") {
    const decision = words.includes("accept") ? "accept" : "reject";
    return { type: "confirmation.reply", decision, ...from, ...(defect === "answers-in-the-wrong-form" ? { mood: "good" } : {}) };
  }
  const response = defect === "answers-the-wrong-type" ? 17.5 : words.includes("yes") ? true : words.includes("number") ? 3 : "blue";
  return { type: "clarification.reply", response, ...from };
}
