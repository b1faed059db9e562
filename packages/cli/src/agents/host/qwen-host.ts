import { claudePayload, judgeAsClaude } from "./claude-host.ts";
import type { SimulatedHost } from "./host.ts";

export const qwenHost: SimulatedHost = {
  agent: "qwen",
  name: "Qwen Code",
  hook: "PreToolUse",
  payload: (call) => ({ ...claudePayload(call, "run_shell_command"), timestamp: "2026-11-15T12:00:00.000Z" }),
  judge: (run) => judgeAsClaude(run, { failsClosed: false }),
};
