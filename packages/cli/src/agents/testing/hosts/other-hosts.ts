import type { JsonObject } from "@earshot/protocol/json";
import type { HookProcessEnd } from "../../run-line.ts";
import { claudePayload, judgeAnswer, judgeAsClaude } from "./claude-hosts.ts";
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

/** Agents modeled less thoroughly: only what their documentation says about refusals. */
export const OTHER_HOSTS: readonly SimulatedHost[] = [
  host("windsurf", "Windsurf", "pre_run_command", {
    payload: ({ session, id, command, cwd }) => ({
      agent_action_name: "pre_run_command",
      trajectory_id: session,
      execution_id: `exec-${id}`,
      timestamp: "2026-11-15T12:00:00Z",
      tool_info: { command_line: command, cwd },
    }),
    read: () => ranVerdict("only exit 2 is an answer"),
  }),
  host("cline", "Cline", "PreToolUse", {
    payload: ({ session, id, command, cwd }) => ({
      clineVersion: "4.0.0",
      hookName: "tool_call",
      timestamp: "1794700800000",
      taskId: session,
      workspaceRoots: [cwd],
      tool_call: { id, name: "run_commands", input: { commands: [command] } },
    }),
    exitTwo: false,
    anyExit: true,
    read: (answer) =>
      answer["cancel"] === true
        ? blockedVerdict("the hook ends the run", answer["errorMessage"], { stops: true })
        : ranVerdict("it was not cancelled"),
  }),
  host("droid", "Factory Droid", "PreToolUse", { payload: (call) => claudePayload(call, "Execute"), judge: judgeAsClaude }),
  host("devin", "Devin CLI", "PreToolUse", {
    payload: ({ session, id, command }) => ({
      hook_event_name: "PreToolUse",
      session_id: session,
      prompt_id: `prompt-${id}`,
      tool_name: "exec",
      tool_input: { command },
    }),
    read: (answer) =>
      changing(byDecision("block", "reason", "approve")(answer), objectAt(objectAt(answer, "hookSpecificOutput"), "updatedInput")),
  }),
  host("antigravity", "Antigravity", "PreToolUse", {
    payload: ({ session, id, command, cwd }) => ({
      conversationId: session,
      workspacePaths: [cwd],
      toolCall: { name: "run_command", args: { CommandLine: command, Cwd: cwd } },
      stepIdx: Number(id.replaceAll(/\D/g, "")) || 1,
    }),
    exitTwo: false,
    read: (answer) =>
      textAt(answer, "decision") === "ask"
        ? askedVerdict("the hook wants the person to be asked", answer["reason"])
        : byDecision("deny", "reason", "allow")(answer),
  }),
  host("openhands", "OpenHands", "PreToolUse", {
    payload: ({ session, command, cwd }) => ({
      event_type: "PreToolUse",
      tool_name: "terminal",
      tool_input: { command },
      session_id: session,
      working_dir: cwd,
    }),
    read: (answer) =>
      answer["continue"] === false ? blockedVerdict("the hook refuses", answer["reason"]) : byDecision("deny", "reason")(answer),
  }),
  host("kiro", "Kiro", "PreToolUse", {
    payload: ({ session, command, cwd }) => ({
      hook_event_name: "preToolUse",
      cwd,
      session_id: session,
      tool_name: "execute_bash",
      tool_input: { command },
    }),
    read: () => ranVerdict("only exit 2 is an answer"),
  }),
  host("kimi", "Kimi Code", "PreToolUse", {
    payload: ({ session, id, command, cwd }) => ({
      hook_event_name: "PreToolUse",
      session_id: session,
      cwd,
      tool_name: "Shell",
      tool_input: { command },
      tool_call_id: id,
    }),
    read: (answer) => onlyDeny(judgeAnswer(answer)),
  }),
  host("auggie", "Augment", "PreToolUse", {
    payload: ({ session, command, cwd }) => ({
      hook_event_name: "PreToolUse",
      conversation_id: session,
      workspace_roots: [cwd],
      tool_name: "launch-process",
      tool_input: { command },
      is_mcp_tool: false,
    }),
    read: (answer) => onlyDeny(judgeAnswer(answer)),
  }),
  host("goose", "goose", "PreToolUse", {
    payload: ({ session, id, command, cwd }) => ({
      event: "PreToolUse",
      session_id: session,
      tool_name: "developer__shell",
      tool_input: { command },
      working_dir: cwd,
      tool_call_id: id,
    }),
    anyExit: true,
    read: byDecision("block", "reason"),
  }),
  host("crush", "Crush", "PreToolUse", {
    payload: ({ session, command, cwd }) => ({ event: "PreToolUse", session_id: session, cwd, tool_name: "bash", tool_input: { command } }),
    read: (answer) =>
      answer["halt"] === true
        ? blockedVerdict("the run is ended", answer["reason"], { stops: true })
        : changing(byDecision("deny", "reason", "allow")(answer), objectAt(answer, "updated_input")),
  }),
  host("hermes", "Hermes", "pre_tool_call", {
    payload: ({ session, id, command, cwd }) => ({
      hook_event_name: "pre_tool_call",
      tool_name: "terminal",
      tool_input: { command },
      session_id: session,
      cwd,
      extra: { tool_call_id: id, telemetry_schema_version: 1 },
    }),
    exitTwo: false,
    read: (answer) =>
      textAt(answer, "action") === "block" ? blockedVerdict("the hook refuses", answer["message"]) : byDecision("block", "reason")(answer),
  }),
];

