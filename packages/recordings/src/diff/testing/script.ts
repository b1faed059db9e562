export interface ScriptedCall {
  readonly does: "call";
  readonly tool: string;
  readonly input: Readonly<Record<string, string>>;
  readonly result?: string;
  readonly failed?: boolean;
}

/** An action of an agent in a generated run, independent of the protocol. */
export type ScriptedAct =
  | ScriptedCall
  | { readonly does: "say"; readonly text: string }
  | { readonly does: "think"; readonly text: string };

/** Values that differ between runs without meaning. */
export interface RunVariation {
  readonly ids: string;
  readonly startMs: number;
  readonly folder?: string;
}

export const DEFAULT_VARIATION: RunVariation = { ids: "a", startMs: Date.UTC(2026, 10, 15, 9), folder: "/home/ana/shop" };

export const scriptedCall = (
  tool: string,
  input: ScriptedCall["input"],
  others: Pick<ScriptedCall, "result" | "failed"> = {},
): ScriptedCall => ({
  does: "call",
  tool,
  input,
  ...others,
});
export const scriptedWords = (text: string): ScriptedAct => ({ does: "say", text });
export const scriptedThought = (text: string): ScriptedAct => ({ does: "think", text });

export const GOAL = "The cart total is wrong when a coupon is used. Find out why, and fix it.";

/** A run in AEP, as lines. Paths that begin with `./` are in the directory of the run. */
export function aepRun(acts: readonly ScriptedAct[], chance: RunVariation = DEFAULT_VARIATION, goal = GOAL): readonly string[] {
  const { ids, folder = "/home/ana/shop" } = chance;
  const next = counter(chance);
  const event = (type: string, more: object) => {
    const { number, time } = next();
    const session = { id: `sess-${ids}` };
    return JSON.stringify({
      aep_version: "0.1",
      id: `evt_${ids}_${number}`,
      type,
      time,
      agent: { slug: "claude" },
      session,
      workspace: { cwd: folder },
      ...more,
    });
  };
  const lines = [
    event("session.start", { lifecycle: { source: "startup" } }),
    event("prompt.submitted", { content: [{ type: "prompt", text: goal }] }),
  ];
  for (const [index, act] of acts.entries()) {
    if (act.does === "say") lines.push(event("model.response", { content: [{ type: "response", text: act.text }] }));
    else if (act.does === "think") lines.push(event("model.thought", { content: [{ type: "thought", text: act.text }] }));
    else {
      const input = Object.fromEntries(Object.entries(act.input).map(([name, text]) => [name, text.replace(/^\.\//, `${folder}/`)]));
      const action = { type: "tool_call", id: `toolu_${ids}_${index}`, input };
      const tool = { name: act.tool, type: "native" };
      lines.push(event("action.requested", { action, tool }));
      const status = act.failed === true ? "failure" : "success";
      lines.push(
        event(act.failed === true ? "action.failed" : "action.completed", {
          action: { ...action, output: act.result ?? "done", status },
          tool,
        }),
      );
    }
  }
  return [...lines, event("session.end", { lifecycle: { reason: "completed" } })];
}

/** The same run in AAEP: inputs are part of a summary, thoughts are omitted, and state changes surround every action. */
export function aaepRun(acts: readonly ScriptedAct[], chance: RunVariation = DEFAULT_VARIATION, goal = GOAL): readonly string[] {
  const { ids } = chance;
  const next = counter(chance);
  const event = (type: string, more: object) => {
    const { number, time } = next();
    return JSON.stringify({
      "@context": "https://aaep-protocol.org/context/v1",
      aaep_version: "1.0.0",
      type: `aaep:agent.${type}`,
      event_id: `evt_${ids}${number}`,
      session_id: `sess_${ids}`,
      timestamp: time,
      producer: { agent_id: "claude" },
      ...more,
    });
  };
  const become = (to_state: string) => event("state.changed", { from_state: "idle", to_state, summary_normal: `Now ${to_state}.` });
  const lines = [event("session.started", { request_text: goal, summary_normal: "Looking into it." }), become("thinking")];
  for (const [index, act] of acts.entries()) {
    if (act.does === "think") continue;
    if (act.does === "say")
      lines.push(event("output.streaming", { output_id: `out_${ids}${index}`, chunk: act.text, position: 0, complete: true }));
    else {
      const named = { tool: act.tool.toLowerCase(), tool_call_id: `call_${ids}${index}` };
      const args_summary = (act.input["command"] ?? act.input["file_path"] ?? "").replace(/^\.\//, "");
      lines.push(event("tool.invoked", { ...named, args_summary, summary_normal: `Calling ${act.tool}.` }));
      lines.push(
        event("tool.completed", { ...named, status: act.failed === true ? "failure" : "success", result_summary: act.result ?? "done" }),
      );
    }
  }
  return [...lines, event("session.completed", { summary_normal: "All done." })];
}

function counter({ startMs }: RunVariation) {
  let number = 0;
  return () => {
    number++;
    return { number, time: new Date(startMs + number * 1000).toISOString() };
  };
}
