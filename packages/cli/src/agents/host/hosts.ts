import { claudeHost } from "./claude-host.ts";
import { codexHost } from "./codex-host.ts";
import { copilotHost } from "./copilot-host.ts";
import { cursorHost, cursorToolHost } from "./cursor-host.ts";
import { geminiHost } from "./gemini-host.ts";
import type { SimulatedHost } from "./host.ts";
import { OTHER_HOSTS } from "./other-hosts.ts";
import { qwenHost } from "./qwen-host.ts";
import { vscodeHost } from "./vscode-host.ts";

/** Every agent that runs a command as its hook. Those with a plugin are in plugin-hosts.ts. */
export const SIMULATED_HOSTS: readonly SimulatedHost[] = [
  claudeHost,
  codexHost,
  cursorHost,
  cursorToolHost,
  geminiHost,
  copilotHost,
  vscodeHost,
  qwenHost,
  ...OTHER_HOSTS,
];
