import { type Adapter, type JsonFormat, LONGEST_S } from "../adapter.ts";

const format: JsonFormat = {
  kind: "json",
  at: ["hooks"],
  members: {},
  shape: "groups",
  handler: {
    command: "command",
    // Older versions read milliseconds; newer ones read seconds, but take what is 1000 or more for milliseconds.
    timeout: { member: "timeout", unit: "ms" },
    members: { name: "earshot", type: "command" },
    watchOnly: { async: true },
    http: true,
  },
};

export const qwen: Adapter = {
  slug: "qwen",
  name: "Qwen Code",
  names: ["qwen-code"],
  programs: ["qwen"],
  folders: ["~/.qwen"],
  user: { folder: "~/.qwen", file: "settings.json", format },
  project: { folder: ".qwen", file: "settings.json", format },
  hooks: [
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
    "PermissionDenied",
    "PostToolUse",
    "PostToolUseFailure",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "Notification",
    "TodoCreated",
    "TodoCompleted",
  ],
  leftOut: { MessageDisplay: "it comes with every piece of text, and Stop tells the whole" },
  tools: {
    harmless: ["read_file", "read_many_files", "list_directory", "glob", "search_file_content", "grep_search", "todo_write", "lsp"],
    matcher: "javascript",
  },
  deadline: { gateS: LONGEST_S, observeS: 10, hooksS: { Stop: 30, SubagentStop: 30, PostToolUse: 30 } },
  failing: "runs",
  afterwards: {
    restart: "Restart Qwen Code if it runs.",
    trust: "In a project, Qwen Code runs hooks only in a folder that you trust.",
  },
  limits: ["Qwen Code has no switch against a hook that fails: the tool runs then."],
};
