import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import type { SessionNow } from "../feed.ts";
import type { Heard } from "../heard.ts";

const MOST_SESSIONS = 1000;
const MOST_ASKS = 50;
const TERMINAL = new Set(["aaep:agent.session.completed", "aaep:agent.session.errored", "aaep:agent.session.cancelled"]);
const ASKS = new Set(["aaep:agent.awaiting.confirmation", "aaep:agent.awaiting.clarification"]);

/** What the sessions of a stream are doing, for whoever joins midway. Bounded: the one silent for longest goes first. */
export class RunningSessions {
  readonly #sessions = new Map<string, SessionNow>();

  hear(heard: Heard): void {
    const known = this.#sessions.get(heard.session);
    if (TERMINAL.has(heard.type)) {
      this.#sessions.delete(heard.session);
      return;
    }
    if (known === undefined && heard.type !== "aaep:agent.session.started") return;
    this.#sessions.delete(heard.session);
    this.#sessions.set(heard.session, step(known, heard));
    if (this.#sessions.size > MOST_SESSIONS) {
      const [oldest] = this.#sessions.keys();
      if (oldest !== undefined) this.#sessions.delete(oldest);
    }
  }

  now(): readonly SessionNow[] {
    return [...this.#sessions.values()];
  }
}

function step(known: SessionNow | undefined, { event, session, type, position, agent, ...rest }: Heard): SessionNow {
  const heard: Heard = { event, session, type, position, agent, ...rest };
  const isState = type === "aaep:agent.state.changed";
  const state = isState ? textOf(event["to_state"]) : undefined;
  const summary = isState ? textOf(event["summary_normal"]) : known?.summary;
  const hints = event["localization_hints"];
  const language = (isObject(hints) ? textOf(hints["primary_language"]) : undefined) ?? known?.language;
  // A question that was answered or withdrawn shows by the state that follows it.
  const former = state !== undefined && state !== "awaiting_input" ? [] : (known?.asks ?? []);
  const asks = ASKS.has(type) ? [...former, heard].slice(-MOST_ASKS) : former;
  return {
    session,
    producer: producerOf(event) ?? known?.producer ?? { agent_id: agent },
    state: state ?? (ASKS.has(type) ? "awaiting_input" : known?.state) ?? "idle",
    position,
    ...(summary === undefined ? {} : { summary }),
    ...(language === undefined ? {} : { language }),
    ...(asks.length === 0 ? {} : { asks }),
  };
}

function producerOf(event: JsonObject): SessionNow["producer"] | undefined {
  const producer = event["producer"];
  if (!isObject(producer) || typeof producer["agent_id"] !== "string") return undefined;
  const { agent_version: version, agent_name: name } = producer;
  return {
    agent_id: producer["agent_id"],
    ...(typeof version === "string" ? { agent_version: version } : {}),
    ...(typeof name === "string" ? { agent_name: name } : {}),
  };
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
