import { aaep, aep, type Line, stamp } from "../check/generate-recording.ts";

/** Sessions that speak in turns. */
const AT_ONCE = 24;
const VOCABULARY = 20_000;
const LETTERS = "etaoinshrdlucmfwypvbgkjqxz";

/**
 * A history that is the same every time and grows at its end: sessions of all three protocols, most of them AOP, in trees, with
 * calls, costs and words of which few are frequent and most are rare, as in any language.
 */
export class History {
  readonly #random = createRandom(42);
  readonly #words = makeWords();
  readonly #open: Generator<Line>[] = [];
  #next = 0;
  #turn = 0;

  /** The next events, as NDJSON. */
  take(count: number): Buffer {
    const lines: string[] = [];
    while (lines.length < count) {
      const slot = this.#turn++ % AT_ONCE;
      const step = this.#open[slot]?.next();
      if (step === undefined || step.done === true) this.#open[slot] = this.#begin();
      else lines.push(JSON.stringify(step.value));
    }
    return Buffer.from(`${lines.join("\n")}\n`);
  }

  /** The word of a rank: 0 is the most frequent one. */
  word(rank: number): string {
    return this.#words[rank] ?? "";
  }

  #begin(): Generator<Line> {
    const index = this.#next++;
    if (index % 10 === 3) return aep(index);
    return index % 10 === 7 ? aaep(index) : this.#aop(index);
  }

  /** Every fourth is the root of a tree of four. */
  *#aop(index: number): Generator<Line> {
    let sequence = 0;
    const root = index - (index % 4);
    const parent_session_id = root === index || root % 10 === 3 || root % 10 === 7 ? null : sessionId(root);
    const event = (type: string, payload: Line): Line => ({
      spec: "aop/1.0",
      session_id: sessionId(index),
      parent_session_id,
      agent_id: `agent-${index % 5}`,
      agent_version: "1.4.2",
      sequence: ++sequence,
      timestamp: stamp(index, sequence),
      type,
      payload,
    });
    yield event("session.started", { goal: this.#text(14) });
    for (let call = 0; call < 15; call++) {
      const tool_call_id = `call-${call}`;
      const tool_name = `tool-${(index + call) % 12}`;
      yield event("cognition.thought", { content: this.#text(40), confidence: "high" });
      yield event("operation.tool_start", { tool_name, tool_call_id, input: { query: this.#text(8), path: `/src/${this.#text(1)}.ts` } });
      yield event("operation.tool_end", {
        tool_name,
        tool_call_id,
        success: true,
        result_summary: this.#text(30),
        duration_ms: 80 + (call % 40),
        metadata: { token_spend_delta: 120 + (call % 80) },
      });
    }
    yield event("session.ended", { outcome: "completed", outcome_summary: this.#text(20), metadata: { total_cost_usd: 0.12 } });
  }

  #text(count: number): string {
    return Array.from({ length: count }, () => this.word(Math.floor(VOCABULARY ** this.#random()) - 1)).join(" ");
  }
}

function sessionId(index: number): string {
  return `sess_${index.toString(16).padStart(12, "0")}`;
}

function makeWords(): readonly string[] {
  const random = createRandom(7);
  return Array.from({ length: VOCABULARY }, (_, rank) => {
    const letters = Array.from({ length: 3 + Math.floor(random() * 5) }, () => LETTERS[Math.floor(random() ** 2 * LETTERS.length)]);
    return `${letters.join("")}${rank.toString(36)}`;
  });
}

/** Numbers from 0 to 1, the same every time. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}