interface Manner {
  readonly payload: (call: ShellCall) => JsonObject;
  /** The meaning of a JSON object on standard output. */
  readonly read?: (answer: JsonObject) => HostVerdict;
  readonly judge?: (run: HookProcessEnd, settings: HostSettings) => HostVerdict;
  /** Whether exit 2 refuses. */
  readonly exitTwo?: boolean;
  /** Whether output is read regardless of the exit code. */
  readonly anyExit?: boolean;
}

function host(
  agent: string,
  name: string,
  hook: string,
  { payload, read = () => ranVerdict("no answer was given"), judge, exitTwo = true, anyExit = false }: Manner,
): SimulatedHost {
  const plain = (run: HookProcessEnd, settings: HostSettings): HostVerdict => {
    if (run.kind !== "ended") return failedVerdict(run.kind === "late" ? "the hook took too long" : "the hook crashed", settings);
    const answer = readOnlyObject(run.stdout);
    if (answer !== undefined && (anyExit || run.code === 0)) return read(answer);
    if (run.code === 2 && exitTwo) return blockedVerdict("exit 2 refuses", run.stderr.trim());
    return run.code === 0 ? ranVerdict("no answer was given") : failedVerdict(`the hook ended with ${run.code}`, settings);
  };
  return { agent, name, hook, payload, judge: judge ?? plain };
}

/** `grant` is the answer that replaces the agent's own prompt, if any. */
function byDecision(refusal: string, reason: string, grant?: string): (answer: JsonObject) => HostVerdict {
  return (answer) => {
    const decision = textAt(answer, "decision");
    if (decision === refusal) return blockedVerdict("the hook refuses", answer[reason]);
    return decision !== undefined && decision === grant
      ? ranVerdict("the hook allows it", { granted: true })
      : ranVerdict("the hook does not refuse");
  };
}

/** Applies a changed input if the tool runs. */
function changing(verdict: HostVerdict, input: JsonObject | undefined): HostVerdict {
  return verdict.effect === "ran" && input !== undefined ? { ...verdict, input } : verdict;
}

function onlyDeny(verdict: HostVerdict): HostVerdict {
  return verdict.effect === "blocked" ? verdict : ranVerdict("only a refusal is an answer");
}
