import type { RequestView } from "@earshot/hub";
import { assessRequest, whyRisky } from "@earshot/narrate";
import { verbOfAnswer } from "./inspect-request.ts";

/** The input state that, with the open requests, determines what a key does. A plain value. */
export interface KeyState {
  readonly chosen: string | null;
  /** Until then no key decides, because it may have been pressed before the request appeared. */
  readonly armedAt: number;
  /** The action that the next key confirms. */
  readonly confirming: "yes" | "stop" | "keep" | null;
  /** The digits of a number typed so far. */
  readonly digits: string;
  readonly digitsAt: number;
  /** A late allow that may be kept for the next identical request. */
  readonly late: string | null;
}

/** The action for a key. */
export type KeyAction =
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "choose"; readonly id: string }
  | { readonly kind: "yes" | "no" | "reply" | "defer" | "more-time" | "card" | "stop" | "keep" | "always"; readonly id: string }
  | { readonly kind: "list" | "help" | "quit" };

interface OpenRequests {
  /** Open requests by number. A number is never reused. */
  readonly byNumber: ReadonlyMap<number, RequestView>;
  readonly byId: ReadonlyMap<string, RequestView>;
}

export const INITIAL_KEY_STATE: KeyState = { chosen: null, armedAt: 0, confirming: null, digits: "", digitsAt: 0, late: null };
export const INBOX_ARMING_MS = 500;
const DIGITS_MS = 1500;

/** Handles one key. A key pressed too early decides nothing, and a risky decision needs a second key. Pure. */
export function pressKey(
  state: KeyState,
  key: string,
  now: number,
  open: OpenRequests,
): { readonly state: KeyState; readonly wish: KeyAction | null } {
  if (/^[0-9]$/.test(key)) return chooseByDigit(state, key, now, open);
  const rested: KeyState = { ...state, digits: "", confirming: null };
  if (state.confirming !== null && key !== "\u0003") return confirm(state, rested, key, now, open);
  switch (key) {
    case "q":
    case "\u0003":
    case "\u0004":
      return { state: rested, wish: { kind: "quit" } };
    case "l":
      return { state: rested, wish: { kind: "list" } };
    case "?":
    case "h":
      return { state: rested, wish: { kind: "help" } };
    case "k":
      if (state.late === null) return { state: rested, wish: say("There is no late answer to keep.") };
      return {
        state: { ...rested, confirming: "keep", armedAt: now + INBOX_ARMING_MS },
        wish: say("It will be allowed if the same is asked again. Press y to do that, any other key to leave it."),
      };
    case "\u001b":
      return { state: { ...rested, chosen: null }, wish: state.chosen === null ? null : say("Nothing is chosen.") };
    default:
      return act(rested, key, now, open);
  }
}

/** Call after a request was chosen and printed. */
export function chooseRequest(state: KeyState, id: string, now: number): KeyState {
  return { ...state, chosen: id, confirming: null, armedAt: now + INBOX_ARMING_MS };
}

/** The keys available for the chosen request. */
export function keysFor(view: RequestView): string {
  const { yes, no, risky } = assessRequest(view);
  const keys = [
    ...(yes === undefined ? [] : [`a ${verbOfAnswer(yes)}`]),
    ...(no === undefined ? [] : [`d ${verbOfAnswer(no)}`]),
    ...(canReply(view) ? ["r reply"] : []),
    ...(view.card.terms.answers.includes("defer") ? ["p defer"] : []),
    ...(view.extensionsLeft > 0 ? ["m more time"] : []),
    ...(view.card.terms.answers.includes("allow") && !canReply(view) && risky === undefined ? ["f allow this kind from now on"] : []),
    "v whole card",
    "s stop this session",
  ];
  return `Keys: ${keys.join(", ")}.`;
}

export function canReply({ card }: Pick<RequestView, "card">): boolean {
  return card.terms.answers.includes("respond");
}

type Pressed = ReturnType<typeof pressKey>;

function chooseByDigit(state: KeyState, key: string, now: number, { byNumber }: OpenRequests): Pressed {
  const begun = now - state.digitsAt <= DIGITS_MS ? state.digits : "";
  const digits = byNumber.has(Number(begun + key)) || begun === "" ? begun + key : key;
  const typed: KeyState = { ...state, digits, digitsAt: now, confirming: null };
  const view = byNumber.get(Number(digits));
  if (view !== undefined) return { state: chooseRequest(typed, view.id, now), wish: { kind: "choose", id: view.id } };
  const mayGoOn = [...byNumber.keys()].some((number) => digits !== "0" && String(number).startsWith(digits));
  return { state: { ...typed, chosen: null }, wish: mayGoOn ? null : say(`There is no open request ${digits}. l lists them.`) };
}

function confirm(state: KeyState, rested: KeyState, key: string, now: number, { byId }: OpenRequests): Pressed {
  const { chosen, confirming, armedAt, late } = state;
  const isThere = confirming === "keep" ? late !== null : chosen !== null && byId.has(chosen);
  if (key !== "y" || !isThere) return { state: rested, wish: say("Cancelled; nothing was decided.") };
  if (now < armedAt) return { state, wish: say("That was too fast; nothing was decided. Press y to confirm.") };
  if (confirming === "keep") return { state: { ...rested, late: null }, wish: { kind: "keep", id: late ?? "" } };
  return { state: rested, wish: { kind: confirming === "stop" ? "stop" : "yes", id: chosen ?? "" } };
}

