import { claudePayload, judgeAnswer } from "./claude-host.ts";
import { blocked, failed, ran, type SimulatedHost } from "./host.ts";
import { readObject, textAt } from "./read-output.ts";

/** As 0.24.4 was seen to do it: an object decides whatever the exit code, also one on stderr where stdout is empty. */
export const qwenHost: SimulatedHost = {
  agent: "qwen",
  name: "Qwen Code",
  hook: "PreToolUse",
  payload: (call) => ({ ...claudePayload(call, "run_shell_command"), timestamp: "2026-11-15T12:00:00.000Z" }),
  judge(run) {
    const settings = { failsClosed: false };
    if (run.kind !== "ended") return failed(run.kind === "late" ? "the hook took too long" : "the hook crashed", settings);
    const said = run.stdout.trim() === "" ? run.stderr.trim() : run.stdout.trim();
    const answer = readObject(said);
    if (answer !== undefined) {
      if (["deny", "block"].includes(textAt(answer, "decision") ?? "")) return blocked("the hook refuses", textAt(answer, "reason"));
      const verdict = judgeAnswer(answer);
      if (verdict.effect !== "ran") return verdict;
      if (verdict.stops === true) return blocked("the run is ended", textAt(answer, "stopReason"), { stops: true });
      return ran("it was asked about before, or need not be: what the hook allows or changes is not looked at");
    }
    if (run.code === 2 && run.stderr.trim() !== "") return blocked("exit 2 refuses", run.stderr.trim());
    return run.code === 0 ? ran("no answer was given") : failed(`the hook ended with ${run.code}`, settings);
  },
};
