import { EarshotError } from "@earshot/protocol";
import { type IntakeContext, type OpeningDecision, receive } from "../intake/receive.ts";
import type { Submission } from "../ledger/ledger.ts";
import type { NewRequest, SettleVerdict } from "../request.ts";
import type { Verdict } from "../verdict.ts";
import { readAaepQuestion, ruleOnAaep } from "./aaep-question.ts";
import type { RequestAnswer } from "./answer.ts";
import type { ControlStore } from "./control-store.ts";
import { createHeldRequest, type HeldRequest, SESSION_ENDED, scopeOf } from "./held-request.ts";
import { hasRoomInSession, MAX_OPEN_PER_SESSION } from "./held-table.ts";
import { createRequestProblem } from "./news.ts";
import { questionDigest, questionId, type RequestQuestion, toNewRequest } from "./question.ts";
import type { RequestCarrying, RequestEngineOptions } from "./request-carrying.ts";

/** Nobody waits for the questions of an ended session. */
const ASKED_AFTER_END = "aaep/nothing-after-end";

/** Options of asking, beside the question. */
export interface OpenRequestOptions {
  /** A rule has answered it already. */
  readonly ruled?: { readonly rule: string; readonly answer: RequestAnswer } | undefined;
  /** Further entries to store with it, for reading. */
  readonly copies?: readonly Submission[];
  /** The ledger was just asked and does not know it. */
  readonly isNew?: boolean;
}

interface OpeningParts {
  readonly carrying: RequestCarrying;
  readonly control: ControlStore;
  readonly intake: IntakeContext;
}

/** Opens requests for questions in events and of hooks. */
export class RequestOpening {
  readonly #options: RequestEngineOptions;
  readonly #carrying: RequestCarrying;
  readonly #control: ControlStore;
  readonly #intake: IntakeContext;

  constructor(options: RequestEngineOptions, { carrying, control, intake }: OpeningParts) {
    this.#options = options;
    this.#carrying = carrying;
    this.#control = control;
    this.#intake = intake;
  }

  /**
   * The request that a submission opens in the ledger. The caller passes its result to `opened`. Undefined if it asks nothing or its
   * sender is not verified.
   */
  consider(submission: Submission): OpeningDecision | undefined {
    if (!submission.source.verified) return undefined;
    const question = readAaepQuestion(submission);
    if (question === undefined) return undefined;
    const request = toNewRequest(question, this.#options.secret, submission.receivedAt);
    if (this.#carrying.table.find(request.id) !== undefined) return { known: request.id }; // said again: the ledger knows it, too
    const full = this.#whyFull(question, request, submission);
    if (full !== undefined) return { notAsked: { code: "TOO_MANY_OPEN", message: full } };
    this.#begin(question, request, submission);
    return { open: request };
  }

  /** Opens a request for a question, or finds the existing one. Undefined if the event was stored before without one. */
  async ask(
    question: RequestQuestion,
    submission: Submission,
    { ruled, copies = [], isNew = false }: OpenRequestOptions = {},
  ): Promise<HeldRequest | undefined> {
    const { ledger, secret, onFailure } = this.#options;
    const intake = this.#intake;
    const id = questionId(question, secret);
    const known = isNew ? this.#carrying.table.find(id) : await this.#carrying.table.lookUp(id);
    if (known !== undefined) return this.#askAgain(known, question);
    const request = toNewRequest(question, secret, submission.receivedAt, id);
    const full = this.#whyFull(question, request, submission);
    if (full !== undefined) throw createRequestProblem("TOO_MANY_OPEN", full);
    const held = this.#begin(question, request, submission);
    const ending = ruled === undefined ? undefined : this.#carrying.foresee(held, { name: "ruled", ...ruled });
    let verdict: Verdict | undefined;
    let settled: SettleVerdict | undefined;
    try {
      const appended = receive([{ ...submission, request }], submission.source, intake);
      // A rule's answer is written in the same transaction as its question, unless that is full.
      const settling =
        ending === undefined ? undefined : ledger.settle({ requestId: request.id, ...ending, answer: JSON.stringify(ending.answer) });
      if (copies.length > 0) void receive(copies, submission.source, { ...intake, meter: undefined }).catch(onFailure);
      const settles = settling?.catch(() => undefined); // then it is tried again, as for any answer
      [verdict] = await appended;
      settled = await settles;
    } finally {
      if (verdict === undefined || !verdict.ok || verdict.duplicate) this.#carrying.forget(held);
    }
    if (verdict === undefined) throw new Error("A question without a verdict.");
    if (!verdict.ok) throw new EarshotError(verdict.problem);
    if (!verdict.duplicate) {
      if (ending !== undefined && settled?.ok === true) this.#carrying.confirmEnded(held, ending, settled.position);
      else await this.#carrying.confirm(held);
      return held;
    }
    // Another process has opened it; or the event was stored before without a question.
    const other = await this.#carrying.table.lookUp(request.id);
    return other === undefined ? undefined : this.#askAgain(other, question);
  }

  /** Why there is no room for another question; undefined if there is. Refused askers are counted and told. */
  #whyFull({ asked }: RequestQuestion, { card }: NewRequest, { text }: Submission): string | undefined {
    const { table } = this.#carrying;
    const isCrowded = !hasRoomInSession(table.inSession(scopeOf(asked.protocol, asked.source, asked.session)).length);
    if (!isCrowded && table.hasRoom(card.length + text.length)) return undefined;
    const why = isCrowded
      ? `${MAX_OPEN_PER_SESSION} questions of this session wait for an answer already.`
      : "Too many questions wait for an answer.";
    this.#options.ledger.count("questions refused", asked.source, 1);
    this.#carrying.news.add("refused", `A question was refused: ${why}`, { session: asked.session });
    return why;
  }

  #begin(question: RequestQuestion, request: NewRequest, { receivedAt, reading, text }: Submission): HeldRequest {
    const now = this.#carrying.timeOf(question.terms);
    const held = createHeldRequest(question, request, { at: receivedAt, eventId: reading.eventId ?? "", now, sizeBytes: text.length });
    this.#carrying.table.add(held);
    return held;
  }

