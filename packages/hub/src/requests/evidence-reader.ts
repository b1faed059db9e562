import { isObject, type JsonObject } from "@earshot/protocol";
import { isTerminalType } from "@earshot/protocol/aaep-names";
import type { LedgerEntry, Submission } from "../ledger/ledger.ts";
import { BoundedMap } from "../recent.ts";
import type { StoredVerdict } from "../verdict.ts";
import type { RequestCardData } from "./card.ts";
import type { ControlStore } from "./control-store.ts";
import { type HeldRequest, SESSION_ENDED, scopeOf } from "./held-request.ts";
import { isMachineOpen, stepMachine } from "./machine.ts";
import { describeAlarm } from "./news.ts";
import type { RequestCarrying, RequestEngineOptions } from "./request-carrying.ts";

/** The session's lifecycle knows no request for what ran. */
const UNASKED = "aep/outcome-needs-request";
const MAX_EXAMINED_ENTRIES = 20;
/** Maximum remembered sessions; the oldest are dropped. */
const MAX_SESSIONS = 4000;

/** `asks`: a hook of the session asks before acting. `reported`: something ran unasked, which was reported once. */
type Gate = "asks" | "reported" | "none";

/** Evaluates a session's events as evidence about its questions. None of it can be a yes. */
export class EvidenceReader {
  readonly #options: RequestEngineOptions;
  readonly #carrying: RequestCarrying;
  readonly #control: ControlStore;
  readonly #gates = new BoundedMap<Gate>(MAX_SESSIONS);

  constructor(options: RequestEngineOptions, carrying: RequestCarrying, control: ControlStore) {
    this.#options = options;
    this.#carrying = carrying;
    this.#control = control;
  }

  /** A hook of the session asks before acting. Returns whether that is new to this process. */
  gated({ source, session }: Submission): boolean {
    const scope = scopeOf(source.protocol, source.name, session);
    const known = this.#gates.get(scope);
    this.#gates.set(scope, known === "reported" ? "reported" : "asks");
    return known === undefined || known === "none";
  }

  /** The agent itself asks a person about an action, as it may have been told to. */
  shown({ source, session }: Submission, action: string): void {
    for (const held of this.#carrying.table.aboutAction(scopeOf(source.protocol, source.name, session), action)) {
      held.isShownByAgent = true;
    }
  }

  /** Applies a session's event to its open requests, except the one that it opened itself. */
  handle(submission: Submission, { flags }: Pick<StoredVerdict, "flags">): void {
    const signal = heardSignal(submission);
    if (signal === undefined) return;
    const { source, session } = submission;
    const scope = scopeOf(source.protocol, source.name, session);
    const carrying = this.#carrying;
    switch (signal.what) {
      case "ended":
        for (const held of carrying.table.inSession(scope)) {
          if (held.machine.phase === "opening") held.hasSessionEnded = true;
          else carrying.input(held, SESSION_ENDED);
        }
        void this.#control.endSession(source.name, session).catch(this.#options.onFailure);
        return;
      case "went-on": {
        const inSession = carrying.table.inSession(scope);
        const asked = inSession.filter(({ card }) => card.asked.agent === signal.agent && card.asked.kind !== "handoff");
        const [only] = asked;
        if (only !== undefined && asked.length === 1) {
          carrying.input(only, { name: "closed", reason: "The agent went on by itself." });
        }
        return;
      }
      case "outcome":
        if (signal.outcome !== "denied" && flags.some(({ rule, at }) => rule === UNASKED && at === undefined))
          void this.#ranUnasked(submission, scope, signal.action).catch(this.#options.onFailure);
        for (const held of carrying.table.aboutAction(scope, signal.action))
          if (held.id !== submission.request?.id) this.#outcome(held, signal.outcome);
    }
  }

  /**
   * Loads the aftermath of a request that this process did not carry from the start: the response beside the asking event, and the
   * agent's report of the outcome. Searches the session on demand, up to a number of pages. An alarm was raised then and is shown again.
   */
  async recall(held: HeldRequest, pages: number): Promise<void> {
    if (held.recalled === undefined || held.card.asked.protocol !== "aep") return;
    await this.#search(held, held.recalled, pages);
    if (held.outcome !== "completed" && held.outcome !== "failed") return;
    // Whether the agent prompted by itself is unknown for events an earlier process heard.
    const { effects } = stepMachine(held.machine, { name: "ran", unseen: false }, this.#carrying.timeOf(held.card.terms));
    for (const effect of effects) if (effect.kind === "alarm") held.alarm ??= describeAlarm(effect.what, held);
  }

  async #search(held: HeldRequest, recalled: { readonly pages: number; readonly position: number }, pages: number): Promise<void> {
    const { row, card } = held;
    if (row === undefined || recalled.pages >= pages || isComplete(held)) return;
    const session = { key: row.sessionKey, protocol: row.protocol, source: row.source, id: row.session };
    let { position } = recalled;
    for (let page = recalled.pages; page < pages && !isComplete(held); page++) {
      const after = { ordinal: position, position };
      const { entries, next } = await this.#options.ledger.readSession({ session, limit: PAGE, after });
      for (const entry of entries) learn(held, entry, card.terms.action);
      position = entries.at(-1)?.position ?? position;
      held.recalled = { pages: next === undefined ? pages : page + 1, position };
      if (next === undefined) return;
    }
  }

