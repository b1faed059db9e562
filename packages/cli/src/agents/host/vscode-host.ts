import { judgeAnswer } from "./claude-host.ts";
import { blocked, failed, ran, type SimulatedHost } from "./host.ts";
import { readObject } from "./read-output.ts";

/** It reads the files of Copilot CLI, under names that begin with a capital. Exit 2 blocks, any other is a warning. */
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
    if (run.kind !== "ended") return failed(run.kind === "late" ? "the hook took too long" : "the hook crashed", { failsClosed: false });
    if (run.code === 2) return blocked("exit 2 refuses", run.stderr.trim());
    if (run.code !== 0) return failed(`the hook ended with ${run.code}`, { failsClosed: false });
    const answer = readObject(run.stdout);
    return answer === undefined ? ran("no answer was given") : judgeAnswer(answer);
  },
};
