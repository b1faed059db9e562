import { type Adapter, type JsonFormat, LONGEST_S } from "../adapter.ts";

const format: JsonFormat = {
  kind: "json",
  at: ["hooks"],
  members: {},
  shape: "groups",
  handler: { command: "command", timeout: { member: "timeout", unit: "ms" }, members: { name: "earshot", type: "command" } },
};

export const gemini: Adapter = {
  slug: "gemini",
  name: "Gemini CLI",
  names: ["gemini-cli"],
  programs: ["gemini"],
  folders: ["~/.gemini/settings.json", "~/.gemini/tmp"],
  user: { folder: "~/.gemini", file: "settings.json", format },
  project: { folder: ".gemini", file: "settings.json", format },
  hooks: ["SessionStart", "SessionEnd", "BeforeAgent", "AfterAgent", "BeforeTool", "AfterTool", "Notification"],
  leftOut: {
    AfterModel: "it comes with every piece of text, and AfterAgent tells the whole",
    PreCompress: "it comes before every request to the model, whether anything is compressed or not",
  },
  tools: {
    harmless: [
      "read_file",
      "read_many_files",
      "list_directory",
      "glob",
      "search_file_content",
      "grep_search",
      "write_todos",
      "get_internal_docs",
    ],
    matcher: "javascript",
  },
  deadline: { gateS: LONGEST_S, observeS: 10, hooksS: { AfterAgent: 30, AfterTool: 30 } },
  failing: "runs",
  afterwards: {
    restart: "Restart Gemini CLI if it runs.",
    trust: "In a project, Gemini CLI runs hooks only in a folder that you trust.",
  },
  limits: [
    "Gemini CLI has no switch against a hook that fails: the tool runs then, after its own question.",
    "Together with --yolo and without a person (gemini -p), a question of a rule is one that Gemini CLI waits for, and nobody can answer.",
    "A yes from Earshot does not spare you its own question.",
    "The rules of the presets do not wait for your answer here: what they ask about is left to its own question.",
  ],
};
