import { randomBytes } from "node:crypto";
import type { JsonObject, JsonValue } from "@earshot/protocol";
import type { DrivenConnection, Receipt, ReceivedStream, StreamItem } from "../peer/peer.ts";
import { eventIdOf, type ObservedQuestion, sessionOf, typeOf } from "./question.ts";

/** One connection of the drive with everything both sides sent. */
export class DriveConnection {
  readonly connection: DrivenConnection;
  /** `subscription.accepted`; undefined without a handshake. */
  accepted: JsonObject | undefined;
  /** Closed during activity: nothing is reported as missing. */
  leftEarly = false;
  /** The stream this one resumes. */
  readonly #before: DriveConnection | undefined;
  readonly #strangers: Set<string>;
  readonly #sent: { readonly text: string; readonly before: number }[] = [];
  readonly #own: ReceivedStream | undefined;

  /** `strangers` are sessions that began before this connection, seen from the middle. */
  constructor(
    connection: DrivenConnection,
    strangers: ReadonlySet<string>,
    resumed?: { readonly before: DriveConnection; readonly stream: ReceivedStream },
  ) {
    this.connection = connection;
    this.#strangers = new Set(strangers);
    this.#before = resumed?.before;
    this.#own = resumed?.stream;
    this.accepted = resumed?.before.accepted;
  }

  /** Sessions of these events began before anything was requested on this connection. */
  keepApart(items: readonly StreamItem[]): void {
    for (const item of items) {
      const session = sessionOf(item);
      if (session !== undefined) this.#strangers.add(session);
    }
  }

  isStranger(session: string): boolean {
    return this.#strangers.has(session);
  }

  get stream(): ReceivedStream {
    return this.#own ?? this.connection.stream;
  }

  get subscriptionId(): string | undefined {
    const id = this.accepted?.["subscription_id"];
    return typeof id === "string" ? id : undefined;
  }

  async subscribe(request: JsonObject, waitMs: number): Promise<JsonObject | undefined> {
    this.#record(request);
    const answer = await this.connection.subscribe(request, waitMs);
    this.#recordAnswer(answer);
    if (answer?.["type"] === "subscription.accepted") this.accepted = answer;
    return answer;
  }

  async renegotiate(capabilities: JsonObject, waitMs: number): Promise<JsonObject | undefined> {
    const message = { type: "subscription.renegotiate", subscription_id: this.subscriptionId ?? "", capabilities };
    this.#record(message);
    const answer = await this.connection.renegotiate(message, waitMs);
    this.#recordAnswer(answer);
    if (answer?.["type"] === "subscription.accepted") this.accepted = answer;
    return answer;
  }

  /** Sends a message that a subscriber may send. */
  sendMessage(message: JsonObject): Promise<Receipt | undefined> {
    this.#record(message);
    return this.connection.sendMessage(message);
  }

  /** Sends an invalid message, which is not held against the producer. */
  sayWrongly(message: JsonObject): Promise<Receipt | undefined> {
    return this.connection.sendMessage(message);
  }

  async close(): Promise<void> {
    if (this.subscriptionId !== undefined && !this.stream.ended) {
      await this.sendMessage({ type: "subscription.close", subscription_id: this.subscriptionId, reason_code: "subscriber_shutdown" });
    }
  }

