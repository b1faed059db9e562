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

/** The hook before a shell command. */
export const cursorHost: SimulatedHost = {
  agent: "cursor",
  name: "Cursor",
  hook: "beforeShellExecution",
  payload: (call) => ({ ...cursorPayload(call, "beforeShellExecution"), command: call.command, sandbox: false }),
  judge: judgeAsCursor,
};

/** The hook before any tool: an ask is accepted but has no effect. */
export const cursorToolHost: SimulatedHost = {
  agent: "cursor",
  name: "Cursor, any tool",
  hook: "preToolUse",
  payload: (call) => ({
    ...cursorPayload(call, "preToolUse"),
    tool_name: "Shell",
    tool_input: { command: call.command },
    tool_use_id: call.id,
  }),
  judge(run, settings) {
    const verdict = judgeAsCursor(run, settings);
    return verdict.effect === "asked" ? ranVerdict("nobody is asked at this hook") : verdict;
  },
};

function cursorPayload({ session, id, cwd }: ShellCall, hook: string) {
  return {
    conversation_id: session,
    generation_id: `gen-${id}`,
    model: "auto",
    hook_event_name: hook,
    cursor_version: "2.0.0",
    workspace_roots: [cwd],
    user_email: null,
    transcript_path: null,
    cwd,
  };
}

/** Invalid output blocks; no output is a failed hook. */
function judgeAsCursor(run: HookProcessEnd, settings: HostSettings): HostVerdict {
  if (run.kind !== "ended") return failedVerdict(run.kind === "late" ? "the hook took too long" : "the hook crashed", settings);
  if (run.code === 2) return blockedVerdict("exit 2 refuses", run.stderr.trim());
  if (run.code !== 0) return failedVerdict(`the hook ended with ${run.code}`, settings);
  if (run.stdout.trim() === "") return failedVerdict("the hook said nothing", settings);
  const answer = readOnlyObject(run.stdout);
  if (answer === undefined) return blockedVerdict("what the hook said is no answer");
  const messages = [answer["user_message"], answer["agent_message"]];
  if (messages.some((one) => one !== undefined && typeof one !== "string")) return blockedVerdict("a message of the hook is no text");
  const message = textAt(answer, "agent_message") ?? textAt(answer, "user_message");
  const permission = answer["permission"];
  if (permission === undefined) return ranVerdict("the hook has no opinion");
  if (permission === "allow") {
    const input = objectAt(answer, "updated_input");
    return ranVerdict("the hook allows it", { granted: true, ...(input === undefined ? {} : { input }) });
  }
  if (permission === "ask") return askedVerdict("the hook wants the person to be asked", message);
  return blockedVerdict(permission === "deny" ? "the hook refuses" : "the hook gives no permission that there is", message);
}

/** A failed hook refuses the tool; a late one lets it run. */
export const copilotHost: SimulatedHost = {
  agent: "github",
  name: "GitHub Copilot CLI",
  hook: "preToolUse",
  payload: ({ session, command, cwd }) => ({
    sessionId: session,
    timestamp: 1_794_700_800_000,
    cwd,
    toolName: "bash",
    toolArgs: JSON.stringify({ command }),
  }),
  judge(run) {
    if (run.kind === "late") return ranVerdict("the hook took too long, and the agent goes on then");
    if (run.kind === "crashed") return blockedVerdict("a hook that fails refuses");
    if (run.code !== 0) return blockedVerdict(`the hook ended with ${run.code}, which refuses`, run.stderr.trim());
    const said = run.stdout
      .split("\n")
      .filter((line) => readOnlyObject(line)?.["type"] !== "progress")
      .join("\n");
    const answer = readOnlyObject(said);
    const decision = textAt(answer, "permissionDecision");
    const reason = textAt(answer, "permissionDecisionReason");
    if (decision === "deny") return blockedVerdict("the hook refuses", reason);
    if (decision === "ask") return askedVerdict("the hook wants the person to be asked", reason);
    const input = objectAt(answer, "modifiedArgs");
    const more = input === undefined ? {} : { input };
    return decision === "allow" ? ranVerdict("the hook allows it", { granted: true, ...more }) : ranVerdict("no answer was given", more);
  },
};

/** An object decides regardless of the exit code; if stdout is empty, stderr is read instead. */
export const geminiHost: SimulatedHost = {
  agent: "gemini",
  name: "Gemini CLI",
  hook: "BeforeTool",
  payload: (call) => ({
    session_id: call.session,
    transcript_path: `${call.cwd}/transcript.json`,
    cwd: call.cwd,
    hook_event_name: "BeforeTool",
    timestamp: "2026-11-15T12:00:00.000Z",
    tool_name: "run_shell_command",
    tool_input: { command: call.command },
  }),
  judge(run) {
    if (run.kind !== "ended")
      return failedVerdict(run.kind === "late" ? "the hook took too long" : "the hook crashed", { failsClosed: false });
    const said = run.stdout.trim() === "" ? run.stderr.trim() : run.stdout.trim();
    const answer = readOnlyObject(said);
    if (answer === undefined) {
      if (said === "" || run.code === 0) return ranVerdict("no answer was given");
      return run.code === 1 ? ranVerdict("exit 1 is a warning") : blockedVerdict("text with another exit code than 0 and 1 refuses", said);
    }
    if (answer["continue"] === false) return blockedVerdict("the run is ended", textAt(answer, "stopReason"), { stops: true });
    const decision = textAt(answer, "decision");
    if (decision === "deny" || decision === "block") return blockedVerdict("the hook refuses", textAt(answer, "reason"));
    if (decision === "ask") return askedVerdict("the hook wants the person to be asked", textAt(answer, "systemMessage"));
    const input = objectAt(objectAt(answer, "hookSpecificOutput"), "tool_input");
    return ranVerdict("not refused: its own question still comes", input === undefined ? {} : { input });
  },
};
