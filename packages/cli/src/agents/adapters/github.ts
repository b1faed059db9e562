import { type Adapter, type JsonFormat, LONGEST_S } from "../adapter.ts";

/** VS Code reads these files too, and takes `bash` and names in small letters as its own. */
const format: JsonFormat = {
  kind: "json",
  at: ["hooks"],
  members: { version: 1 },
  shape: "flat",
  handler: { command: "bash", timeout: { member: "timeoutSec", unit: "s" }, members: { type: "command" } },
};

export const github: Adapter = {
  slug: "github",
  name: "GitHub Copilot CLI and VS Code",
  names: ["copilot", "copilot-cli", "github-copilot", "vscode", "vs-code"],
  programs: ["copilot", "code", "code-insiders"],
  folders: ["~/.copilot", "~/.vscode"],
  user: { folder: "~/.copilot", variable: "COPILOT_HOME", file: "hooks/earshot.json", format },
  project: { folder: ".github", file: "hooks/earshot.json", format },
  hooks: [
    "sessionStart",
    "sessionEnd",
    "userPromptSubmitted",
    "preToolUse",
    "permissionRequest",
    "postToolUse",
    "postToolUseFailure",
    "agentStop",
    "subagentStart",
    "subagentStop",
    "errorOccurred",
    "preCompact",
    "notification",
  ],
  leftOut: {},
  // VS Code takes no notice of matchers.
  tools: { harmless: [], matcher: "none" },
  deadline: { gateS: LONGEST_S, observeS: 10, hooksS: { agentStop: 30, subagentStop: 30, postToolUse: 30 } },
  failing: "blocks",
  afterwards: {
    restart: "Restart Copilot CLI if it runs; in VS Code, reload the window.",
    trust: "Copilot CLI and VS Code run hooks only in a folder that you trust, and say nothing elsewhere.",
  },
  limits: [
    "When a hook takes too long the tool runs. Copilot CLI refuses the tool when a hook fails; VS Code lets it run.",
    "Copilot's cloud agent takes a question for a refusal.",
    "Tried with Copilot CLI, and not with VS Code.",
  ],
};
