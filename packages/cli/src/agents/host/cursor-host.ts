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

/** The hook before a shell command. */
export const cursorHost: SimulatedHost = {
  agent: "cursor",
  name: "Cursor",
  hook: "beforeShellExecution",
  payload: (call) => ({ ...cursorPayload(call, "beforeShellExecution"), command: call.command, sandbox: false }),
  judge: judgeAsCursor,
};

/** The hook before any tool: an ask is taken, and not acted upon. */
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
    return verdict.effect === "asked" ? ran("nobody is asked at this hook") : verdict;
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

/** Output that is no answer blocks; no output is a hook that failed. */
function judgeAsCursor(run: HookRun, settings: HostSettings): HostVerdict {
  if (run.kind !== "ended") return failed(run.kind === "late" ? "the hook took too long" : "the hook crashed", settings);
  if (run.code === 2) return blocked("exit 2 refuses", run.stderr.trim());
  if (run.code !== 0) return failed(`the hook ended with ${run.code}`, settings);
  if (run.stdout.trim() === "") return failed("the hook said nothing", settings);
  const answer = readObject(run.stdout);
  if (answer === undefined) return blocked("what the hook said is no answer");
  const messages = [answer["user_message"], answer["agent_message"]];
  if (messages.some((one) => one !== undefined && typeof one !== "string")) return blocked("a message of the hook is no text");
  const message = textAt(answer, "agent_message") ?? textAt(answer, "user_message");
  const permission = answer["permission"];
  if (permission === undefined) return ran("the hook has no opinion");
  if (permission === "allow") {
    const input = objectAt(answer, "updated_input");
    return ran("the hook allows it", { granted: true, ...(input === undefined ? {} : { input }) });
  }
  if (permission === "ask") return asked("the hook wants the person to be asked", message);
  return blocked(permission === "deny" ? "the hook refuses" : "the hook gives no permission that there is", message);
}
