import { type JoinedEvent, type RenderedAnswer, withRendering } from "@earshot/agents";
import { type AgentFiles, createEventId } from "@earshot/agents/files";
import { type AepEvent, type AepResponse, EarshotError, isObject, type JsonObject, type Problem, readJson } from "@earshot/protocol";
import { receive } from "../intake/receive.ts";
import { hookOrigin, readInTurns } from "../intake/submission.ts";
import type { Submission } from "../ledger/ledger.ts";
import type { UnreadableAnswer } from "../policy/unreadable.ts";
import { BoundedMap } from "../recent.ts";
import type { HookAnswer } from "../requests/api.ts";
import type { RequestEngine } from "../requests/engine.ts";
import type { HeldRequest } from "../requests/held-request.ts";
import { CallMemory } from "./call-memory.ts";
import type { HookGate } from "./hook-gate.ts";
import { type HookResume, readHookResume, restoreCalls, writeHookResume } from "./hook-protocol.ts";
import { toHookResponse } from "./hook-response.ts";
import { fitEvent, MAX_SPOOLED_EVENT_BYTES } from "./hook-spool.ts";
import { AEP_SENDER, type AgentFolder, type MappedHook, mapHookPayload, renderUnreadablePayload } from "./map-hook-payload.ts";

/** A coding agent's hook call. */
export interface NativeHookCall {
  readonly registered: string;
  readonly hook?: string | undefined;
  readonly text: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The credential's name, which becomes the source. */
  readonly source: string;
  /** It only reports; nothing is held. */
  readonly observes: boolean;
  readonly headless: boolean;
  readonly longestMs: number | null;
  readonly resume?: HookResume | undefined;
  /** The launcher's own answer for an unreadable action. */
  readonly unreadable?: UnreadableAnswer | undefined;
}

export type NativeReply =
  | { readonly waits: true; readonly resume: string; readonly request: string }
  | { readonly waits: false; readonly rendering: RenderedAnswer; readonly request: string | null };

const SESSIONS_AT_HAND = 512;
const FOLDERS_AT_HAND = 64;

/** Hooks of coding agents: native payload in, native answer out. Everything between is the same for all agents. */
export class NativeHooks {
  readonly #agents: AgentFiles;
  readonly #hooks: HookGate;
  readonly #engine: RequestEngine;
  readonly #hasRules: () => boolean;
  readonly #memory = new CallMemory();
  readonly #folders = new BoundedMap<AgentFolder>(FOLDERS_AT_HAND);
  /** Hooks already reported as unreadable. */
  readonly #unread = new BoundedMap<true>(SESSIONS_AT_HAND);
  /** Sessions already reported as reusing call ids. */
  readonly #reusing = new BoundedMap<true>(SESSIONS_AT_HAND);
  /** Waiting hooks by token, while the request is in memory. */
  readonly #waiting = new WeakMap<HeldRequest, Map<string, Answering>>();

  /** `hasRules`: whether any rules were ever accepted here. */
  constructor(agents: AgentFiles, hooks: HookGate, hasRules: () => boolean = () => true) {
    this.#agents = agents;
    this.#hooks = hooks;
    this.#engine = hooks.engine;
    this.#hasRules = hasRules;
  }

