import { claude } from "./agents/claude.ts";
import { cline } from "./agents/cline.ts";
import { codex } from "./agents/codex.ts";
import { copilot } from "./agents/copilot.ts";
import { gemini } from "./agents/gemini.ts";
import { kilo } from "./agents/kilo.ts";
import { opencode } from "./agents/opencode.ts";
import { pi } from "./agents/pi.ts";
import { qwen } from "./agents/qwen.ts";
import type { RealAgent } from "./real-agent.ts";

/** Agents that the registry has as programs and that run without an account. */
export const REAL_AGENTS: readonly RealAgent[] = [codex, gemini, qwen, opencode, cline, claude, copilot, kilo, pi];
