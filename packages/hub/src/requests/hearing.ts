import { isObject } from "@earshot/protocol";
import { isTerminalType } from "@earshot/protocol/aaep-names";
import type { Ledger, Submission } from "../ledger/ledger.ts";
import type { Stored } from "../verdict.ts";
import type { Whom } from "../whom.ts";
import type { Card } from "./card.ts";
import type { Carrying } from "./carrying.ts";
import { type HeldRequest, scopeOf } from "./held-request.ts";
import { isOpen } from "./machine.ts";

export interface HearingPorts {
  readonly carrying: Carrying;
  readonly ledger: Ledger;
  readonly alarm: (message: string, whom: Whom) => void;
  readonly onFailure: (error: unknown) => void;
  /** Whether any rule restricts what agents do. */
  readonly restricts?: () => boolean;
  /** The session ended, and with it its temporary rules. */
  readonly onSessionEnd: (source: string, session: string) => void;
}

/** The session's lifecycle knows no request for what ran. */
const UNASKED = "aep/outcome-needs-request";
const MAX_EXAMINED_ENTRIES = 20;

/** Evaluates a session's events as evidence about its questions. None of it can be a yes. */
export class Hearing {
  readonly #ports: HearingPorts;
  readonly #gates = new GateWatch();

  constructor(ports: HearingPorts) {
    this.#ports = ports;
  }

  /** A hook of the session asks before acting. Returns whether that is new to this process. */
  gated({ source, session }: Submission): boolean {
    return this.#gates.asked(scopeOf(source.protocol, source.name, session));
  }

  /** The agent itself asks a person about an action, as it may have been told to. */
  shown({ source, session }: Submission, action: string): void {
    for (const held of this.#ports.carrying.table.aboutAction(scopeOf(source.protocol, source.name, session), action)) {
      held.isShownByAgent = true;
    }
  }

  /** Applies a session's event to its open requests, except the one that it opened itself. */
  hear(submission: Submission, { flags }: Pick<Stored, "flags">): void {
    const signal = heardSignal(submission);
    if (signal === undefined) return;
    const { source, session } = submission;
    const scope = scopeOf(source.protocol, source.name, session);
    const { carrying } = this.#ports;
    switch (signal.what) {
      case "ended":
        for (const held of carrying.table.inSession(scope)) {
          if (held.machine.phase === "opening") held.hasSessionEnded = true;
          else carrying.input(held, { name: "ended" });
        }
        this.#ports.onSessionEnd(source.name, session);
        return;
      case "went-on": {
        const inSession = carrying.table.inSession(scope);
        const asked = inSession.filter(({ card }) => card.asked.agent === signal.agent && card.asked.kind !== "handoff");
        const [only] = asked;
        if (only !== undefined && asked.length === 1) {
          carrying.input(only, { name: "elsewhere", reason: "The agent went on by itself." });
        }
        return;
      }
      case "outcome":
        if (signal.outcome !== "denied" && flags.some(({ rule, at }) => rule === UNASKED && at === undefined))
          void this.#ranUnasked(submission, scope, signal.action).catch(this.#ports.onFailure);
        for (const held of carrying.table.aboutAction(scope, signal.action))
          if (held.id !== submission.request?.id) this.#outcome(held, signal.outcome);
    }
  }

  async #ranUnasked(submission: Submission, scope: string, action: string): Promise<void> {
    if (this.#gates.isGated(scope) === undefined) this.#gates.recall(scope, await this.#wasGated(submission));
    const { session, agent, reading } = submission;
    // A coding agent that sends hooks asks before each action, unless the hook before actions was removed.
    const shouldAsk = submission.isHistory !== true && typeof reading.value["hook"] === "string" && this.#ports.restricts?.() === true;
    const isGated = this.#gates.isGated(scope) === true;
    if (!this.#gates.ran(scope, shouldAsk)) return;
    const message = isGated
      ? "Something ran in a session that asks before it acts, and nobody was asked about it."
      : "This session is not gated: its agent tells what it has run, and does not ask before. `earshot doctor` says why.";
    this.#ports.carrying.news.tell("alarm", message, { session });
    this.#ports.alarm(`${message} Session ${session}, action ${action}.`, { agent, workspace: reading.value["workspace"] });
  }

  /** Whether a hook of the session asked an earlier process, which leaves requests or a response. */
  async #wasGated({ source, session }: Submission): Promise<boolean> {
    const { ledger } = this.#ports;
    const requests = await ledger.requests({ session, limit: MAX_EXAMINED_ENTRIES });
    const isOwn = (one: { readonly protocol: string; readonly source: string }) => one.protocol === "aep" && one.source === source.name;
    if (requests.some((one) => isOwn(one) && (JSON.parse(one.card) as Card).terms.polls)) return true;
    const filter = { session, protocol: ["aep"], type: ["response"] } as const;
    const { entries } = await ledger.read({ after: 0, limit: MAX_EXAMINED_ENTRIES, filter });
    return entries.some((one) => isOwn(one) && one.verified && one.kind === "message");
  }

