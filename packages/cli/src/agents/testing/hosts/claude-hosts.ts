import type { JsonObject } from "@earshot/protocol/json";
import type { HookProcessEnd } from "../../run-line.ts";
import {
  askedVerdict,
  blockedVerdict,
  failedVerdict,
  type HostSettings,
  type HostVerdict,
  objectAt,
  ranVerdict,
  readOnlyObject,
  type ShellCall,
  type SimulatedHost,
  textAt,
} from "./host.ts";

export const claudeHost: SimulatedHost = {
  agent: "claude",
  name: "Claude Code",
  hook: "PreToolUse",
  payload: (call) => claudePayload(call, "Bash"),
  judge: (run, settings) => judgeAsClaude(run, settings),
};

/** Agents with compatible hooks send this as well, with their own names for the shell. */
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

/** Output that begins and ends as an object is read regardless of the exit code; exit 2 denies even if the output says allow. */
export function judgeAsClaude(run: HookProcessEnd, settings: HostSettings): HostVerdict {
  if (run.kind === "late") return failedVerdict("the hook took too long", settings);
  if (run.kind === "crashed") return failedVerdict("the hook crashed", settings);
  const said = run.stdout.trim();
  const answer = said.startsWith("{") && said.endsWith("}") ? readOnlyObject(said) : undefined;
  if (run.code === 2) return blockedVerdict("exit 2 refuses", run.stderr.trim());
  if (answer === undefined)
    return run.code === 0 ? ranVerdict("no answer was given") : failedVerdict(`the hook ended with ${run.code}`, settings);
  return judgeAnswer(answer);
}

export function judgeAnswer(answer: JsonObject): HostVerdict {
  const specific = objectAt(answer, "hookSpecificOutput");
  const decision = textAt(specific, "permissionDecision") ?? { approve: "allow", block: "deny" }[textAt(answer, "decision") ?? ""];
  const reason = textAt(specific, "permissionDecisionReason") ?? textAt(answer, "reason");
  const stops = answer["continue"] === false ? { stops: true as const } : {};
  if (decision === "deny") return blockedVerdict("the hook refuses", reason, stops);
  if (decision === "ask" || decision === "defer") return askedVerdict("the hook wants the person to be asked", reason);
  const input = objectAt(specific, "updatedInput");
  const context = textAt(specific, "additionalContext");
  const more = { ...(input === undefined ? {} : { input }), ...(context === undefined ? {} : { context }), ...stops };
  if (decision === "allow") return ranVerdict("the hook allows it", { granted: true, ...more });
  // Observed with 2.1.325: a stop without a refusal takes effect after the tool.
  return ranVerdict(stops.stops === true ? "the run is ended, after the tool" : "the hook has no opinion", more);
}

/** The members it accepts before a tool. An unknown member makes the hook fail. */
const KNOWN = new Set(["hookSpecificOutput", "decision", "reason", "systemMessage"]);
const KNOWN_SPECIFIC = new Set(["hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"]);

/** It has no fail-closed setting: failed hooks and unknown answers never stop a tool. */
export const codexHost: SimulatedHost = {
  agent: "codex",
  name: "Codex CLI",
  hook: "PreToolUse",
  payload: (call) => ({ ...claudePayload(call, "Bash"), model: "gpt-5", turn_id: `turn-${call.id}` }),
  judge(run) {
    const settings = { failsClosed: false };
    if (run.kind !== "ended") return failedVerdict(run.kind === "late" ? "the hook took too long" : "the hook crashed", settings);
    // Observed with 0.166.0: exit 2 without output counts as a failed hook.
    if (run.code === 2 && run.stderr.trim() !== "") return blockedVerdict("exit 2 refuses", run.stderr.trim());
    if (run.code !== 0) return failedVerdict(`the hook ended with ${run.code}`, settings);
    if (run.stdout.trim() === "") return ranVerdict("no answer was given");
    const answer = readOnlyObject(run.stdout);
    const specific = objectAt(answer, "hookSpecificOutput");
    const isKnown =
      answer !== undefined &&
      Object.keys(answer).every((key) => KNOWN.has(key)) &&
      Object.keys(specific ?? {}).every((key) => KNOWN_SPECIFIC.has(key));
    if (!isKnown) return failedVerdict("the answer is not one that it knows", settings);
    const decision = textAt(specific, "permissionDecision");
    const input = objectAt(specific, "updatedInput");
    if (decision === "deny") return blockedVerdict("the hook refuses", textAt(specific, "permissionDecisionReason"));
    if (textAt(answer, "decision") === "block") return blockedVerdict("the hook refuses", textAt(answer, "reason"));
    if (decision === "allow" && input !== undefined) return ranVerdict("the hook changes the input", { input, granted: true });
    if (decision !== undefined || answer["decision"] !== undefined)
      return failedVerdict("the answer is not one that it knows here", settings);
    const context = textAt(specific, "additionalContext");
    return ranVerdict("the hook has no opinion", context === undefined ? {} : { context });
  },
};

/** Observed with 0.24.4: an object decides regardless of the exit code, even on stderr if stdout is empty. */
export const qwenHost: SimulatedHost = {
  agent: "qwen",
  name: "Qwen Code",
  hook: "PreToolUse",
  payload: (call) => ({ ...claudePayload(call, "run_shell_command"), timestamp: "2026-11-15T12:00:00.000Z" }),
  judge(run) {
    const settings = { failsClosed: false };
    if (run.kind !== "ended") return failedVerdict(run.kind === "late" ? "the hook took too long" : "the hook crashed", settings);
    const said = run.stdout.trim() === "" ? run.stderr.trim() : run.stdout.trim();
    const answer = readOnlyObject(said);
    if (answer !== undefined) {
      if (["deny", "block"].includes(textAt(answer, "decision") ?? "")) return blockedVerdict("the hook refuses", textAt(answer, "reason"));
      const verdict = judgeAnswer(answer);
      if (verdict.effect !== "ran") return verdict;
      if (verdict.stops === true) return blockedVerdict("the run is ended", textAt(answer, "stopReason"), { stops: true });
      return ranVerdict("it was asked about before, or need not be: what the hook allows or changes is not looked at");
    }
    if (run.code === 2 && run.stderr.trim() !== "") return blockedVerdict("exit 2 refuses", run.stderr.trim());
    return run.code === 0 ? ranVerdict("no answer was given") : failedVerdict(`the hook ended with ${run.code}`, settings);
  },
};

/** It reads Copilot CLI's files, with capitalized names. Exit 2 blocks; any other nonzero exit is a warning. */
export const vscodeHost: SimulatedHost = {
  agent: "github",
  name: "VS Code",
  hook: "preToolUse",
  payload: ({ session, id, command, cwd }) => ({
    timestamp: "2026-11-15T12:00:00.000Z",
    cwd,
    session_id: session,
    hook_event_name: "PreToolUse",
    transcript_path: `${cwd}/transcript.json`,
    tool_name: "run_in_terminal",
    tool_input: { command },
    tool_use_id: id,
  }),
  judge(run) {
    if (run.kind !== "ended")
      return failedVerdict(run.kind === "late" ? "the hook took too long" : "the hook crashed", { failsClosed: false });
    if (run.code === 2) return blockedVerdict("exit 2 refuses", run.stderr.trim());
    if (run.code !== 0) return failedVerdict(`the hook ended with ${run.code}`, { failsClosed: false });
    const answer = readOnlyObject(run.stdout);
    return answer === undefined ? ranVerdict("no answer was given") : judgeAnswer(answer);
  },
};
