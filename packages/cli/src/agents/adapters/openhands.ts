import { type Adapter, type JsonFormat, LONGEST_S } from "../adapter.ts";

const format: JsonFormat = {
  kind: "json",
  at: { bareOr: "hooks" },
  members: {},
  shape: "groups",
  handler: { command: "command", timeout: { member: "timeout", unit: "s" }, members: { type: "command" } },
};

export const openhands: Adapter = {
  slug: "openhands",
  name: "OpenHands",
  names: ["open-hands"],
  programs: ["openhands"],
  folders: ["~/.openhands"],
  project: { folder: ".openhands", file: "hooks.json", format },
  hooks: ["SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"],
  leftOut: Object.fromEntries(
    ["session_start", "session_end", "user_prompt_submit", "pre_tool_use", "post_tool_use", "stop"].map((name) => [
      name,
      "another spelling",
    ]),
  ),
  tools: { harmless: [], matcher: "none" },
  deadline: { gateS: LONGEST_S, observeS: 10 },
  failing: "runs",
  afterwards: { restart: "Restart OpenHands if it runs." },
  limits: ["OpenHands knows hooks of a project only.", "Not tried with OpenHands itself."],
};
