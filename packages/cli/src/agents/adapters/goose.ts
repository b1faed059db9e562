import { type Adapter, type JsonFormat, LONGEST_S } from "../adapter.ts";

const format: JsonFormat = {
  kind: "json",
  at: ["hooks"],
  members: {},
  shape: "groups",
  handler: { command: "command", timeout: { member: "timeout", unit: "s" }, members: { type: "command" } },
  beside: [
    {
      file: "plugins/earshot/plugin.json",
      text: '{ "name": "earshot", "version": "1.0.0", "description": "Runs ~/.earshot/bin/earshot-hook." }\n',
    },
  ],
};

export const goose: Adapter = {
  slug: "goose",
  name: "goose",
  names: [],
  programs: ["goose"],
  folders: ["~config/goose"],
  user: { folder: "~/.agents", file: "plugins/earshot/hooks/hooks.json", format },
  project: { folder: ".agents", file: "plugins/earshot/hooks/hooks.json", format },
  hooks: [
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PreToolUseResult",
    "PostToolUse",
    "PostToolUseFailure",
    "Stop",
    "AfterFileEdit",
  ],
  leftOut: {},
  tools: { harmless: [], matcher: "none" },
  deadline: { gateS: LONGEST_S, observeS: 10 },
  failing: "runs",
  failClosed: { on_failure: "block" },
  afterwards: { restart: "Restart goose if it runs." },
  limits: ["Not tried with goose itself."],
};
