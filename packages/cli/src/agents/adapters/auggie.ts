import { type Adapter, type JsonFormat, LONGEST_S } from "../adapter.ts";

const format: JsonFormat = {
  kind: "json",
  at: ["hooks"],
  members: {},
  shape: "groups",
  handler: { command: "script", timeout: { member: "timeout", unit: "ms" }, members: { type: "command" } },
};

export const auggie: Adapter = {
  slug: "auggie",
  name: "Augment",
  names: ["augment"],
  programs: ["auggie"],
  folders: ["~/.augment"],
  user: { folder: "~/.augment", file: "settings.json", format },
  hooks: ["SessionStart", "SessionEnd", "PreToolUse", "PostToolUse", "Stop"],
  leftOut: {},
  tools: { harmless: [], matcher: "none" },
  deadline: { gateS: LONGEST_S, observeS: 10 },
  failing: "runs",
  afterwards: { restart: "Restart Augment if it runs." },
  limits: ["Augment runs script files only: a small one per hook is written into Earshot's bin folder.", "Not tried with Augment itself."],
};
