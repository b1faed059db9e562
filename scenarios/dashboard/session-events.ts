import type { HubProcess } from "../hub/hub-process.ts";

/** Events of three kinds of agents one second apart, independent of the test's clock. */
const BEGIN = Date.UTC(2026, 10, 15, 14, 0);
const at = (second: number) => new Date(BEGIN + second * 1000).toISOString();

/** Sends events in this order and returns the key of their session when the views include everything. */
export async function tell(hub: HubProcess, events: readonly object[], id: string): Promise<number> {
  await post(hub, events);
  return keyOf(hub, id);
}

async function post(hub: HubProcess, events: readonly object[]): Promise<void> {
  const response = await hub.post("/v1/events", events.map((event) => JSON.stringify(event)).join("\n"), "application/x-ndjson");
  const text = await response.text();
  if (!response.ok || !text.includes('"refused":0')) throw new Error(`The hub did not take them: ${text.slice(0, 2000)}`);
}

/** Waits for the views without a time limit. */
export async function keyOf(hub: HubProcess, id: string): Promise<number> {
  const { head } = (await (await hub.get("/api/status")).json()) as { head: number };
  for (let attempt = 0; attempt < 20; attempt++) {
    const answer = (await (await hub.get(`/api/sessions?id=${encodeURIComponent(id)}&wait=${head}`)).json()) as {
      items?: readonly { readonly key: number }[];
    };
    if (answer.items?.[0] !== undefined) return answer.items[0].key;
  }
  throw new Error(`There is no session ${id}.`);
}

let count = 0;

export function aep(session: string, type: string, second: number, more: object = {}): object {
  return {
    aep_version: "0.1",
    id: `evt_${session}_${++count}`,
    type,
    time: at(second),
    agent: { slug: "claude", display_name: "Claude Code" },
    session: { id: session },
    workspace: { cwd: "/home/ana/shop" },
    ...more,
  };
}

export const part = (type: string, text: string, style?: string) => ({
  content: [{ type, text, ...(style === undefined ? {} : { style }) }],
});

export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: object;
  readonly seconds: readonly [from: number, to: number];
  readonly output?: unknown;
  readonly error?: string;
}

/** A call from request to outcome. */
export function aepCall(session: string, { id, tool: name, input, seconds: [from, to], output, error }: Call): readonly object[] {
  const tool = { name, type: "native" };
  const action = { type: "tool_call", id, input };
  const status = error === undefined ? "success" : "failure";
  const end = {
    ...action,
    status,
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error: { message: error } }),
  };
  return [
    aep(session, "action.requested", from, { action, tool }),
    aep(session, error === undefined ? "action.completed" : "action.failed", to, {
      action: end,
      tool,
      metrics: { duration_ms: (to - from) * 1000, cost_usd: 0.01, input_tokens: 100, output_tokens: 20 },
    }),
  ];
}

export function aop(session: string, sequence: number, type: string, payload: object, more: object = {}): object {
  return { spec: "aop/1.0", session_id: session, agent_id: "paper-buyer", sequence, timestamp: at(sequence), type, payload, ...more };
}

export function aaep(session: string, number: number, type: string, more: object = {}): object {
  return {
    "@context": "https://aaep-protocol.org/context/v1",
    aaep_version: "1.0.0",
    type: `aaep:agent.${type}`,
    event_id: `evt_${session.replace("sess_", "")}${number}`,
    session_id: session,
    sequence_number: number,
    timestamp: at(number),
    producer: { agent_id: "invoice-desk", agent_name: "Invoice desk", agent_version: "2.0.1" },
    urgency: "normal",
    ...more,
  };
}

/** A long session in as few requests as the hub accepts. */
export async function tellLong(hub: HubProcess, session: string, events: number): Promise<number> {
  for (let from = 1; from <= events; from += BATCH) {
    const length = Math.min(BATCH, events + 1 - from);
    await post(
      hub,
      Array.from({ length }, (_, index) => longEvent(session, from + index, events)),
    );
  }
  return keyOf(hub, session);
}

const BATCH = 5000;

function longEvent(session: string, sequence: number, events: number): object {
  if (sequence === 1) return aop(session, sequence, "session.started", { goal: "Think long" });
  if (sequence === events) return aop(session, sequence, "session.ended", { outcome: "completed" });
  return aop(session, sequence, "cognition.thought", { content: `Thought ${sequence}` });
}
