import { asked, blocked, ran, type SimulatedHost } from "./host.ts";
import { objectAt, readObject, textAt } from "./read-output.ts";

/** A hook that fails refuses the tool, one that takes too long lets it run. */
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
    if (run.kind === "late") return ran("the hook took too long, and the agent goes on then");
    if (run.kind === "crashed") return blocked("a hook that fails refuses");
    if (run.code !== 0) return blocked(`the hook ended with ${run.code}, which refuses`, run.stderr.trim());
    const said = run.stdout
      .split("\n")
      .filter((line) => readObject(line)?.["type"] !== "progress")
      .join("\n");
    const answer = readObject(said);
    const decision = textAt(answer, "permissionDecision");
    const reason = textAt(answer, "permissionDecisionReason");
    if (decision === "deny") return blocked("the hook refuses", reason);
    if (decision === "ask") return asked("the hook wants the person to be asked", reason);
    const input = objectAt(answer, "modifiedArgs");
    const more = input === undefined ? {} : { input };
    return decision === "allow" ? ran("the hook allows it", { granted: true, ...more }) : ran("no answer was given", more);
  },
};
