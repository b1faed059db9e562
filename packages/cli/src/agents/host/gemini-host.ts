import { asked, blocked, failed, ran, type SimulatedHost } from "./host.ts";
import { objectAt, readObject, textAt } from "./read-output.ts";

/** An object decides whatever the exit code; with nothing on stdout, stderr is read instead. */
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
    if (run.kind !== "ended") return failed(run.kind === "late" ? "the hook took too long" : "the hook crashed", { failsClosed: false });
    const said = run.stdout.trim() === "" ? run.stderr.trim() : run.stdout.trim();
    const answer = readObject(said);
    if (answer === undefined) {
      if (said === "" || run.code === 0) return ran("no answer was given");
      return run.code === 1 ? ran("exit 1 is a warning") : blocked("text with another exit code than 0 and 1 refuses", said);
    }
    if (answer["continue"] === false) return blocked("the run is ended", textAt(answer, "stopReason"), { stops: true });
    const decision = textAt(answer, "decision");
    if (decision === "deny" || decision === "block") return blocked("the hook refuses", textAt(answer, "reason"));
    if (decision === "ask") return asked("the hook wants the person to be asked", textAt(answer, "systemMessage"));
    const input = objectAt(objectAt(answer, "hookSpecificOutput"), "tool_input");
    return ran("not refused: its own question still comes", input === undefined ? {} : { input });
  },
};
