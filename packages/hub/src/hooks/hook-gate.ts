import { createEventId } from "@earshot/agents/files";
import { type AepResponse, EarshotError, type JsonObject, type JsonValue } from "@earshot/protocol";
import { receive } from "../intake/receive.ts";
import { hookOrigin, readSubmission } from "../intake/submission.ts";
import type { Submission } from "../ledger/ledger.ts";
import { isDangerous, type PersonRules, type RuleResult } from "../policy/rules.ts";
import { UNREADABLE, UNREADABLE_RULE, type UnreadableAnswer } from "../policy/unreadable.ts";
import { isConsent, type RequestAnswer } from "../requests/answer.ts";
import type { HookAnswer } from "../requests/api.ts";
import type { RequestEngine } from "../requests/engine.ts";
import type { HeldRequest } from "../requests/held-request.ts";
import { isMachineOpen } from "../requests/machine.ts";
import { canonicalJson, type RequestQuestion } from "../requests/question.ts";
import type { OpenRequestOptions } from "../requests/request-opening.ts";
import { needsAsking } from "../requests/request-view.ts";
import { actionIdOfEvent, rawInput, toAskedCard } from "./aep-question.ts";
import { type HookEvent, readHookEvent } from "./hook-event.ts";
import {
  type AdaptResponse,
  type HookQuestionInput,
  holdForRuling,
  type JudgedHook,
  reasonNotHeld,
  toHookQuestion,
  wantsPerson,
} from "./hook-question.ts";
import { behaviourOf, toHookResponse } from "./hook-response.ts";

interface HookDeskOptions {
  /** The answer for an unreadable action under the rules in force. Default: nothing. */
  readonly unreadable?: () => UnreadableAnswer;
  readonly onFailure: (error: unknown) => void;
}

/** Answered at once, without a request. */
interface Plain {
  readonly answer: RequestAnswer;
  readonly by: string;
  readonly reason?: string;
}

/** Waiting for the answer to an earlier question. */
interface Poll {
  readonly source: string;
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly finish?: AdaptResponse | undefined;
}

const PASSING: ReadonlySet<RuleResult["behaviour"]> = new Set(["allow", "continue", "abstain"]);

const asItIs: AdaptResponse = (response) => response;

const OPENING_MS = 2000;
const BY_POLICY = "auto-policy";
/** Gating hooks: evaluates the rules first, then asks a person. */
export class HookGate {
  readonly engine: RequestEngine;
  readonly unreadable: () => UnreadableAnswer;
  readonly #rules: PersonRules;
  readonly #onFailure: (error: unknown) => void;
  /** Responses recorded in advance, for the first hook that takes the answer. */
  readonly #responses = new WeakMap<HeldRequest, AepResponse>();

  constructor(engine: RequestEngine, rules: PersonRules, { unreadable = () => "nothing", onFailure }: HookDeskOptions) {
    this.engine = engine;
    this.unreadable = unreadable;
    this.#rules = rules;
    this.#onFailure = onFailure;
  }

  /** Answers an event, or returns a request to wait for. */
  async ask(hook: HookQuestionInput, waitMs: number, signal?: AbortSignal): Promise<HookAnswer> {
    const isNewGate = this.#isNewGate(hook);
    const asked = await this.#ask(hook);
    if (!("machine" in asked)) return this.#answerPlainly(hook, asked, isNewGate);
    const poll = { source: asked.card.asked.source, waitMs, signal, finish: hook.finish };
    // Answered synchronously: every promise delays the answer.
    return hasEndedHere(asked) && !needsAsking(asked) ? this.#report(asked, poll) : await this.#wait(asked, poll);
  }

  async poll(id: string, source: string, waitMs: number, signal?: AbortSignal, finish?: AdaptResponse): Promise<HookAnswer> {
    return this.#wait(await this.engine.poll(id, source, 0), { source, waitMs, signal, finish });
  }

