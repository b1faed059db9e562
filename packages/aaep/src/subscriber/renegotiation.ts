import type { Capabilities, JsonObject, SubscriptionAccepted, SubscriptionRejected } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import type { SubscribedConnection } from "./connector.ts";
import { rejectedError } from "./rejection.ts";
import { createDeferred, type Deferred } from "./waiting.ts";

/** A pending renegotiation, answered in place or among the events. One at a time. */
export class Renegotiation {
  #pending: Deferred<SubscriptionAccepted> | undefined;

  get isPending(): boolean {
    return this.#pending !== undefined;
  }

  async ask(connection: SubscribedConnection, subscriptionId: string, capabilities: Capabilities): Promise<SubscriptionAccepted> {
    while (this.#pending !== undefined) await this.#pending.promise.catch(() => {}); // its caller gets the error
    const pending = createDeferred<SubscriptionAccepted>();
    pending.promise.catch(() => {}); // told below, unless sending fails first
    this.#pending = pending;
    try {
      const message = { type: "subscription.renegotiate", subscription_id: subscriptionId, capabilities };
      const answer = await connection.send(message as unknown as JsonObject);
      if (answer !== undefined && !this.handleMessage(answer)) throw unanswered("The producer's answer was not understood.");
    } catch (error) {
      if (this.#pending === pending) this.#pending = undefined;
      throw error;
    }
    return pending.promise;
  }

  /** Whether this message answered a pending renegotiation. */
  handleMessage(message: JsonObject): boolean {
    const pending = this.#pending;
    if (pending === undefined) return false;
    if (message["type"] === "subscription.accepted") pending.resolve(message as unknown as SubscriptionAccepted);
    else if (message["type"] === "subscription.rejected") pending.reject(rejectedError(message as unknown as SubscriptionRejected));
    else return false;
    this.#pending = undefined;
    return true;
  }

  /** The connection is lost, so there will be no answer. */
  giveUp(): void {
    this.#pending?.reject(unanswered("The connection ended before the answer."));
    this.#pending = undefined;
  }
}

function unanswered(message: string): EarshotError {
  return new EarshotError({ code: "PRODUCER_UNREACHABLE", message });
}
