import { type Adapter, type JsonFormat, LONGEST_S } from "../adapter.ts";

const format: JsonFormat = {
  kind: "json",
  at: ["hooks"],
  members: { version: 1 },
  shape: "flat",
  handler: { command: "command", timeout: { member: "timeout", unit: "s" }, members: {} },
};

export const cursor: Adapter = {
  slug: "cursor",
  name: "Cursor",
  names: [],
  programs: ["cursor", "cursor-agent"],
  folders: ["~/.cursor"],
  user: { folder: "~/.cursor", file: "hooks.json", format },
  project: { folder: ".cursor", file: "hooks.json", format },
  hooks: [
    "sessionStart",
    "sessionEnd",
    "beforeSubmitPrompt",
    "preToolUse",
    "postToolUse",
    "postToolUseFailure",
    "beforeShellExecution",
    "beforeMCPExecution",
    "afterFileEdit",
    "afterAgentResponse",
    "afterAgentThought",
    "subagentStart",
    "subagentStop",
    "preCompact",
    "stop",
  ],
  leftOut: {
    afterShellExecution: "postToolUse tells the same, with the call's id",
    afterMCPExecution: "postToolUse tells the same, with the call's id",
    beforeReadFile: "preToolUse tells the same, with the call's id",
  },
  tools: {
    harmless: ["Read", "Grep", "Glob", "LS"],
    matcher: "javascript",
    // A question is honoured only at the hooks of shell and MCP.
    elsewhere: { preToolUse: ["Shell", "MCP:.*"] },
  },
  deadline: { gateS: LONGEST_S, observeS: 10, hooksS: { stop: 30, subagentStop: 30 } },
  failing: "runs",
  failClosed: { failClosed: true },
  afterwards: { restart: "Restart Cursor if it runs: not every version reads hooks.json again by itself." },
  limits: [
    "Cursor's command-line agent sends only some of the hooks.",
    "Only shell commands and MCP tools can be asked about in Cursor itself; other tools can be let through or refused.",
  ],
};