  /**
   * Whether a request is about this very event: same session, agent, tool, call and input. True without such a request, because it then
   * answers nothing.
   */
  async isAbout(id: string, submission: Submission, raw: JsonObject): Promise<boolean> {
    const { engine } = this;
    if (!(await engine.knows(id))) return true;
    const { card, raw: known } = await engine.find(id);
    const { source, session, agent, title, input } = card.asked;
    const shown = toAskedCard(submission, "action", { judged: {} });
    const isSameInput =
      known === undefined
        ? canonicalJson(input ?? null) === canonicalJson(shown.input ?? null)
        : canonicalJson(known.input ?? null) === canonicalJson(rawInput(raw) ?? null);
    return (
      isSameInput &&
      source === shown.source &&
      session === shown.session &&
      agent === shown.agent &&
      title === shown.title &&
      card.terms.action === (actionIdOfEvent(raw) ?? null)
    );
  }

  async #wait(held: HeldRequest, poll: Poll): Promise<HookAnswer> {
    const { engine } = this;
    if (needsAsking(held)) return { waits: true, again: true, request: held.id, leftMs: engine.leftMs(held) };
    if (!hasEndedHere(held)) await engine.poll(held.id, poll.source, poll.waitMs, poll.signal);
    return this.#report(held, poll);
  }

  #report(held: HeldRequest, { source, finish = asItIs }: Poll): HookAnswer {
    const { engine } = this;
    const isFirst = held.takenAt === undefined;
    const released = engine.release(held);
    if (released === undefined) return { waits: true, again: false, request: held.id, leftMs: engine.leftMs(held) };
    const { ending, answer, updatedInput } = released;
    const told = this.#responses.get(held);
    this.#responses.delete(held);
    if (told?.control.behavior === behaviourOf(answer)) return { waits: false, request: held.id, response: told };
    const said = this.#respond(held.eventId, held.card.terms.action ?? undefined, {
      answer,
      by: nameOf(ending.by, ending.state),
      askedAt: held.openedAt,
      ...(ending.reason === undefined ? {} : { reason: ending.reason }),
      ...(updatedInput === undefined ? {} : { updatedInput }),
    });
    const response = finish(said);
    if (isFirst) this.#record(source, response);
    return { waits: false, request: held.id, response };
  }

  #isNewGate({ submission, raw }: HookQuestionInput): boolean {
    return submission.type === "action.requested" && actionIdOfEvent(raw) !== undefined && this.engine.gated(submission);
  }

  async #ask(hook: HookQuestionInput): Promise<HeldRequest | Plain> {
    const { engine } = this;
    const { submission, raw } = hook;
    const { source, session, type } = submission;
    const isStopped = engine.control.stopped(source.protocol, source.name, session);
    const { asksItself, attended, expectsInput = false } = hook;
    const read = readHookEvent(type, raw, { asksItself, attended, expectsInput });
    if (read === undefined)
      return this.#storeOnly(hook, { answer: { word: "abstain" }, by: "hub", reason: "Events of this type are not decided." });
    const ruling = this.#judge(hook, read);
    const judged: JudgedHook = { hook, ...read, ruling };
    const action = actionIdOfEvent(raw);
    if (hook.asksItself && action !== undefined) engine.shown(submission, action);
    if (isStopped !== undefined) {
      const message = `This session was stopped by ${isStopped.by}.`;
      return this.#settle(judged, `stopped by ${isStopped.by}`, { word: "stop", message });
    }
    // The same question gets the same request, whatever the presence or changed rules.
    const isKnown = hook.isNew !== true && (await engine.wasAsked(submission));
    if (engine.control.isPaused && !isKnown)
      return this.#storeOnly(hook, { answer: { word: "abstain" }, by: "hub", reason: "Earshot is paused." });
    const saysNothing = ruling.behaviour === "abstain" || ruling.rule === undefined;
    if (wantsPerson(hook, read, ruling) || (saysNothing && isKnown)) return this.#askPerson(judged, isKnown);
    if (saysNothing) {
      return this.#storeOnly(hook, { answer: { word: "abstain" }, by: "hub", reason: "No rule speaks about it." });
    }
    return await this.#settle(
      judged,
      ruling.rule.name,
      {
        word: ruling.behaviour,
        ...(ruling.message === undefined ? {} : { message: ruling.message }),
        ...(ruling.updatedInput === undefined ? {} : { rewrites: true }),
      },
      !isKnown,
    );
  }

  #foretell({ hook, ruling }: JudgedHook, answer: RequestAnswer): AepResponse {
    const { submission, raw, finish = asItIs } = hook;
    const { updatedInput } = ruling;
    const said = { answer, by: BY_POLICY, askedAt: submission.receivedAt, ...(updatedInput === undefined ? {} : { updatedInput }) };
    return finish(this.#respond(submission.reading.eventId ?? "", actionIdOfEvent(raw), said));
  }

  /** Rules first; an approver's temporary grant only replaces a question, never a denial. */
  #judge(hook: HookQuestionInput, read: HookEvent): RuleResult {
    const { engine } = this;
    const judged = this.#rules.judge(read.put);
    if (read.isUnreadable && (judged.rule === undefined || PASSING.has(judged.behaviour))) return this.#restrict(judged);
    const ruling = judged;
    if (!wantsPerson(hook, read, ruling)) return ruling;
    const { source, session } = hook.submission;
    const granted = engine.control.grantedTo(source.name, session);
    const allowed = granted.length === 0 ? ruling : this.#rules.judge(read.put, granted);
    return allowed.behaviour === "allow" ? allowed : ruling;
  }

  /** The unreadable part may be restricted by a rule even if no rule matched the readable part. */
  #restrict(ruling: RuleResult): RuleResult {
    const behaviour = this.unreadable();
    if (behaviour === "nothing") return ruling;
    const { updatedInput: _input, ...rest } = ruling;
    return {
      ...rest,
      behaviour,
      rule: { name: UNREADABLE_RULE },
      message: UNREADABLE,
      hold: "when-someone-listens",
      judged: { risk: "high" },
    };
  }

  /** A rule's answer, on disk first like every answer. */
  async #settle(judged: JudgedHook, rule: string, answer: RequestAnswer, isNew = false): Promise<HeldRequest | Plain> {
    const { hook, ruling } = judged;
    // The response is already known, so it is written with question and answer in one transaction.
    const told = isNew ? this.#foretell(judged, answer) : undefined;
    const copy = told === undefined ? undefined : this.#readCopy(hook.submission.source.name, told);
    let held: HeldRequest | undefined;
    try {
      const options = { ruled: { rule, answer }, isNew, copies: copy === undefined ? [] : [copy] };
      held = await this.#open(judged, toHookQuestion(judged, ruling.holdForMs), options);
    } catch (error) {
      // Without room for another request, a denial is still possible because it needs none.
      if (!EarshotError.is(error) || error.problem.code !== "TOO_MANY_OPEN" || isConsent(answer)) throw error;
      return this.#storeOnly(hook, { answer, by: `policy: ${rule}` });
    }
    // The event was stored before without a question: a denial is still possible, an allow cannot be recorded any more.
    if (held === undefined) return isConsent(answer) ? GIVEN_BEFORE : { answer, by: `policy: ${rule}` };
    held.updatedInput = ruling.updatedInput;
    if (told !== undefined && copy !== undefined && held.openedAt === hook.submission.receivedAt) this.#responses.set(held, told);
    const { engine } = this;
    // The same question was just asked and is being written with its answer.
    if (held.machine.phase === "opening") await engine.poll(held.id, hook.submission.source.name, OPENING_MS);
    if (held.machine.settlement === null) await engine.rule(held, rule, answer);
    return held;
  }

  async #askPerson(judged: JudgedHook, isKnown: boolean): Promise<HeldRequest | Plain> {
    const { engine } = this;
    const { hook, ruling } = judged;
    // Beside the agent's own dialog nothing is held up; where the agent waits, only while someone is present.
    const hold =
      ruling.rule === undefined ? (hook.besideDialog ? "always" : "when-someone-listens") : holdForRuling(hook, ruling.rule, ruling);
    const notHeld = isKnown ? undefined : reasonNotHeld(hold, isDangerous(ruling) || !hook.canAsk, engine.control);
    const isHeld = notHeld === undefined;
    const question = toHookQuestion(judged, isHeld ? ruling.holdForMs : 0);
    const { word } = question.terms.silence.answer;
    const kept = engine.keptFor(question);
    // Without a matching rule, the agent's own prompt is left to the agent.
    if (!isHeld && !kept && ruling.rule === undefined) {
      return this.#storeOnly(hook, { answer: { word }, by: "hub", reason: notHeld });
    }
    const held = await this.#open(judged, question);
    if (held === undefined) return { answer: { word: hook.canAsk ? "ask" : "deny" }, by: "hub", reason: "It was heard before." };
    if (held.machine.settlement !== null) return held;
    const taken = kept ? await engine.control.take(question.asked.source, question.asked.session, held.digest) : undefined;
    if (taken !== undefined) await engine.useKept(held, taken);
    // A pending question keeps waiting across a restart of the hub.
    else if (!isHeld && held.openedAt === hook.submission.receivedAt) await engine.default(held, notHeld);
    return held;
  }

  async #open({ hook, put }: JudgedHook, question: RequestQuestion, options?: OpenRequestOptions): Promise<HeldRequest | undefined> {
    const held = await this.engine.ask(question, hook.submission, options);
    if (held === undefined) return undefined;
    held.eventId = hook.submission.reading.eventId ?? "";
    held.put = put;
    held.isShownByAgent = hook.asksItself;
    return held;
  }

  async #storeOnly({ submission }: HookQuestionInput, plain: Plain): Promise<Plain> {
    const [verdict] = await receive([submission], submission.source, this.engine.intake);
    if (verdict === undefined) throw new Error("An event without a verdict.");
    if (!verdict.ok) throw new EarshotError(verdict.problem);
    return plain;
  }

  #answerPlainly({ submission, raw, finish = asItIs }: HookQuestionInput, { answer, by, reason }: Plain, isNewGate: boolean): HookAnswer {
    const said = { answer, by, askedAt: submission.receivedAt, ...(reason === undefined ? {} : { reason }) };
    const response = finish(this.#respond(submission.reading.eventId ?? "", actionIdOfEvent(raw), said));
    // An abstention is no answer; but that a session asks at all must be known after a restart.
    if (answer.word !== "abstain" || isNewGate) this.#record(submission.source.name, response);
    return { waits: false, request: null, response };
  }

  /**
   * Stores the response beside its event, so that request, response and outcome form one row. It is a copy for reading: the decision is
   * already on disk, and nobody waits for this.
   */
  #record(name: string, response: object): void {
    const copy = this.#readCopy(name, response);
    if (copy !== undefined) void receive([copy], copy.source, { ...this.engine.intake, meter: undefined }).catch(this.#onFailure);
  }

  #readCopy(name: string, response: object): Submission | undefined {
    const text = JSON.stringify(response);
    const options = { receivedAt: this.engine.intake.now(), redacts: () => true };
    const read = readSubmission(text, text.length, hookOrigin(name), options);
    if (read.ok) return read.submission;
    this.#onFailure(new EarshotError(read.problem));
    return undefined;
  }

  #respond(
    requestEventId: string,
    actionId: string | undefined,
    said: {
      readonly answer: RequestAnswer;
      readonly by: string;
      readonly askedAt: number;
      readonly reason?: string;
      readonly updatedInput?: JsonValue;
    },
  ): AepResponse {
    const now = this.engine.intake.now();
    return toHookResponse({ requestEventId, actionId, ...said, now, id: createEventId(now, "rsp_") });
  }
}

/** Nothing to wait for or to look up. */
function hasEndedHere({ machine, recalled }: HeldRequest): boolean {
  return !isMachineOpen(machine) && recalled === undefined;
}

const GIVEN_BEFORE: Plain = { answer: { word: "abstain" }, by: "hub", reason: "It was heard before, when no rule spoke about it." };

/** AEP's word for the decider, if it has one. */
function nameOf(by: string, state: string): string {
  if (state === "defaulted" || state === "orphaned") return "timeout";
  return by.startsWith("policy: ") ? BY_POLICY : by;
}