  async #ranUnasked(submission: Submission, scope: string, action: string): Promise<void> {
    const wasGated = this.#gates.get(scope) === undefined && (await this.#wasGated(submission));
    const gate = this.#gates.get(scope) ?? (wasGated ? "asks" : "none");
    const { session, agent, reading } = submission;
    // A coding agent that sends hooks asks before each action, unless the hook before actions was removed.
    const shouldAsk = submission.isHistory !== true && typeof reading.value["hook"] === "string" && this.#options.restricts?.() === true;
    const isReported = gate === "asks" || (gate === "none" && shouldAsk);
    this.#gates.set(scope, isReported ? "reported" : gate);
    if (!isReported) return;
    const message =
      gate === "asks"
        ? "Something ran in a session that asks before it acts, and nobody was asked about it."
        : "This session is not gated: its agent tells what it has run, and does not ask before. `earshot doctor` says why.";
    this.#carrying.news.add("alarm", message, { session });
    this.#options.alarm(`${message} Session ${session}, action ${action}.`, { agent, workspace: reading.value["workspace"] });
  }

  /** Whether a hook of the session asked an earlier process, which leaves requests or a response. */
  async #wasGated({ source, session }: Submission): Promise<boolean> {
    const { ledger } = this.#options;
    const requests = await ledger.requests({ session, limit: MAX_EXAMINED_ENTRIES });
    const isOwn = (one: { readonly protocol: string; readonly source: string }) => one.protocol === "aep" && one.source === source.name;
    if (requests.some((one) => isOwn(one) && (JSON.parse(one.card) as RequestCardData).terms.polls)) return true;
    const filter = { session, protocol: ["aep"], type: ["response"] } as const;
    const { entries } = await ledger.read({ after: 0, limit: MAX_EXAMINED_ENTRIES, filter });
    return entries.some((one) => isOwn(one) && one.verified && one.kind === "message");
  }

  #outcome(held: HeldRequest, outcome: ActionOutcome): void {
    held.outcome = outcome;
    const carrying = this.#carrying;
    const { title, session } = held.card.asked;
    carrying.news.add("outcome", `${title}: ${outcome}.`, { request: held.id, session });
    const ran = outcome === "completed" || outcome === "failed";
    // An unanswered question was answered in the agent's dialog. An action refused here that ran is another matter.
    if (ran && held.card.terms.besideDialog && isMachineOpen(held.machine)) {
      carrying.input(held, { name: "closed", reason: "It was allowed at the agent's own dialog." });
    } else if (ran) {
      const unseen = held.card.terms.reportsDialog === true && !held.isShownByAgent && held.recalled === undefined;
      carrying.input(held, { name: "ran", unseen });
    } else carrying.input(held, { name: "closed", reason: `It was ${outcome} at the agent's own dialog.` });
  }
}

/** The meaning of an event for the questions of its session. Evidence only: none of it can be a yes. */
type HeardSignal =
  | { readonly what: "ended" }
  /** The agent continued with its action by itself. */
  | { readonly what: "went-on"; readonly agent: string }
  | { readonly what: "outcome"; readonly action: string; readonly outcome: ActionOutcome };

export type ActionOutcome = "completed" | "failed" | "denied" | "answered";

const AEP_OUTCOMES: Readonly<Record<string, ActionOutcome>> = {
  "action.completed": "completed",
  "action.failed": "failed",
  "action.denied": "denied",
  "question.answered": "answered",
};

function heardSignal({ source, kind, type, agent, reading }: Submission): HeardSignal | undefined {
  if (kind !== "event") return undefined;
  const { value } = reading;
  switch (source.protocol) {
    case "aaep":
      if (isTerminalType(type)) return { what: "ended" };
      if (type !== "agent.state.changed" || value["from_state"] !== "awaiting_input") return undefined;
      // A change to the same state is a summary for subscribers that missed something.
      return value["to_state"] === "awaiting_input" ? undefined : { what: "went-on", agent };
    case "aep": {
      if (type === "session.end") return { what: "ended" };
      const outcome = outcomeOf(type);
      const action = isObject(value["action"]) ? value["action"]["id"] : undefined;
      if (typeof action !== "string") return undefined;
      return outcome === undefined ? undefined : { what: "outcome", action, outcome };
    }
    case "aop":
      return undefined;
  }
}

/** The outcome of an action in an AEP event. */
function outcomeOf(type: string): ActionOutcome | undefined {
  return AEP_OUTCOMES[type];
}

/** Entries of the session read at once. */
const PAGE = 200;
/** Maximum pages searched for one displayed request, and for each of many. */
export const MAX_AFTERMATH_PAGES = 10;
export const LISTED_AFTERMATH_PAGES = 1;

function isComplete({ takenAt, outcome }: HeldRequest): boolean {
  return takenAt !== undefined && outcome !== undefined;
}

function learn(held: HeldRequest, { position, kind, type, text, receivedAt }: LedgerEntry, action: string | null): void {
  if (position === held.row?.position) {
    const id = objectIn(text)["id"];
    if (held.eventId === "" && typeof id === "string") held.eventId = id;
  } else if (kind === "message") {
    if (type === "response" && objectIn(text)["request_event_id"] === held.eventId) held.takenAt ??= receivedAt;
  } else if (kind === "event" && action !== null) {
    const outcome = outcomeOf(type);
    if (outcome === undefined) return;
    const about = objectIn(text)["action"];
    if (isObject(about) && about["id"] === action) held.outcome ??= outcome;
  }
}

function objectIn(text: string): JsonObject {
  return JSON.parse(text) as JsonObject; // it was read before it was stored
}