  #outcome(held: HeldRequest, outcome: Outcome): void {
    held.outcome = outcome;
    const { carrying } = this.#ports;
    const { title, session } = held.card.asked;
    carrying.news.tell("outcome", `${title}: ${outcome}.`, { request: held.id, session });
    const ran = outcome === "completed" || outcome === "failed";
    // An unanswered question was answered in the agent's dialog. An action refused here that ran is another matter.
    if (ran && held.card.terms.besideDialog && isOpen(held.machine)) {
      carrying.input(held, { name: "elsewhere", reason: "It was allowed at the agent's own dialog." });
    } else if (ran) {
      const unseen = held.card.terms.reportsDialog === true && !held.isShownByAgent && held.recalled === undefined;
      carrying.input(held, { name: "ran", unseen });
    } else carrying.input(held, { name: "elsewhere", reason: `It was ${outcome} at the agent's own dialog.` });
  }
}

/** The meaning of an event for the questions of its session. Evidence only: none of it can be a yes. */
type HeardSignal =
  | { readonly what: "ended" }
  /** The agent continued with its action by itself. */
  | { readonly what: "went-on"; readonly agent: string }
  | { readonly what: "outcome"; readonly action: string; readonly outcome: Outcome };

export type Outcome = "completed" | "failed" | "denied" | "answered";

const AEP_OUTCOMES: Readonly<Record<string, Outcome>> = {
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
export function outcomeOf(type: string): Outcome | undefined {
  return AEP_OUTCOMES[type];
}

/** Maximum remembered sessions; the oldest are dropped. */
const MAX_SESSIONS = 4000;

/** `asks`: a hook of the session asks before acting. `told`: and a bypass was reported. */
type Gate = "asks" | "told" | "none";

/**
 * Detects that a session bypasses its gate: it asks before acting, and then something ran unasked. The session's own lifecycle knows what
 * was asked, also after a restart.
 */
class GateWatch {
  readonly #gates = new Map<string, Gate>();

  /** A hook of the session asked about an action. Returns whether that is new to this process. */
  asked(scope: string): boolean {
    const known = this.#gates.get(scope);
    this.#keep(scope, known === "told" ? "told" : "asks");
    return known === undefined || known === "none";
  }

  /** Whether a session asks; undefined if this process does not know yet. */
  isGated(scope: string): boolean | undefined {
    const gate = this.#gates.get(scope);
    return gate === undefined ? undefined : gate !== "none";
  }

  /** Stores what the ledger knows of a session from before. */
  recall(scope: string, isGated: boolean): void {
    if (this.#gates.get(scope) === undefined) this.#keep(scope, isGated ? "asks" : "none");
  }

  /** Something ran unasked: returns whether to report it, once per session. `shouldAsk`: it should ask although it never did. */
  ran(scope: string, shouldAsk: boolean): boolean {
    const gate = this.#gates.get(scope);
    if (gate === "told" || (gate !== "asks" && !shouldAsk)) return false;
    this.#keep(scope, "told");
    return true;
  }

  #keep(scope: string, gate: Gate): void {
    this.#gates.delete(scope);
    this.#gates.set(scope, gate);
    for (const oldest of this.#gates.keys()) {
      if (this.#gates.size <= MAX_SESSIONS) return;
      this.#gates.delete(oldest);
    }
  }
}
