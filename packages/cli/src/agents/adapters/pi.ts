import { type Adapter, LONGEST_S } from "../adapter.ts";

export const pi: Adapter = {
  slug: "pi",
  name: "Pi",
  names: ["pi-coding-agent"],
  programs: ["pi"],
  folders: ["~/.pi"],
  user: { folder: "~/.pi/agent", variable: "PI_CODING_AGENT_DIR", file: "extensions/earshot.ts", format: { kind: "plugin", plugin: "pi" } },
  project: { folder: ".pi", file: "extensions/earshot.ts", format: { kind: "plugin", plugin: "pi" } },
  hooks: [
    "session_start",
    "session_shutdown",
    "session_compact",
    "agent_start",
    "agent_end",
    "message_end",
    "tool_call",
    "tool_execution_end",
    "model_select",
  ],
  leftOut: { message_update: "it comes with every piece of text, and message_end tells the whole" },
  tools: { harmless: ["read", "grep", "find", "ls"], matcher: "none" },
  deadline: { gateS: LONGEST_S, observeS: 30 },
  failing: "blocks",
  afterwards: { restart: "Restart Pi if it runs." },
  limits: ["The extension runs inside Pi. If it cannot run the hook, it refuses the tools that can change something."],
};
