import { aaep, aep, type Line, stamp, words } from "../check/generate-recording.ts";

/** The order of sessions by protocol: about 60 % of the events are AOP, the rest AEP and AAEP in equal parts. */
const MIX = [aop, aop, aep, aop, aop, aaep, aop, aep, aop, aop, aaep, aop, aep] as const;
/** Interleaved sessions per connection. */
const SESSIONS_AT_ONCE = 4;

export type Protocols = "all" | "aop";

/**
 * An endless supply of conforming sessions without two equal events in a run. Each connection gets its own sessions, so that a session's
 * events arrive in order.
 */
export class EventSource {
  #next = 0;

  /** Returns this many events as bodies of single requests, for one connection. */
  take(count: number, protocols: Protocols = "all"): readonly Buffer[] {
    const bodies: Buffer[] = [];
    const open = Array.from({ length: SESSIONS_AT_ONCE }, () => this.open(protocols));
    for (let turn = 0; bodies.length < count; turn++) {
      const slot = turn % open.length;
      const step = open[slot]?.next();
      if (step === undefined || step.done === true) open[slot] = this.open(protocols);
      else bodies.push(Buffer.from(JSON.stringify(step.value)));
    }
    return bodies;
  }

  /** One AOP session of exactly this many events. */
  session(count: number): { readonly id: string; readonly bodies: readonly Buffer[] } {
    const bodies: Buffer[] = [];
    const index = this.#next++;
    for (const line of aop(index, Number.POSITIVE_INFINITY)) {
      bodies.push(Buffer.from(JSON.stringify(line)));
      if (bodies.length === count) break;
    }
    return { id: aopSessionId(index), bodies };
  }

  open(protocols: Protocols): Generator<Line> {
    const index = this.#next++;
    const open = protocols === "aop" ? aop : (MIX[index % MIX.length] ?? aop);
    return open(index);
  }
}

/** Consecutive AOP sessions, one event at a time, with a member chosen by the caller. */
export class AopTalk {
  readonly #events: EventSource;
  #session: Generator<Line>;

  constructor(events: EventSource) {
    this.#events = events;
    this.#session = events.open("aop");
  }

  say(metadata: Line): Buffer {
    let step = this.#session.next();
    if (step.done === true) {
      this.#session = this.#events.open("aop");
      step = this.#session.next();
    }
    const line = step.value as Line & { readonly payload: Line };
    return Buffer.from(JSON.stringify({ ...line, payload: { ...line.payload, metadata } }));
  }
}

function aopSessionId(index: number): string {
  return `sess_${index.toString(16).padStart(12, "0")}`;
}

/** Around 480 bytes per event, so that the mean over all three protocols is near 500. */
function* aop(index: number, calls = 15): Generator<Line> {
  const session_id = aopSessionId(index);
  let sequence = 0;
  const event = (type: string, payload: Line): Line => ({
    spec: "aop/1.0",
    session_id,
    parent_session_id: null,
    agent_id: "bench-agent",
    agent_version: "1.4.2",
    sequence: ++sequence,
    timestamp: stamp(index, sequence),
    type,
    payload,
  });
  yield event("session.started", { goal: words(24, index), agent_version: "1.4.2", metadata: { llm: "some-model" } });
  for (let call = 0; call < calls; call++) {
    const tool_call_id = `call-${call}`;
    const input = { query: words(14, index + call), path: `/home/ana/shop/src/orders/${call}.ts`, limit: 20, order: "newest" };
    yield event("cognition.thought", { content: words(56, index + call), confidence: "high" });
    yield event("cognition.decision", {
      decision: words(18, index + call),
      alternatives: [words(9, call), words(8, call + 1)],
      reasoning: words(28, call),
    });
    yield event("operation.tool_start", { tool_name: "search", tool_call_id, input, metadata: { attempt: 1, why: words(9, call) } });
    yield event("operation.tool_end", {
      tool_name: "search",
      tool_call_id,
      success: true,
      result_summary: words(46, index + call),
      duration_ms: 81 + (call % 40),
      metadata: { token_spend_delta: 120 + (call % 80) },
    });
    yield event("session.heartbeat", { status: "running", metadata: { step: call, note: words(18, call) } });
  }
  yield event("session.ended", { outcome: "completed", outcome_summary: words(40, index), metadata: { total_cost_usd: 0.12 } });
}
