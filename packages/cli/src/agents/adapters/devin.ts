import { type Adapter, type JsonFormat, LONGEST_S } from "../adapter.ts";

const format: JsonFormat = {
  kind: "json",
  at: ["hooks"],
  members: {},
  shape: "groups",
  handler: { command: "command", timeout: { member: "timeout", unit: "s" }, members: { type: "command" } },
};

export const devin: Adapter = {
  slug: "devin",
  name: "Devin CLI",
  names: ["devin-cli", "devin-local"],
  programs: ["devin"],
  folders: ["~config/devin"],
  user: { folder: "~config/devin", file: "config.json", format },
  project: { folder: ".devin", file: "hooks.v1.json", format: { ...format, at: [] } },
  hooks: ["SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "Stop", "PostCompaction"],
  leftOut: {},
  tools: { harmless: [], matcher: "none" },
  deadline: { gateS: LONGEST_S, observeS: 10 },
  failing: "runs",
  afterwards: { restart: "Restart Devin CLI if it runs." },
  limits: ["Devin CLI reads Claude Code's files too. What it sends twice is counted once.", "Not tried with Devin CLI itself."],
};
