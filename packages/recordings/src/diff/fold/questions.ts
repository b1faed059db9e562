import type { OfKind } from "@earshot/narrate";
import type { Activity } from "@earshot/protocol/activities";
import type { DraftStep } from "./draft-step.ts";

/** So many may wait to be answered at least; then the older half is forgotten. */
const MAX_RECENT_QUESTIONS = 20_000;

/** What waits to be answered in a run, by what an answer refers to: whoever answers need not name the session. */
export class Questions {
  #recent = new Map<string, DraftStep>();
  #older = new Map<string, DraftStep>();

  ask({ token, eventId }: OfKind<"request.asked">, step: DraftStep): void {
    for (const name of [token, eventId]) if (name !== undefined) this.#keep(`question ${name}`, step);
  }

  mayBeDecided({ callId, eventId }: { readonly callId?: string; readonly eventId?: string }, step: DraftStep): void {
    if (callId !== undefined) this.#keep(`call ${callId}`, step);
    if (eventId !== undefined) this.#keep(`event ${eventId}`, step);
  }

  /** Whether it was the answer to something. */
  answer(activity: OfKind<"request.answered">): boolean {
    const question = activity.token === undefined ? undefined : this.#find(`question ${activity.token}`);
    answer(question, activity);
    return question !== undefined;
  }

  callOf({ callId, requestEventId }: OfKind<"tool.decided">): DraftStep | undefined {
    return this.#find(`call ${callId ?? ""}`) ?? this.#find(`event ${requestEventId ?? ""}`);
  }

  /** What was said beside the sessions. */
  hear(activity: Activity): void {
    if (activity.kind === "request.answered") this.answer(activity);
    if (activity.kind === "tool.decided") this.callOf(activity)?.set("decision", activity.verdict);
  }

  #find(name: string): DraftStep | undefined {
    return this.#recent.get(name) ?? this.#older.get(name);
  }

  /** Two maps in turn: taking the oldest out of one map again and again is slow. */
  #keep(name: string, step: DraftStep): void {
    if (this.#recent.size >= MAX_RECENT_QUESTIONS) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(name, step);
  }
}

/** The first answer counts. */
export function answer(question: DraftStep | undefined, { answer: said, reason, change }: OfKind<"request.answered">): void {
  question?.setOnce("answer", change === undefined ? said : `${said}, with a change`);
  question?.setOnce("reason", reason);
}
