import type { AepEvent, JsonValue } from "@earshot/protocol";
import type { ExchangedState } from "../cluster/cluster.ts";
import type { IntakeContext, OpeningDecision, RequestOpener } from "../intake/receive.ts";
import { redactText } from "../intake/redact-text.ts";
import type { Submission } from "../ledger/ledger.ts";
import type { NewRequest, RequestQuery, StoredRequest } from "../request.ts";
import type { StoredVerdict, Verdict } from "../verdict.ts";
import type { RequestAnswer } from "./answer.ts";
import { type AnswerEdit, applyEdit, checkAnswer, maskAnswerSecrets } from "./answer-fits.ts";
import type { AskerView, Inspection, RequestView } from "./api.ts";
import type { RequestCardData } from "./card.ts";
import { ControlStore, toRememberedView } from "./control-store.ts";
import { EvidenceReader, LISTED_AFTERMATH_PAGES, MAX_AFTERMATH_PAGES } from "./evidence-reader.ts";
import { type HeldRequest, scopeOf } from "./held-request.ts";
import { inspectAsked } from "./inspection.ts";
import { isMachineOpen } from "./machine.ts";
import { createRequestProblem, problemOfRefusal, RequestNewsLog, waitFor } from "./news.ts";
import { questionDigest, type RequestQuestion, requestIdOf } from "./question.ts";
import { RequestCarrying, type RequestEngineOptions } from "./request-carrying.ts";
import { answerWithKept, type OpenRequestOptions, RequestOpening } from "./request-opening.ts";
import { msUntilDeadline, type ReleasedAnswer, releaseOf, toRequestView } from "./request-view.ts";

const EVERY_MS = 250;

/** Maximum duration of a poll: proxies cut longer ones. */
export const MAX_POLL_MS = 25_000;

/**
 * All open requests as the hub sees them. The state machine decides, the ledger compares and sets, and `Carrying` connects them. Only raw
 * inputs and current waiters are not in the ledger.
 */
export class RequestEngine implements AsyncDisposable, RequestOpener {
  readonly news: RequestNewsLog;
  readonly control: ControlStore;
  /** How events enter the hub, which opens their requests here. */
  readonly intake: IntakeContext;
  readonly #options: RequestEngineOptions;
  readonly #carrying: RequestCarrying;
  readonly #hearing: EvidenceReader;
  readonly #opening: RequestOpening;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #inspections = new WeakMap<RequestCardData, Inspection>();

  private constructor(options: RequestEngineOptions, control: ControlStore, carrying: RequestCarrying) {
    this.#options = options;
    this.control = control;
    this.#carrying = carrying;
    this.news = carrying.news;
    const { ledger, now, redacts, meter } = options;
    this.intake = { ledger, now, redacts, meter, asking: this };
    this.#hearing = new EvidenceReader(options, carrying, control);
    this.#opening = new RequestOpening(options, { carrying, control, intake: this.intake });
    const { everyMs = EVERY_MS } = options;
    if (everyMs > 0) this.#timer = setInterval(() => this.tick(), everyMs).unref();
  }

  /** Loads what an earlier process left open. */
  static async open(options: RequestEngineOptions): Promise<RequestEngine> {
    const news = new RequestNewsLog(options.now);
    const control = await ControlStore.open(options, news);
    return new RequestEngine(options, control, await RequestCarrying.open(options, news));
  }

  get openCount(): number {
    return this.#carrying.table.openCount;
  }

  /** Whether an asker of the session waits for an answer. */
  isWaiting({ protocol, source, session }: { readonly protocol: string; readonly source: string; readonly session: string }): boolean {
    return this.#carrying.table.inSession(scopeOf(protocol, source, session)).some(({ machine }) => machine.phase === "waiting");
  }

  /** The request that a submission opens in the ledger. The caller passes its result to `opened`. */
  consider(submission: Submission): OpeningDecision | undefined {
    return this.#opening.consider(submission);
  }

  /** Opens a request for a question; undefined if the event was stored before without one. */
  ask(question: RequestQuestion, submission: Submission, options?: OpenRequestOptions): Promise<HeldRequest | undefined> {
    return this.#opening.ask(question, submission, options);
  }

  /** A request by its id; throws if there is none. */
  find(id: string): Promise<HeldRequest> {
    return this.#carrying.table.get(id);
  }