  /** Both sides' messages in order, for sessions this connection saw from the start. */
  texts(): readonly string[] {
    const midway = new Set(this.#strangers);
    const met = new Set<string>();
    const texts: string[] = [];
    let next = 0;
    const { items } = this.stream;
    const sayBefore = (index: number) => {
      for (let said = this.#sent[next]; said !== undefined && said.before <= index; said = this.#sent[++next]) texts.push(said.text);
    };
    for (const item of items) {
      sayBefore(item.index);
      const session = sessionOf(item);
      if (session !== undefined && !met.has(session)) {
        met.add(session);
        if (isStanding(item)) midway.add(session);
      }
      const isControl = typeof item.value["type"] !== "string"; // such as the acknowledgement of what started a session
      if (!isControl && (session === undefined || !midway.has(session))) texts.push(item.text);
    }
    sayBefore(Number.POSITIVE_INFINITY);
    return this.#before === undefined ? texts : [...this.#before.texts(), ...texts];
  }

  async cut(): Promise<void> {
    await this.connection.cut();
  }

  #record(message: JsonObject): void {
    this.#sent.push({ text: JSON.stringify(message), before: this.stream.items.length });
  }

  /** An answer on the stream is recorded anyway; one in a response body is not. */
  #recordAnswer(answer: JsonObject | undefined): void {
    if (answer !== undefined && !this.stream.items.some((item) => item.value === answer)) this.#record(answer);
  }
}

/** A state change to the same state, as sent to subscribers that join midway. */
export function isStanding(item: StreamItem): boolean {
  return typeOf(item) === "agent.state.changed" && item.value["from_state"] === item.value["to_state"];
}

/** One session as received over one connection. */
export class ObservedSession {
  readonly id: string;
  readonly line: DriveConnection;
  readonly #from: number;

  constructor(id: string, line: DriveConnection, from: number) {
    this.id = id;
    this.line = line;
    this.#from = from;
  }

  events(): readonly StreamItem[] {
    return this.line.stream.items.filter(
      (item) => item.index >= this.#from && sessionOf(item) === this.id && eventIdOf(item) !== undefined,
    );
  }

  until(fits: (item: StreamItem) => boolean, ms: number): Promise<StreamItem | undefined> {
    return this.line.stream.until((item) => sessionOf(item) === this.id && fits(item), ms, this.#from);
  }
}

export function confirmationReplyTo(
  line: DriveConnection,
  question: Pick<ObservedQuestion, "token">,
  decision: string,
  more: JsonObject = {},
): JsonObject {
  return { type: "confirmation.reply", reply_token: question.token, decision, ...from(line), decided_by: "user:earshot-check", ...more };
}

export function clarificationReplyTo(line: DriveConnection, question: Pick<ObservedQuestion, "token">, response: JsonValue): JsonObject {
  return { type: "clarification.reply", reply_token: question.token, response, ...from(line), decided_by: "user:earshot-check" };
}

export function inventedToken(): string {
  return `rpl_${randomBytes(16).toString("hex")}`;
}

/** The token with its last character changed: well-formed, and never issued. */
export function alteredToken(token: string): string {
  return token.slice(0, -1) + (token.endsWith("a") ? "b" : "a");
}

/** A response that fits one of the accepted kinds, and one that fits none; undefined if every response fits. */
export function exampleResponses({ item }: ObservedQuestion): { readonly right: JsonValue; readonly wrong: JsonValue | undefined } {
  const listed = item.value["accepted_response_kinds"];
  const kinds = Array.isArray(listed) ? listed : ["freetext"];
  const choices = item.value["choices"];
  const [first] = Array.isArray(choices) ? choices : [];
  const value = typeof first === "object" && first !== null && "value" in first ? first["value"] : undefined;
  const right = kinds.includes("freetext")
    ? "The small one, please."
    : kinds.includes("multiple_choice") && typeof value === "string"
      ? value
      : kinds.includes("yes_no")
        ? true
        : 3;
  const isChoice = kinds.length === 1 && kinds[0] === "multiple_choice";
  const wrong = isChoice
    ? "none of these choices"
    : !kinds.includes("numeric")
      ? 7
      : !kinds.includes("yes_no")
        ? true
        : !kinds.includes("freetext")
          ? "none of these, and no number either"
          : undefined;
  return { right, wrong };
}

function from(line: DriveConnection): JsonObject {
  // Without a handshake there is no subscription id, but the form requires one.
  return { subscription_id: line.subscriptionId ?? `sub_${randomBytes(16).toString("hex")}`, timestamp: new Date().toISOString() };
}
