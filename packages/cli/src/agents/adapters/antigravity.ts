import { type Adapter, type JsonFormat, LONGEST_S } from "../adapter.ts";

const format: JsonFormat = {
  kind: "json",
  at: ["earshot"],
  members: {},
  shape: "tools-grouped",
  handler: { command: "command", timeout: { member: "timeout", unit: "s" }, members: { type: "command" } },
};

export const antigravity: Adapter = {
  slug: "antigravity",
  name: "Antigravity",
  names: ["antigravity-cli"],
  programs: ["antigravity", "agy"],
  folders: ["~/.gemini/config", "~/.gemini/antigravity", "~/.gemini/antigravity-cli"],
  user: { folder: "~/.gemini/config", file: "hooks.json", format },
  project: { folder: ".agents", file: "hooks.json", format },
  hooks: ["PreToolUse", "PostToolUse", "PreInvocation", "Stop"],
  leftOut: {},
  tools: { harmless: [], matcher: "none" },
  deadline: { gateS: LONGEST_S, observeS: 10 },
  failing: "runs",
  afterwards: { restart: "Restart Antigravity if it runs." },
  limits: ["What Antigravity does with a hook that fails is not documented.", "Not tried with Antigravity itself."],
};
