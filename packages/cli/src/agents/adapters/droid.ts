import { type Adapter, type JsonFormat, LONGEST_S } from "../adapter.ts";

const format: JsonFormat = {
  kind: "json",
  at: [],
  members: {},
  shape: "groups",
  handler: { command: "command", timeout: { member: "timeout", unit: "s" }, members: { type: "command" } },
};
/** A hooks.json takes the place of the hooks in settings.json: where those are used, ours go there. */
const otherwise = { file: "settings.json", format: { ...format, at: ["hooks"] } };

export const droid: Adapter = {
  slug: "droid",
  name: "Factory Droid",
  names: ["factory", "factory-droid"],
  programs: ["droid"],
  folders: ["~/.factory"],
  user: { folder: "~/.factory", file: "hooks.json", format, otherwise },
  project: { folder: ".factory", file: "hooks.json", format, otherwise },
  hooks: [
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "Notification",
    "Stop",
    "SubagentStop",
    "PreCompact",
  ],
  leftOut: {},
  tools: { harmless: ["Read", "Glob", "Grep", "LS", "TodoWrite"], matcher: "javascript" },
  deadline: { gateS: LONGEST_S, observeS: 10, hooksS: { Stop: 30, SubagentStop: 30, PostToolUse: 30 } },
  failing: "runs",
  afterwards: { restart: "Restart Droid if it runs, and look at the hooks with /hooks." },
  limits: ["Not tried with Droid itself."],
};
