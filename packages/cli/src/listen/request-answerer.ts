import type { RequestView } from "@earshot/hub";
import type { NumberedAnswer } from "@earshot/narrate";
import { EarshotError } from "@earshot/protocol/problem";
import { plainText } from "@earshot/terminal/plain-text";
import type { HubAccess } from "../hub-client.ts";
import { giveAnswer } from "../inbox/give-answer.ts";
import { readReply } from "../inbox/read-reply.ts";
import type { InboxReply } from "../inbox/request-client.ts";
import { leaveConfirming, type NumberRefusal, pressNumber } from "./answer-state.ts";
import { describeAloud } from "./describe-aloud.ts";
import type { ListenPhrases } from "./listen-phrases.ts";
import type { Listener } from "./listener.ts";

export interface RequestAnswererPorts {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly wallNow: () => number;
  readonly open: () => Promise<HubAccess>;
  /** The hub with an approver's credential; asks for the PIN if that was postponed. Undefined without a keyboard. */
  readonly approver: (() => Promise<HubAccess>) | undefined;
  /** Asks for one line; undefined when the person gives up. */
  readonly line: (question: string) => Promise<string | undefined>;
}

const REFUSALS: Readonly<
  Record<Exclude<NumberRefusal, "no such answer">, keyof ListenPhrases & ("nothingAsked" | "notHeard" | "tooFast")>
> = {
  "nothing asked": "nothingAsked",
  "not heard": "notHeard",
  "too fast": "tooFast",
};

/** Answers the last read request by number, as it was read. One at a time. */
export class RequestAnswerer {
  readonly #listener: Listener;
  readonly #ports: RequestAnswererPorts;
  #isAnswering = false;

  constructor(listener: Listener, ports: RequestAnswererPorts) {
    this.#listener = listener;
    this.#ports = ports;
  }

  async press(number: number): Promise<void> {
    const listener = this.#listener;
    const { phrases, language } = listener;
    if (this.#isAnswering) return;
    const view = listener.requests.reading;
    const effect = view === undefined ? undefined : describeAloud(view, language);
    const state = view === undefined ? { ...listener.requests.answering, request: null } : listener.requests.answering;
    const pressed = pressNumber(state, number, this.#ports.now(), effect ?? { answers: [], risky: false });
    listener.requests.answering = pressed.state;
    const { wish } = pressed;
    if (wish.kind === "refuse") {
      const said = wish.why === "no such answer" ? phrases.noSuchAnswer(effect?.answersText ?? "") : phrases[REFUSALS[wish.why]];
      // The reading continues, so a key pressed too early does not cut it short.
      if (listener.isReading) listener.output.print(said);
      else await listener.aside(said);
    } else if (wish.kind === "confirm") await listener.aside(phrases.confirm(number, wish.answer.label));
    else if (view !== undefined) await this.#give(view, () => toReply(view, wish.answer), wish.answer.label);
  }

  /** Another key cancels a pending confirmation. */
  leave(): void {
    this.#listener.requests.answering = leaveConfirming(this.#listener.requests.answering);
  }

  /** A typed answer is deliberate, but only for a request that was heard. */
  async type(): Promise<void> {
    const listener = this.#listener;
    const { phrases } = listener;
    const { answering } = listener.requests;
    const view = listener.requests.reading;
    if (view === undefined) return listener.aside(phrases.nothingAsked);
    if (!answering.isSpoken) return listener.aside(phrases.notHeard);
    if (this.#ports.approver === undefined) return listener.aside(phrases.noKeyboard);
    const text = await listener.beside(() => this.#ports.line(phrases.typeAnswer));
    if (text === undefined || text.trim() === "") return listener.aside(phrases.nothingDecided);
    return this.#give(view, () => readReply(view, [text.trim()]), text.trim());
  }

  async #give(view: RequestView, reply: () => InboxReply, label: string): Promise<void> {
    const listener = this.#listener;
    this.#isAnswering = true;
    try {
      await listener.beside(() => this.#send(view, reply, label));
    } finally {
      this.#isAnswering = false;
    }
  }

  async #send(view: RequestView, reply: () => InboxReply, label: string): Promise<void> {
    const listener = this.#listener;
    const { phrases } = listener;
    const { approver, open, wallNow } = this.#ports;
    if (approver === undefined) return listener.aside(phrases.noKeyboard);
    try {
      const access = await approver();
      const given = await giveAnswer(view, reply(), { approver: access, hub: await open(), now: wallNow() });
      listener.settle(given.view);
      // A request that was only counted is read next.
      const more = listener.unread().length > 0 ? 0 : listener.waiting().length;
      const said = given.counts ? phrases.answered(label) : `${phrases.tooLate} ${given.lines.join(" ")}`;
      await listener.aside(more === 0 ? said : `${said} ${phrases.moreWait(more)}`);
    } catch (error) {
      if (!EarshotError.is(error) && !(error instanceof TypeError)) throw error;
      await listener.aside(EarshotError.is(error) ? plainText(error.problem.message) : phrases.unreachable);
    }
  }
}

/** A choice is sent by its value; anything else is one of the hub's words. */
function toReply(view: RequestView, { word, value, label }: NumberedAnswer): InboxReply {
  if (word === "respond") return readReply(view, [value ?? label]);
  const answer = view.card.terms.answers.find((one) => one === word);
  if (answer === undefined) throw new EarshotError({ code: "WRONG_USAGE", message: "This cannot be answered so. Nothing was decided." });
  return { answer };
}