  #askAgain(held: HeldRequest, question: RequestQuestion): HeldRequest {
    const digest = questionDigest(question, this.#options.secret);
    if (digest !== held.digest) throw createRequestProblem("DIGEST_DIFFERS", "The same question was asked before, with other content.");
    held.raw ??= { input: question.raw };
    this.#carrying.input(held, { name: "asked" });
    return held;
  }

  /** Called after intake has stored, or refused, the asking event. */
  opened(request: NewRequest, verdict: Verdict): void {
    const held = this.#carrying.table.findOpen(request.id);
    if (held === undefined || held.machine.phase !== "opening") return;
    if (!verdict.ok || verdict.duplicate) {
      this.#carrying.forget(held);
      return;
    }
    if (verdict.flags.some(({ rule, at }) => rule === ASKED_AFTER_END && at === undefined)) held.hasSessionEnded = true;
    void this.#carrying
      .confirm(held)
      .then(async () => {
        if (held.hasSessionEnded === true) this.#carrying.input(held, SESSION_ENDED);
        else await this.#putToRules(held);
      })
      .catch(this.#options.onFailure);
  }

  /** Rules first, then a person: for questions of other protocols. */
  async #putToRules(held: HeldRequest): Promise<void> {
    const { rules } = this.#options;
    const control = this.#control;
    const { asked } = held.card;
    if (control.stopped(asked.protocol, asked.source, asked.session) !== undefined) {
      return this.#rule(held, "the session is stopped", { word: held.machine.terms.refusal });
    }
    const kept = await control.take(asked.source, asked.session, held.digest);
    if (kept !== undefined) return answerWithKept(this.#carrying, held, kept);
    const ruling = control.isPaused ? undefined : ruleOnAaep(held.card, rules, control.isAttended);
    if (ruling !== undefined) await this.#rule(held, ruling.rule, ruling.answer);
  }

  async #rule(held: HeldRequest, rule: string, answer: RequestAnswer): Promise<void> {
    await this.#carrying.input(held, { name: "ruled", rule, answer }).verdict;
  }
}

/** Answers with an approver's kept answer. */
export async function answerWithKept(
  carrying: RequestCarrying,
  held: HeldRequest,
  { by, answer, request }: { readonly by: string; readonly answer: RequestAnswer; readonly request: string },
): Promise<void> {
  const reason = `Answered when it was asked before, as ${request}.`;
  await carrying.input(held, { name: "answered", by, answer, digest: held.digest, reason }).verdict;
}