  /** Answers, or returns a request to wait for. Throws a problem if there is no agent to answer. */
  async ask(ask: NativeHookCall, waitMs: number, signal?: AbortSignal): Promise<NativeReply> {
    const read = readJson(ask.text.replace(/^\uFEFF/, ""));
    const payload = read.ok && isObject(read.value) ? read.value : undefined;
    if (payload === undefined) {
      const problem = read.ok ? NO_OBJECT : read.problem;
      const unread = await this.#answerUnread(ask, problem);
      if (unread === undefined) throw new EarshotError(problem);
      return unread;
    }
    const at = ask.resume?.at ?? this.#engine.intake.now();
    const ids = [...(ask.resume?.ids ?? [])];
    const heard = await mapHookPayload(this.#agents, {
      registered: ask.registered,
      payload,
      hook: ask.hook,
      env: ask.env ?? {},
      headless: ask.headless,
      now: at,
      ids: () => ids.shift() ?? createEventId(at),
    });
    if (heard === undefined) throw new EarshotError({ code: "NOT_FOUND", message: "There is no agent of this name." });
    if (heard.isUnreadable || this.#hasLostRules(ask)) {
      const unread = await this.#answerUnread(ask, UNKNOWN_PAYLOAD, heard);
      if (unread !== undefined) return unread;
    }
    if (ask.resume !== undefined && !(await this.#isResumedBy(ask, ask.resume, heard))) {
      this.#engine.warn(OTHER_RESUMED, heard.events[0]?.event);
      return this.ask({ ...ask, resume: undefined }, waitMs, signal);
    }
    const joined = this.#join(ask, heard, at);
    this.#keepFolder(heard);
    this.#warnOfReusedIds(heard, joined);
    const { text: _text, ...terms } = ask;
    const answering = new Answering(this.#hooks, { ask: terms, payload, heard, joined, at, memory: this.#memory });
    const reply = await answering.run(waitMs, signal);
    if (reply.waits) await this.#keepWaiting(reply, answering);
    return reply;
  }

  /** The answer for a waiting hook; undefined if its payload is needed again, as after a restart. */
  async wait(token: string, source: string, waitMs: number, signal?: AbortSignal): Promise<NativeReply | undefined> {
    const engine = this.#engine;
    const resume = readHookResume(token);
    if (resume === undefined || !(await engine.knows(resume.request))) return undefined;
    return this.#waiting
      .get(await engine.find(resume.request))
      ?.get(token)
      ?.wait(resume, source, waitMs, signal);
  }

  async #keepWaiting({ request, resume }: Extract<NativeReply, { waits: true }>, answering: Answering): Promise<void> {
    const held = await this.#engine.find(request);
    const waiting = this.#waiting.get(held) ?? new Map<string, Answering>();
    this.#waiting.set(held, waiting.set(resume, answering));
  }

  /** The launcher has restricting rules, but the hub has none, for example because its ledger is new. */
  #hasLostRules({ unreadable = "nothing" }: NativeHookCall): boolean {
    return unreadable !== "nothing" && !this.#hasRules();
  }

  /** The answer of a gating hook when its payload or the rules cannot be read; undefined for a hook that holds nothing. */
  async #answerUnread(ask: NativeHookCall, problem: Problem, heard?: MappedHook): Promise<NativeReply | undefined> {
    const { ledger, now } = this.#engine.intake;
    const own = this.#hooks.unreadable();
    const answer = own === "nothing" && this.#hasLostRules(ask) ? ask.unreadable : own;
    if (ask.observes || answer === undefined) return undefined;
    const rendering = heard?.renderUnread(answer, problem.message) ?? (await renderUnreadablePayload(this.#agents, { ...ask, answer }));
    if (rendering === undefined) return undefined;
    const sizeBytes = Buffer.byteLength(ask.text);
    ledger.refuse([{ receivedAt: now(), source: ask.source, problem, text: "", sizeBytes }]);
    const about = `${ask.registered} ${ask.hook ?? ""}`;
    if (this.#unread.get(about) === undefined) this.#engine.warn(`${problem.message} Agent ${about}.`, heard?.events[0]?.event);
    this.#unread.set(about, true);
    return { waits: false, rendering, request: null };
  }

  /** The agents' recent working folders. */
  folders(): readonly AgentFolder[] {
    return [...this.#folders.values()];
  }

  #keepFolder({ slug, events }: MappedHook): void {
    const cwd = events[0]?.event.workspace?.cwd;
    if (typeof cwd === "string" && cwd !== "") this.#folders.set(`${slug}|${cwd}`, { agent: slug, cwd });
  }

  /** Whether a payload matches the token's request. If that request is gone, a new one is opened. */
  async #isResumedBy({ source }: NativeHookCall, resume: HookResume, heard: MappedHook): Promise<boolean> {
    const event = restoreCalls(heard.events, resume)[resume.index];
    if (event === undefined) return false;
    const text = JSON.stringify(event);
    const { submission } = await readEvent(text, source, this.#engine);
    return this.#hooks.isAbout(resume.request, submission, event as unknown as JsonObject);
  }

  #warnOfReusedIds(heard: MappedHook, joined: readonly JoinedEvent[]): void {
    const reusing = joined.find(({ reusesId }) => reusesId === true);
    const scope = scopeOf(heard);
    if (reusing === undefined || this.#reusing.get(scope) === true) return;
    this.#reusing.set(scope, true);
    this.#engine.warn(REUSED_ID, reusing.event);
  }

  /** The ids of calls: generated the first time, passed along when a hook asks again. */
  #join({ resume, registered }: NativeHookCall, heard: MappedHook, now: number): readonly JoinedEvent[] {
    if (registered === AEP_SENDER) return heard.events.map(({ event }) => ({ event, again: false }));
    if (resume !== undefined) return restoreCalls(heard.events, resume).map((event) => ({ event, again: false }));
    return this.#memory.join(scopeOf(heard), heard.events, { registered, now });
  }
}

