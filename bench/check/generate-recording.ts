import { once } from "node:events";
import { createWriteStream } from "node:fs";

/**
 * Writes a recording of about `bytes` bytes: conforming sessions of all three protocols, many open at once, with realistic text lengths.
 * Deterministic.
 */
export async function generateRecording(
  path: string,
  bytes: number,
  seed: number,
): Promise<{ readonly events: number; readonly bytes: number }> {
  const out = createWriteStream(path);
  let written = 0;
  let events = 0;
  const sessions = Array.from({ length: 60 }, (_, index) => run(index));
  let next = 60;
  const random = createRandom(seed);
  while (written < bytes) {
    const slot = Math.floor(random() * sessions.length);
    const step = sessions[slot]?.next();
    if (step === undefined || step.done === true) {
      sessions[slot] = run(next++);
      continue;
    }
    const line = `${JSON.stringify(step.value)}\n`;
    written += Buffer.byteLength(line);
    events++;
    if (!out.write(line)) await once(out, "drain");
  }
  for (const session of sessions) {
    for (const value of session) {
      const line = `${JSON.stringify(value)}\n`;
      written += Buffer.byteLength(line);
      events++;
      out.write(line);
    }
  }
  out.end();
  await once(out, "finish");
  return { events, bytes: written };
}

export type Line = Readonly<Record<string, unknown>>;

function run(index: number): Generator<Line> {
  return index % 3 === 0 ? aaep(index) : index % 3 === 1 ? aep(index) : aop(index);
}

const WORDS =
  "the agent reads a file and finds that one of the queries scans a table without an index so it adds one and runs every test again".split(
    " ",
  );
export function words(count: number, from: number): string {
  let text = "";
  for (let index = 0; index < count; index++) text += `${index === 0 ? "" : " "}${WORDS[(from + index * 7) % WORDS.length]}`;
  return text;
}

export function stamp(index: number, step: number): string {
  return new Date(Date.UTC(2026, 6, 1) + index * 1000 + step * 137).toISOString();
}

export function* aaep(index: number): Generator<Line> {
  const id = index.toString(16).padStart(12, "0");
  let step = 0;
  const event = (type: string, fields: Line): Line => ({
    "@context": "https://aaep-protocol.org/context/v1",
    aaep_version: "1.0.0",
    type: `aaep:agent.${type}`,
    event_id: `evt_${id}${(step + 1).toString(16).padStart(8, "0")}`,
    session_id: `sess_${id}`,
    sequence_number: step,
    timestamp: stamp(index, step++),
    producer: { agent_id: "bench-agent", agent_version: "1.4.2" },
    urgency: "normal",
    localization_hints: { primary_language: "en-US" },
    ...fields,
  });
  const state = (from: string, to: string) =>
    event("state.changed", { urgency: "background", from_state: from, to_state: to, summary_normal: words(6, step) });
  yield event("session.started", {
    summary_normal: words(12, index),
    summary_terse: "Started.",
    requested_by: "user:ana",
    request_text: words(30, index),
  });
  yield state("idle", "thinking");
  for (let call = 0; call < 12; call++) {
    const tool_call_id = `call_${call}`;
    yield state(call === 0 ? "thinking" : "thinking", "calling_tool");
    yield event("tool.invoked", {
      tool: "read_file",
      tool_call_id,
      args_summary: words(10, call),
      summary_normal: words(9, call),
      risk_level: "low",
      irreversible: false,
    });
    yield event("progress.updated", {
      urgency: "background",
      progress: { percent: (call * 8) % 100, description: words(5, call) },
      eta_ms: 1000,
    });
    yield event("tool.completed", {
      tool: "read_file",
      tool_call_id,
      status: "success",
      duration_ms: 120,
      summary_normal: words(12, call),
    });
    yield state("calling_tool", "thinking");
  }
  yield state("thinking", "awaiting_input");
  yield event("awaiting.confirmation", {
    urgency: "critical",
    action: words(10, index),
    consequence: words(14, index),
    reply_token: `rpl_${id}`,
    timeout_seconds: 300,
    default_decision: "reject",
    risk_level: "high",
    irreversible: true,
    summary_normal: words(12, index),
    extra_context: { tool: "drop_table" },
  });
  yield {
    type: "confirmation.reply",
    reply_token: `rpl_${id}`,
    decision: "accept",
    subscription_id: "sub_1",
    timestamp: stamp(index, step),
    decided_by: "user:ana",
  };
  yield state("awaiting_input", "calling_tool");
  yield event("tool.invoked", {
    tool: "drop_table",
    tool_call_id: "call_99",
    irreversible: true,
    risk_level: "high",
    summary_normal: words(8, index),
  });
  yield event("tool.completed", { tool: "drop_table", tool_call_id: "call_99", status: "success", summary_normal: words(8, index) });
  yield state("calling_tool", "writing_output");
  let position = 0;
  for (let part = 0; part < 30; part++) {
    const chunk = `${words(12, part)} `;
    yield event("output.streaming", { chunk, position, complete: part === 29, coalesce_hint: "sentence", output_id: "out_1" });
    position += chunk.length;
  }
  yield event("session.completed", { summary_normal: words(12, index), duration_ms: 4000, tool_invocations_count: 13 });
}