const DECIDING: Readonly<Record<string, (state: KeyState, view: RequestView, now: number) => Pressed>> = {
  a: (state, view, now) => {
    const word = assessRequest(view).yes;
    const why = whyRisky(view);
    if (word === undefined)
      return { state, wish: say(canReply(view) ? "This is a question: r replies." : "This request cannot be allowed.") };
    if (why === undefined) return { state, wish: { kind: "yes", id: view.id } };
    const asking: KeyState = { ...state, confirming: "yes", armedAt: now + INBOX_ARMING_MS };
    return {
      state: asking,
      wish: say(`${why} Press y to ${verbOfAnswer(word)}${verbOfAnswer(word) === "allow" ? " it" : ""}, any other key to leave it.`),
    };
  },
  d: (state, view) => ({
    state,
    wish: assessRequest(view).no === undefined ? say("This request cannot be denied.") : { kind: "no", id: view.id },
  }),
  r: (state, view) => ({ state, wish: canReply(view) ? { kind: "reply", id: view.id } : say("This is not a question: a or d answers.") }),
  p: (state, view) => ({
    state,
    wish: view.card.terms.answers.includes("defer") ? { kind: "defer", id: view.id } : say("This cannot be deferred."),
  }),
  f: (state, view) => ({
    state,
    wish: view.card.terms.answers.includes("allow") ? { kind: "always", id: view.id } : say("No rule can allow this."),
  }),
  m: (state, view) => ({
    state,
    wish: view.extensionsLeft > 0 ? { kind: "more-time", id: view.id } : say("The deadline can't be extended."),
  }),
  s: (state, _view, now) => ({
    state: { ...state, confirming: "stop", armedAt: now + INBOX_ARMING_MS },
    wish: say(
      "Everything that this session asks will be answered with stop, until you lift it. Press y to do that, any other key to leave it.",
    ),
  }),
};

function act(state: KeyState, key: string, now: number, { byId }: OpenRequests): Pressed {
  const deciding = Object.hasOwn(DECIDING, key) ? DECIDING[key] : undefined;
  if (deciding === undefined && key !== "v" && key !== "\r" && key !== "\n") return { state, wish: null };
  const view = state.chosen === null ? undefined : byId.get(state.chosen);
  if (view === undefined) {
    const left = { ...state, chosen: null };
    return { state: left, wish: key === "\r" || key === "\n" ? null : say("Nothing is chosen: type the number of a request first.") };
  }
  if (key === "v") return { state: { ...state, armedAt: now + INBOX_ARMING_MS }, wish: { kind: "card", id: view.id } };
  if (deciding === undefined) return { state: chooseRequest(state, view.id, now), wish: { kind: "choose", id: view.id } };
  if (!view.waits) return { state, wish: say("The agent no longer waits for this answer.") };
  if (now < state.armedAt) return { state, wish: say("That was too fast; nothing was decided. Press it again to confirm.") };
  return deciding(state, view, now);
}

function say(text: string): KeyAction {
  return { kind: "say", text };
}

/** Requests by number. A number stays with its request and is never reused, so that spoken numbers stay valid. */
export class RequestBook implements OpenRequests {
  readonly byNumber = new Map<number, RequestView>();
  readonly byId = new Map<string, RequestView>();
  readonly #numbers = new Map<string, number>();
  #last = 0;

  /** Updates a request, which gets a number when first seen open; undefined for one that never was. */
  note(view: RequestView): { readonly number: number; readonly isNew: boolean } | undefined {
    const known = this.#numbers.get(view.id);
    if (known === undefined && view.decision !== null) return undefined;
    const number = known ?? ++this.#last;
    this.#numbers.set(view.id, number);
    if (view.decision === null) {
      this.byNumber.set(number, view);
      this.byId.set(view.id, view);
    } else {
      this.byNumber.delete(number);
      this.byId.delete(view.id);
      this.#forgetOld();
    }
    return { number, isNew: known === undefined };
  }

  /** Keeps only the listed requests; returns those that were open here and are not any more. */
  retain(requests: readonly RequestView[]): readonly RequestView[] {
    const ids = new Set(requests.map(({ id }) => id));
    const gone = [...this.byId.values()].filter(({ id }) => !ids.has(id));
    for (const { id } of gone) this.byId.delete(id);
    for (const [number, { id }] of this.byNumber) if (!ids.has(id)) this.byNumber.delete(number);
    return gone;
  }

  numberOf(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  /** Ended requests are kept for a while to report their aftermath. */
  #forgetOld(): void {
    for (const id of this.#numbers.keys()) {
      if (this.#numbers.size <= MAX_NUMBERS) return;
      if (!this.byId.has(id)) this.#numbers.delete(id);
    }
  }
}

const MAX_NUMBERS = 5000;