interface Situation {
  readonly ask: Omit<NativeHookCall, "text">;
  readonly payload: JsonObject;
  readonly heard: MappedHook;
  readonly joined: readonly JoinedEvent[];
  readonly at: number;
  readonly memory: CallMemory;
}

/** One run of one hook. */
class Answering {
  readonly #hooks: HookGate;
  readonly #situation: Situation;
  #rendering: RenderedAnswer;

  constructor(hooks: HookGate, situation: Situation) {
    this.#hooks = hooks;
    this.#situation = situation;
    this.#rendering = situation.heard.neutral;
  }

  /** Handles events in order: asks about those that can be answered until there is an answer, and stores the others. */
  async run(waitMs: number, signal?: AbortSignal): Promise<NativeReply> {
    const { ask, heard, joined } = this.#situation;
    const { resume } = ask;
    const holds = !ask.observes && heard.moment !== undefined && heard.moment !== "observe";
    let reply: NativeReply | undefined;
    for (const [index, one] of joined.entries()) {
      if (resume !== undefined && index !== resume.index) continue; // all others were dealt with when it asked first
      if (holds && reply === undefined) reply = await this.#askAbout(one, index, waitMs, signal);
      else if (!one.again) await this.#store(one.event);
    }
    return reply ?? { waits: false, rendering: this.#rendering, request: null };
  }

  /** Waits for the answer to its request; undefined if the request needs the payload again. */
  async wait({ request, index }: HookResume, source: string, waitMs: number, signal?: AbortSignal): Promise<NativeReply | undefined> {
    const { ask, joined } = this.#situation;
    const event = joined[index]?.event;
    if (event === undefined || source !== ask.source) return undefined;
    const answer = await this.#poll(request, event, waitMs, signal);
    if (answer === undefined || (answer.waits && answer.again)) return undefined;
    return this.#conclude(answer, event, index) ?? { waits: false, rendering: this.#rendering, request: null };
  }

  /** Undefined without an answer. */
  async #askAbout({ event }: JoinedEvent, index: number, waitMs: number, signal?: AbortSignal): Promise<NativeReply | undefined> {
    const { ask, heard } = this.#situation;
    const text = event.type === "action.requested" ? this.#shared(event) : JSON.stringify(event);
    const asked = await readEvent(text, ask.source, this.#hooks.engine);
    const pending = ask.resume?.request;
    let answer = pending === undefined ? undefined : await this.#poll(pending, event, waitMs, signal);
    if (answer === undefined || (answer.waits && answer.again)) {
      const { submission, raw } = asked;
      const isPermission = heard.moment === "permission";
      answer = await this.#hooks.ask(
        {
          submission,
          raw,
          asksItself: isPermission,
          besideDialog: heard.besideDialog,
          canAsk: heard.canAsk,
          canGrant: heard.canGrant,
          expectsInput: ask.registered !== AEP_SENDER,
          attended: heard.attended,
          reportsDialog: heard.reportsDialog,
          longestMs: ask.longestMs,
          isNew: ask.registered !== AEP_SENDER && ask.resume === undefined && submission.reading.eventId === event.id,
          finish: (response) => this.#finish(response, event),
        },
        waitMs,
        signal,
      );
    }
    return this.#conclude(answer, event, index);
  }

