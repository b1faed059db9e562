import { expect, test } from "vitest";
import { AGENT_FOLDERS, mapAt } from "../../../agents/src/testing/agent-folders.ts";
import { activitiesOfEvent } from "../../../protocol/src/activities/testing/check-activity.ts";
import { type ToolKind, toolKindOf } from "./tool-kinds.ts";

test.each<[string, ToolKind]>([
  ["Bash", "command"],
  ["run_shell_command", "command"],
  ["runInTerminal", "command"],
  ["launch-process", "command"],
  ["run_terminal_cmd", "command"],
  ["developer__shell", "command"],
  ["apply_patch", "edit"],
  ["MultiEdit", "edit"],
  ["str_replace_based_edit_tool", "edit"],
  ["insert_edit_into_file", "edit"],
  ["NotebookEdit", "edit"],
  ["Write", "write"],
  ["fs_write", "write"],
  ["read_many_files", "read"],
  ["view", "read"],
  ["delete_file", "delete"],
  ["LS", "list"],
  ["grep_search", "search"],
  ["codebase-retrieval", "search"],
  ["google_web_search", "web-search"],
  ["WebFetch", "fetch"],
  ["TodoWrite", "plan"],
  ["update_plan", "plan"],
  ["Task", "subagent"],
  ["spawn_agent", "subagent"],
  ["AskUserQuestion", "question"],
  ["save_memory", "memory"],
  ["BashOutput", "watch"],
  ["KillShell", "stop"],
  ["read_log", "other"],
  ["", "other"],
  ["x".repeat(1000), "other"],
  ["constructor", "other"],
])("%s is %s", (tool, kind) => {
  expect(toolKindOf({ tool })).toBe(kind);
});

test("a tool of a server is the server's, whatever it is called", () => {
  expect(toolKindOf({ tool: "bash", server: "docs" })).toBe("mcp");
  expect(toolKindOf({ tool: "shell", server: "developer" })).toBe("command");
  expect(toolKindOf({ tool: "pdf", toolKind: "skill" })).toBe("skill");
  expect(toolKindOf({ tool: "x", toolKind: "subagent" })).toBe("subagent");
});

test("the tools in the samples of all agents are known", () => {
  const unknown = new Set<string>();
  for (const { slug, mapping, samples } of AGENT_FOLDERS)
    for (const { payload, hook } of samples)
      for (const { event } of mapAt(mapping, payload, hook).events)
        for (const activity of activitiesOfEvent("aep", event as Parameters<typeof activitiesOfEvent>[1]))
          if ("tool" in activity && activity.tool !== undefined && activity.tool !== "" && toolKindOf(activity) === "other")
            unknown.add(`${slug} ${activity.tool}`);
  // MCP tools without a named server.
  expect([...unknown].sort()).toEqual(["crush mcp_docs_search", "cursor search_docs", "kiro mcp_docs_search"]);
});
