import type { OfKind } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";
import type { DraftStep } from "./draft-step.ts";

/** Minimum number of remembered entries. At twice that number, the older half is dropped. */
const MAX_RECENT_QUESTIONS = 20_000;

/** The open questions and decidable calls of a run, keyed by what an answer refers to, because an answer need not name its session. */
export class OpenRunQuestions {
  #recent = new Map<string, DraftStep>();
  #older = new Map<string, DraftStep>();

  ask({ token, eventId }: OfKind<"request.asked">, step: DraftStep): void {
    for (const name of [token, eventId]) if (name !== undefined) this.#keep(`question ${name}`, step);
  }

  mayBeDecided({ callId, eventId }: { readonly callId?: string; readonly eventId?: string }, step: DraftStep): void {
    if (callId !== undefined) this.#keep(`call ${callId}`, step);
    if (eventId !== undefined) this.#keep(`event ${eventId}`, step);
  }

  /** Applies the answer to its question; false if the question is unknown. */
  answer(activity: OfKind<"request.answered">): boolean {
    const question = activity.token === undefined ? undefined : this.#find(`question ${activity.token}`);
    applyAnswer(question, activity);
    return question !== undefined;
  }

  callOf({ callId, requestEventId }: OfKind<"tool.decided">): DraftStep | undefined {
    return this.#find(`call ${callId ?? ""}`) ?? this.#find(`event ${requestEventId ?? ""}`);
  }

  /** Handles activities outside of sessions. */
  handle(activity: Activity): void {
    if (activity.kind === "request.answered") this.answer(activity);
    if (activity.kind === "tool.decided") this.callOf(activity)?.set("decision", activity.verdict);
  }

  #find(name: string): DraftStep | undefined {
    return this.#recent.get(name) ?? this.#older.get(name);
  }

  /** Two maps replace each other, because deleting the oldest entry of one map repeatedly is slow. */
  #keep(name: string, step: DraftStep): void {
    if (this.#recent.size >= MAX_RECENT_QUESTIONS) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(name, step);
  }
}

/** Applies the first answer; later ones change nothing. */
export function applyAnswer(question: DraftStep | undefined, { answer: said, reason, change }: OfKind<"request.answered">): void {
  question?.setOnce("answer", change === undefined ? said : `${said}, with a change`);
  question?.setOnce("reason", reason);
}
