import type { JsonObject } from "@earshot/protocol/json";
import {
  asked,
  blocked,
  failed,
  type HookRun,
  type HostSettings,
  type HostVerdict,
  ran,
  type ShellCall,
  type SimulatedHost,
} from "./host.ts";
import { objectAt, readObject, textAt } from "./read-output.ts";

export const claudeHost: SimulatedHost = {
  agent: "claude",
  name: "Claude Code",
  hook: "PreToolUse",
  payload: (call) => claudePayload(call, "Bash"),
  judge: (run, settings) => judgeAsClaude(run, settings),
};

/** Agents that took over its hooks send this too, under names of their own for the shell. */
export function claudePayload({ session, id, command, cwd }: ShellCall, tool: string): JsonObject {
  return {
    session_id: session,
    transcript_path: `${cwd}/transcript.jsonl`,
    cwd,
    hook_event_name: "PreToolUse",
    permission_mode: "default",
    tool_name: tool,
    tool_input: { command },
    tool_use_id: id,
  };
}

/** Output that begins and ends as an object is read whatever the exit code; exit 2 refuses even against an allow. */
export function judgeAsClaude(run: HookRun, settings: HostSettings): HostVerdict {
  if (run.kind === "late") return failed("the hook took too long", settings);
  if (run.kind === "crashed") return failed("the hook crashed", settings);
  const said = run.stdout.trim();
  const answer = said.startsWith("{") && said.endsWith("}") ? readObject(said) : undefined;
  if (run.code === 2) return blocked("exit 2 refuses", run.stderr.trim());
  if (answer === undefined) return run.code === 0 ? ran("no answer was given") : failed(`the hook ended with ${run.code}`, settings);
  return judgeAnswer(answer);
}

export function judgeAnswer(answer: JsonObject): HostVerdict {
  const specific = objectAt(answer, "hookSpecificOutput");
  const decision = textAt(specific, "permissionDecision") ?? { approve: "allow", block: "deny" }[textAt(answer, "decision") ?? ""];
  const reason = textAt(specific, "permissionDecisionReason") ?? textAt(answer, "reason");
  const stops = answer["continue"] === false ? { stops: true as const } : {};
  if (decision === "deny") return blocked("the hook refuses", reason, stops);
  if (decision === "ask" || decision === "defer") return asked("the hook wants the person to be asked", reason);
  const input = objectAt(specific, "updatedInput");
  const context = textAt(specific, "additionalContext");
  const more = { ...(input === undefined ? {} : { input }), ...(context === undefined ? {} : { context }), ...stops };
  if (decision === "allow") return ran("the hook allows it", { granted: true, ...more });
  // Seen with 2.1.325: an end without a refusal comes after the tool.
  return ran(stops.stops === true ? "the run is ended, after the tool" : "the hook has no opinion", more);
}
