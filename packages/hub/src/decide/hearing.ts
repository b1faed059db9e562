import type { Ledger, Submission } from "../ledger/ledger.ts";
import type { Stored } from "../verdict.ts";
import type { Whom } from "../whom.ts";
import type { Card } from "./card.ts";
import type { Carrying } from "./carrying.ts";
import { GateWatch } from "./gate-watch.ts";
import { heardSignal, type Outcome } from "./heard-signal.ts";
import { type HeldRequest, scopeOf } from "./held-request.ts";
import { isOpen } from "./machine.ts";

export interface HearingPorts {
  readonly carrying: Carrying;
  readonly ledger: Ledger;
  readonly alarm: (message: string, whom: Whom) => void;
  readonly onFailure: (error: unknown) => void;
  /** A session is over: what was granted to it is, too. */
  readonly onSessionEnd: (source: string, session: string) => void;
}

/** The session's own lifecycle knows of no request for what ran. */
const UNASKED = "aep/outcome-needs-request";
const FEW = 20;

/** What is heard from a session, as far as it says something about what it asked. None of it can be a yes. */
export class Hearing {
  readonly #ports: HearingPorts;
  readonly #gates = new GateWatch();

  constructor(ports: HearingPorts) {
    this.#ports = ports;
  }

  /** A hook of the session asks before it acts. Says whether this process sees that for the first time. */
  gated({ source, session }: Submission): boolean {
    return this.#gates.asked(scopeOf(source.protocol, source.name, session));
  }

  /** What a session says about what it asked. */
  hear(submission: Submission, { flags }: Stored): void {
    const signal = heardSignal(submission);
    if (signal === undefined) return;
    const { source, session } = submission;
    const scope = scopeOf(source.protocol, source.name, session);
    const { carrying } = this.#ports;
    switch (signal.what) {
      case "ended":
        for (const held of carrying.table.inSession(scope)) carrying.input(held, { name: "ended" });
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
        for (const held of carrying.table.aboutAction(scope, signal.action)) this.#outcome(held, signal.outcome);
    }
  }

  async #ranUnasked(submission: Submission, scope: string, action: string): Promise<void> {
    if (this.#gates.isGated(scope) === undefined) this.#gates.recall(scope, await this.#wasGated(submission));
    if (!this.#gates.ran(scope)) return;
    const { session, agent, reading } = submission;
    const message = "Something ran in a session that asks before it acts, and nobody was asked about it.";
    this.#ports.carrying.news.tell("alarm", message, { session });
    this.#ports.alarm(`${message} Session ${session}, action ${action}.`, { agent, workspace: reading.value["workspace"] });
  }

  /** Whether a hook of the session asked an earlier process: then there are requests of it, or a response. */
  async #wasGated({ source, session }: Submission): Promise<boolean> {
    const { ledger } = this.#ports;
    const requests = await ledger.requests({ session, limit: FEW });
    const isOwn = (one: { readonly protocol: string; readonly source: string }) => one.protocol === "aep" && one.source === source.name;
    if (requests.some((one) => isOwn(one) && (JSON.parse(one.card) as Card).terms.polls)) return true;
    const filter = { session, protocol: ["aep"], type: ["response"] } as const;
    const { entries } = await ledger.read({ after: 0, limit: FEW, filter });
    return entries.some((one) => isOwn(one) && one.verified && one.kind === "message");
  }

  #outcome(held: HeldRequest, outcome: Outcome): void {
    held.outcome = outcome;
    const { carrying } = this.#ports;
    const { title, session } = held.card.asked;
    carrying.news.tell("outcome", `${title}: ${outcome}.`, { request: held.id, session });
    const ran = outcome === "completed" || outcome === "failed";
    // What nobody answered here was answered there. What was refused here, and ran, is another matter.
    if (ran && held.card.terms.besideDialog && isOpen(held.machine)) {
      carrying.input(held, { name: "elsewhere", reason: "It was allowed at the agent's own dialog." });
    } else if (ran) carrying.input(held, { name: "ran" });
    else carrying.input(held, { name: "elsewhere", reason: `It was ${outcome} at the agent's own dialog.` });
  }
}
