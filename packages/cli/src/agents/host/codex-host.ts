import { claudePayload } from "./claude-host.ts";
import { blocked, failed, ran, type SimulatedHost } from "./host.ts";
import { objectAt, readObject, textAt } from "./read-output.ts";

/** The members that it knows before a tool. One more, and the hook counts as failed. */
const KNOWN = new Set(["hookSpecificOutput", "decision", "reason", "systemMessage"]);
const KNOWN_SPECIFIC = new Set(["hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"]);

/** It has no switch: a hook that fails, and an answer that it does not understand, never hold a tool up. */
export const codexHost: SimulatedHost = {
  agent: "codex",
  name: "Codex CLI",
  hook: "PreToolUse",
  payload: (call) => ({ ...claudePayload(call, "Bash"), model: "gpt-5", turn_id: `turn-${call.id}` }),
  judge(run) {
    const settings = { failsClosed: false };
    if (run.kind !== "ended") return failed(run.kind === "late" ? "the hook took too long" : "the hook crashed", settings);
    // Seen with 0.166.0: exit 2 without a word is a hook that failed.
    if (run.code === 2 && run.stderr.trim() !== "") return blocked("exit 2 refuses", run.stderr.trim());
    if (run.code !== 0) return failed(`the hook ended with ${run.code}`, settings);
    if (run.stdout.trim() === "") return ran("no answer was given");
    const answer = readObject(run.stdout);
    const specific = objectAt(answer, "hookSpecificOutput");
    const isKnown =
      answer !== undefined &&
      Object.keys(answer).every((key) => KNOWN.has(key)) &&
      Object.keys(specific ?? {}).every((key) => KNOWN_SPECIFIC.has(key));
    if (!isKnown) return failed("the answer is not one that it knows", settings);
    const decision = textAt(specific, "permissionDecision");
    const input = objectAt(specific, "updatedInput");
    if (decision === "deny") return blocked("the hook refuses", textAt(specific, "permissionDecisionReason"));
    if (textAt(answer, "decision") === "block") return blocked("the hook refuses", textAt(answer, "reason"));
    if (decision === "allow" && input !== undefined) return ran("the hook changes the input", { input, granted: true });
    if (decision !== undefined || answer["decision"] !== undefined) return failed("the answer is not one that it knows here", settings);
    const context = textAt(specific, "additionalContext");
    return ran("the hook has no opinion", context === undefined ? {} : { context });
  },
};