  async knows(request: string): Promise<boolean> {
    return (await this.#carrying.table.lookUp(request)) !== undefined;
  }

  /** Whether an event has opened a request before. */
  wasAsked({ source, identity }: Submission): Promise<boolean> {
    return this.knows(requestIdOf([source.protocol, source.name, identity ?? ""], this.#options.secret));
  }

  opened(request: NewRequest, verdict: Verdict): void {
    this.#opening.opened(request, verdict);
  }

  noteStored(submission: Submission, verdict: StoredVerdict): void {
    this.#hearing.handle(submission, verdict);
  }

  /** A hook of the session asks before acting: from now on, unasked actions are detected. Returns whether that is new. */
  gated(submission: Submission): boolean {
    return this.#hearing.gated(submission);
  }

  /** Raises an alarm about a session that no request covers. */
  warn(message: string, event: Pick<AepEvent, "session" | "agent" | "workspace"> | undefined): void {
    const session = event?.session?.id ?? "";
    this.news.add("alarm", message, { session });
    this.#options.alarm(session === "" ? message : `${message} Session ${session}.`, {
      agent: event?.agent.slug ?? "",
      workspace: event?.workspace as JsonValue | undefined,
    });
  }

  /** A rule, or its equivalent, answers. Fulfills with the ledger's decision. */
  async rule(held: HeldRequest, rule: string, answer: RequestAnswer): Promise<void> {
    await this.#carrying.input(held, { name: "ruled", rule, answer }).verdict;
  }

  /** Ends the request at once as unanswered, without asking an approver. */
  async default(held: HeldRequest, reason?: string): Promise<void> {
    await this.#carrying.input(held, { name: "ticked", ...(reason === undefined ? {} : { reason }) }).verdict;
  }

  /** The agent itself shows a question about an action. */
  shown(submission: Submission, action: string): void {
    this.#hearing.shown(submission, action);
  }

  /** Whether an approver's late answer is kept for this question. */
  keptFor(question: RequestQuestion): boolean {
    const { source, session } = question.asked;
    return this.control.has(source, session, questionDigest(question, this.#options.secret));
  }

  /** Answers with an approver's kept answer. */
  useKept(held: HeldRequest, kept: Parameters<typeof answerWithKept>[2]): Promise<void> {
    return answerWithKept(this.#carrying, held, kept);
  }

  /** An approver's answer. Returns the resulting request, or throws why the answer has no effect. */
  async answer(
    id: string,
    given: {
      readonly by: string;
      readonly answer: RequestAnswer;
      readonly digest: string;
      readonly reason?: string;
      readonly keep?: boolean;
    },
  ): Promise<RequestView> {
    const held = await this.#carrying.table.get(id);
    const answer = maskAnswerSecrets(given.answer);
    checkAnswer(answer, held.card, held.raw === undefined && this.#options.isAlone !== true ? held.card.asked.input : held.raw?.input);
    const reason = given.reason === undefined ? {} : { reason: redactText(given.reason).text };
    const { refused, keep, verdict } = this.#carrying.input(held, { name: "answered", ...given, answer, ...reason });
    if (refused !== undefined) throw problemOfRefusal(refused);
    const told = await verdict;
    if (told === undefined || told.ok) {
      if (answer.word === "defer") await this.control.defer(held.id, given.by);
      return this.view(held);
    }
    if (told.why === "digest") throw createRequestProblem("DIGEST_DIFFERS", "The answer names another digest than the request has.");
    if (told.why !== "late") throw createRequestProblem("NOT_FOUND", "There is no such request any more.");
    if (!keep) throw createRequestProblem("DECIDED_ALREADY", `It had ended before: ${told.state}.`);
    const { source, session } = held.card.asked;
    await this.control.keep({ request: id, source, session, digest: held.digest, answer, by: given.by }, held.machine.settlement);
    return this.view(held);
  }

  /** By an approver, who leaves it to the agent; or by the asker, which gets the unanswered default. */
  async withdraw(
    id: string,
    given: { readonly by: string; readonly digest?: string; readonly reason?: string; readonly asker?: true },
  ): Promise<RequestView> {
    const reason = given.reason === undefined ? "Withdrawn." : redactText(given.reason).text;
    return this.#change(id, given.digest, { name: "withdrawn", by: given.by, reason, asker: given.asker === true });
  }

  async extend(id: string, given: { readonly by: string; readonly digest: string }): Promise<RequestView> {
    return this.#change(id, given.digest, { name: "extended", by: given.by });
  }

  /** Stops a session's actions until it is resumed. */
  async stop(
    target: { readonly protocol: string; readonly source: string; readonly session: string },
    by: string,
    reason?: string,
  ): Promise<void> {
    await this.control.stop(target, by, reason);
    for (const held of this.#carrying.table.inSession(scopeOf(target.protocol, target.source, target.session))) {
      const word = (["stop", "deny", "reject", "decline"] as const).find((one) => held.card.terms.answers.includes(one));
      if (word === undefined) continue;
      const input = { name: "answered", by, answer: { word }, digest: held.digest, reason: reason ?? "The session was stopped." } as const;
      await this.#carrying.input(held, input).verdict;
    }
  }

  /**
   * Waits for the answer for a limited time. Only the asker may: for others the request does not exist. `signal` aborts when the caller
   * has gone.
   */
  async poll(id: string, source: string, waitMs: number, signal?: AbortSignal): Promise<HeldRequest> {
    const held = await this.#carrying.table.get(id);
    if (held.card.asked.source !== source) throw createRequestProblem("NOT_FOUND", "There is no such request.");
    await this.#hearing.recall(held, MAX_AFTERMATH_PAGES);
    this.#carrying.input(held, { name: "polled" });
    try {
      await this.#carrying.untilEnded(held, Math.min(waitMs, MAX_POLL_MS), signal);
    } finally {
      this.#carrying.input(held, { name: "unpolled" });
    }
    return held;
  }

  /** Waits until a request has ended, for any reader. */
  async watch(id: string, waitMs: number, signal?: AbortSignal): Promise<RequestView> {
    const held = await this.#carrying.table.get(id);
    if (isMachineOpen(held.machine) && waitMs > 0) await waitFor(held.waiting, Math.min(waitMs, MAX_POLL_MS), signal);
    await this.#hearing.recall(held, MAX_AFTERMATH_PAGES);
    return this.view(held);
  }

  /** The asker's answer; undefined while it has to wait. Marks the answer as taken. */
  release(held: HeldRequest): ReleasedAnswer | undefined {
    const released = releaseOf(held, this.#options.secret);
    if (released === undefined || held.takenAt !== undefined) return released;
    held.takenAt = this.#options.now();
    const about = { request: held.id, session: held.card.asked.session };
    this.news.add("taken", `The agent took the answer: ${released.answer.word}.`, about);
    return released;
  }

  askerView(held: HeldRequest): AskerView {
    const released = this.release(held);
    if (released === undefined) return { waits: true, request: held.id, leftMs: this.leftMs(held) };
    const { state, reason } = released.ending;
    const unanswered = state === "defaulted" || state === "orphaned";
    return { waits: false, request: held.id, state, answer: released.answer, unanswered, reason: reason ?? null };
  }

  async view(held: HeldRequest): Promise<RequestView> {
    const row = await this.#carrying.table.rowOf(held);
    if (row === undefined) throw createRequestProblem("NOT_FOUND", "The request is not stored yet.");
    const remembered = this.control.rememberedFrom(held.id);
    const kept = remembered === undefined ? undefined : toRememberedView(remembered);
    const now = this.#carrying.timeOf(held.card.terms);
    return toRequestView(held, row, { now, inspection: this.#inspectionOf(held.card), remembered: kept });
  }

  /** The effects of a changed input, derived from what is shown. It decides nothing. */
  async inspect(id: string, edit: AnswerEdit): Promise<Inspection> {
    const { asked } = (await this.#carrying.table.get(id)).card;
    if (asked.input === undefined) throw createRequestProblem("ANSWER_INVALID", "There is no input that could be changed.");
    return inspectAsked({ ...asked, input: applyEdit(asked.input, edit, asked.masked ?? []) }, this.#options.places);
  }

  /** Cached, because cards never change. */
  #inspectionOf(card: RequestCardData): Inspection {
    const known = this.#inspections.get(card);
    if (known !== undefined) return known;
    const inspection = inspectAsked(card.asked, this.#options.places);
    this.#inspections.set(card, inspection);
    return inspection;
  }

  /** Remaining time; null without a deadline. */
  leftMs(held: HeldRequest): number | null {
    return msUntilDeadline(held.machine, this.#carrying.timeOf(held.card.terms));
  }

  async list(query: RequestQuery): Promise<readonly RequestView[]> {
    const rows: readonly StoredRequest[] = await this.#options.ledger.requests(query);
    const views: RequestView[] = [];
    for (const row of rows) {
      const held = await this.#carrying.table.ofRow(row);
      await this.#hearing.recall(held, LISTED_AFTERMATH_PAGES);
      views.push(await this.view(held));
    }
    return views;
  }

  /**
   * Called with every request that ends, once it is on disk, for askers that are notified rather than poll. `release` returns their
   * answer. Returns the function that stops it.
   */
  onEnded(hear: (held: HeldRequest) => void): () => void {
    return this.#carrying.onEnded(hear);
  }

  /** The asker is known to be gone; if it comes back, it asks or polls again. */
  async lost(id: string): Promise<void> {
    this.#carrying.input(await this.#carrying.table.get(id), { name: "lost" });
  }

  /** Messages between hubs on one database about askers and approvers. */
  exchanged(): Omit<ExchangedState, "position"> {
    return {
      polled: () => this.#carrying.polled(),
      onPolled: (requests) => this.#carrying.heardPolls(requests),
      actedAt: () => this.control.actedAt,
      onActed: (at) => this.control.heardPresent(at),
    };
  }

  /** Performs what is due. */
  tick(): void {
    this.#carrying.tick();
    this.control.announceHolding();
    void this.control.refresh().catch(this.#options.onFailure);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#carrying.close();
    await this.control.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #change(id: string, digest: string | undefined, input: Parameters<RequestCarrying["input"]>[1]): Promise<RequestView> {
    const held = await this.#carrying.table.get(id);
    if (digest !== undefined && digest !== held.digest) throw createRequestProblem("DIGEST_DIFFERS", "The request has another digest.");
    const { refused, verdict } = this.#carrying.input(held, input);
    if (refused !== undefined) throw problemOfRefusal(refused);
    const told = await verdict;
    if (told !== undefined && !told.ok) throw createRequestProblem("DECIDED_ALREADY", "It had ended before.");
    return this.view(held);
  }
}