  #conclude(answer: HookAnswer, event: AepEvent, index: number): NativeReply | undefined {
    const { heard, memory } = this.#situation;
    if (answer.waits) return { waits: true, request: answer.request, resume: this.#resume(answer.request, index) };
    const { behavior } = (answer.response as AepResponse).control;
    if (behavior === "abstain") return undefined;
    if (behavior === "deny" || behavior === "stop") memory.refused(scopeOf(heard), event);
    return { waits: false, rendering: this.#rendering, request: answer.request };
  }

  async #poll(request: string, event: AepEvent, waitMs: number, signal?: AbortSignal): Promise<HookAnswer | undefined> {
    const { source } = this.#situation.ask;
    try {
      return await this.#hooks.poll(request, source, waitMs, signal, (response) => this.#finish(response, event));
    } catch (error) {
      if (EarshotError.is(error) && error.problem.code === "NOT_FOUND") return undefined; // removed meanwhile: asked anew
      throw error;
    }
  }

  /** A second hook about the same call at the same moment asks with the first one's event. */
  #shared(event: AepEvent): string {
    const { heard, memory } = this.#situation;
    const key = `${scopeOf(heard)}|${event.type}|${heard.moment ?? ""}|${event.action?.id ?? event.id}`;
    return memory.sharedText(key, event);
  }

  #finish(response: AepResponse, event: AepEvent): AepResponse {
    const { heard, payload, memory } = this.#situation;
    if (response.control.behavior === "block" && !memory.mayBlock(scopeOf(heard), payload)) {
      return this.#finish({ ...response, control: { behavior: "abstain", message: SENT_BACK_OFTEN } }, event);
    }
    // A form is filled in by its own members; where the questions are in the input, the answers are already in it.
    const filled = isObject(payload["requested_schema"]) ? response.extensions?.["x-response"] : undefined;
    const said = filled === undefined ? response : { ...response, control: { ...response.control, updated_input: filled } };
    this.#rendering = heard.render(said, { input: event.action?.input as JsonObject | undefined });
    return withRendering(said, this.#rendering);
  }

  #resume(request: string, index: number): string {
    const { joined, at } = this.#situation;
    return writeHookResume({
      request,
      index,
      at,
      ids: joined.map(({ event }) => event.id),
      calls: joined.map(({ event }) => event.action?.id ?? ""),
    });
  }

  async #store(event: AepEvent): Promise<void> {
    const text = JSON.stringify(fitEvent(event));
    const { engine } = this.#hooks;
    await receive([{ text, line: 1, sizeBytes: Buffer.byteLength(text) }], hookOrigin(this.#situation.ask.source), engine.intake);
    if (event.type === "session.start" && engine.control.isPaused) this.#report(PAUSED, event);
  }

  /** A message for the person at the agent, if the agent can show one. */
  #report(message: string, event: AepEvent): void {
    const now = this.#hooks.engine.intake.now();
    const answer = { word: "abstain", message } as const;
    this.#rendering = this.#situation.heard.render(
      toHookResponse({ requestEventId: event.id, actionId: undefined, answer, by: "hub", askedAt: now, now, id: `rsp_${event.id}` }),
    );
  }
}

async function readEvent(
  text: string,
  name: string,
  { intake: { now, redacts } }: RequestEngine,
): Promise<{ readonly submission: Submission; readonly raw: JsonObject }> {
  // The rules see all of it; the stored copy of a large written file may be cut.
  const kept = text.length <= MAX_SPOOLED_EVENT_BYTES ? text : JSON.stringify(fitEvent(JSON.parse(text) as JsonObject));
  const read = await readInTurns(kept, Buffer.byteLength(kept), hookOrigin(name), { receivedAt: now(), redacts });
  if (!read.ok) throw new EarshotError(read.problem);
  const { submission } = read;
  // If nothing was cut or masked, it was read completely.
  const isWhole = kept === text && submission.redactions.length === 0;
  return { submission, raw: isWhole ? submission.reading.value : (JSON.parse(text) as JsonObject) };
}

const SENT_BACK_OFTEN = "It was sent back often enough in this turn.";
const NO_OBJECT: Problem = { code: "NOT_AN_OBJECT", message: "The payload of a hook is a JSON object." };
const UNKNOWN_PAYLOAD: Problem = { code: "EVENT_INVALID", message: "A hook before an action was given something that cannot be judged." };
const REUSED_ID = "One call id came with two inputs. Each input was asked about by itself.";
const OTHER_RESUMED = "A hook came back with the token of another question. It was asked about by itself.";
const PAUSED = "Earshot is paused: what this agent does is recorded, and nothing is held for a decision.";

function scopeOf({ slug, events }: MappedHook): string {
  return `${slug}|${events[0]?.event.session?.id ?? ""}`;
}