export function* aep(index: number): Generator<Line> {
  const id = index.toString(16).padStart(12, "0");
  let step = 0;
  const event = (type: string, fields: Line): Line => ({
    aep_version: "0.1",
    id: `evt_${id}${step.toString(16).padStart(6, "0")}`,
    type,
    time: stamp(index, step++),
    hook: "PreToolUse",
    agent: { slug: "claude", display_name: "Claude Code", version: "2.1.0" },
    session: { id: `s-${id}`, conversation_id: `c-${id}`, turn_id: "t1", permission_mode: "default" },
    workspace: { cwd: "/home/ana/shop" },
    model: { id: "some-model", provider: "anthropic" },
    ...fields,
  });
  yield event("session.start", { lifecycle: { source: "startup" } });
  yield event("prompt.submitted", { content: [{ type: "prompt", text: words(40, index), style: "markdown" }] });
  for (let call = 0; call < 15; call++) {
    const action = { type: "tool_call", id: `toolu_${id}_${call}`, input: { command: words(8, call), description: words(6, call) } };
    const tool = { name: "Bash", type: "native" };
    yield event("model.thought", { content: [{ type: "thought", text: words(25, call) }], metrics: { duration_ms: 800 } });
    const requested = event("action.requested", { action, tool });
    yield requested;
    yield {
      aep_version: "0.1",
      id: `rsp_${id}_${call}`,
      request_event_id: requested["id"],
      action_id: action.id,
      time: stamp(index, step),
      control: { behavior: "allow" },
      decision: { outcome: "approved", by: "auto-policy", reason: words(5, call), response_time_ms: 4 },
    };
    yield event("action.completed", {
      action: { ...action, status: "success", output: { stdout: words(40, call), exit_code: 0 } },
      tool,
      metrics: { duration_ms: 230 },
    });
  }
  yield event("model.response", { content: [{ type: "response", text: words(60, index), style: "markdown" }] });
  yield event("session.end", { lifecycle: { reason: "exit" }, metrics: { duration_ms: 60000 } });
}

function* aop(index: number): Generator<Line> {
  const session_id = `sess_${index.toString(16).padStart(12, "0")}`;
  let sequence = 0;
  const event = (type: string, payload: Line): Line => ({
    spec: "aop/1.0",
    session_id,
    agent_id: "bench-agent",
    sequence: ++sequence,
    timestamp: stamp(index, sequence),
    type,
    payload,
  });
  yield event("session.started", { goal: words(14, index), agent_version: "1.0.0" });
  for (let call = 0; call < 15; call++) {
    yield event("cognition.thought", { content: words(40, call), confidence: "high" });
    yield event("cognition.decision", {
      decision: words(8, call),
      alternatives: [words(5, call), words(4, call)],
      reasoning: words(20, call),
    });
    yield event("operation.tool_start", { tool_name: "search", tool_call_id: `call-${call}`, input: { query: words(6, call), limit: 20 } });
    yield event("operation.tool_end", {
      tool_name: "search",
      tool_call_id: `call-${call}`,
      success: true,
      result_summary: words(30, call),
      duration_ms: 81,
      metadata: { token_spend_delta: 120 },
    });
    yield event("session.heartbeat", { status: "running" });
  }
  yield event("session.ended", { outcome: "completed", outcome_summary: words(20, index), metadata: { total_cost_usd: 0.12 } });
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}
