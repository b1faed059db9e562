import { describe, expect, it } from "vitest";
import { readToolInput } from "./tool-input.ts";

const UNKNOWN_COMMAND = "The arguments do not say, in a form that is known here, what it runs.";

describe("what a tool's arguments say", () => {
  it("names a path that is longer than file systems allow", () => {
    const path = `/${"a/".repeat(5000)}.env`;
    expect(readToolInput("Read", { file_path: path })).toEqual({ paths: [{ path, access: "read" }] });
  });

  it.each([
    ["Bash", { command: "ls", description: "x" }, { command: "ls" }],
    ["Shell", { command: "ls" }, { command: "ls" }],
    ["run_shell_command", { command: "ls", directory: "src" }, { command: "ls", runsIn: "src" }],
    ["run_command", { CommandLine: "ls", Cwd: "/x" }, { command: "ls", runsIn: "/x" }],
    ["list_directory", { directory: "/x" }, { paths: [{ path: "/x", access: "read" }] }],
    ["pre_run_command", { command_line: "ls" }, { command: "ls" }],
    ["run_commands", { commands: ["ls", "pwd"] }, { command: "ls\npwd" }],
    ["run_commands", { commands: [{ command: "ls" }] }, { command: "ls" }],
    ["Bash", { command: ["git push --force"] }, { command: "git push --force" }],
    ["shell", { command: ["bash", "-lc", "ls && pwd"] }, { command: "ls && pwd" }],
    ["shell", { command: ["git", "commit", "-m", "it's"] }, { command: "git commit -m 'it'\\''s'" }],
    ["powershell", { command: "ls" }, { command: "ls", shell: "powershell" }],
    ["execute_pwsh", { command: "ls" }, { command: "ls", shell: "powershell" }],
    ["mcp__desktop__execute_command", { command: "rm -rf /" }, { command: "rm -rf /" }],
    ["Read", { file_path: "/a" }, { paths: [{ path: "/a", access: "read" }] }],
    ["Write", { file_path: "/a", content: "x" }, { paths: [{ path: "/a", access: "write" }] }],
    ["MultiEdit", { file_path: "/a", edits: [] }, { paths: [{ path: "/a", access: "write" }] }],
    ["NotebookEdit", { notebook_path: "/a.ipynb" }, { paths: [{ path: "/a.ipynb", access: "write" }] }],
    ["createFile", { filePath: "/a" }, { paths: [{ path: "/a", access: "write" }] }],
    ["write_to_file", { TargetFile: "/a" }, { paths: [{ path: "/a", access: "write" }] }],
    ["Delete", { path: "/a" }, { paths: [{ path: "/a", access: "delete" }] }],
    [
      "mcp__fs__move_file",
      { source: "/a", destination: "/b" },
      {
        paths: [
          { path: "/a", access: "delete" },
          { path: "/b", access: "write" },
        ],
      },
    ],
    [
      "mcp__fs__read_multiple_files",
      { paths: ["/a", "/b"] },
      {
        paths: [
          { path: "/a", access: "read" },
          { path: "/b", access: "read" },
        ],
      },
    ],
    ["Grep", { pattern: "x", path: "/a" }, { paths: [{ path: "/a" }] }],
    ["str_replace_based_edit_tool", { command: "view", path: "/a" }, { paths: [{ path: "/a", access: "read" }] }],
    ["str_replace_based_edit_tool", { command: "create", path: "/a" }, { paths: [{ path: "/a", access: "write" }] }],
    ["WebFetch", { url: "https://x" }, {}],
    ["mcp__web__open", { path: "https://x/y" }, {}],
    ["open_file", { path: "file:///a" }, { paths: [{ path: "/a", access: "read" }] }],
    ["Bash", {}, { unread: UNKNOWN_COMMAND }],
    ["Bash", null, { unread: UNKNOWN_COMMAND }],
    ["Bash", "ls", { unread: UNKNOWN_COMMAND }],
    ["Bash", { command: 3 }, { unread: UNKNOWN_COMMAND }],
    ["Write", "x", { unread: "The arguments do not say, in a form that is known here, which files it changes." }],
    ["TodoWrite", { todos: [] }, {}],
    ["mcp__shell__run", { program: "git", args: ["push", "--force"] }, { command: "git push --force" }],
    ["mcp__shell__run", { input: "ls" }, { command: "ls" }],
    ["local_shell", { action: { command: ["rm", "-rf", "src"] } }, { command: "rm -rf src" }],
    ["write_stdin", { session_id: 1, chars: "ls\n" }, { command: "ls\n" }],
    ["mcp__fs__write", { uri: "file:///a%20b", text: "x" }, { paths: [{ path: "/a b", access: "write" }] }],
  ] as const)("%s %j", (tool, input, expected) => expect(readToolInput(tool, input)).toEqual(expected));

  it.each([
    ["a string", "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b c\n*** Move to: d\n*** Delete File: e\n*** End Patch"],
    ["a member", { command: "*** Add File: a\n*** Update File: b c\n*** Move to: d\n*** Delete File: e" }],
  ])("finds the files of a patch in %s", (_where, input) => {
    expect(readToolInput("apply_patch", input).paths).toEqual([
      { path: "a", access: "write" },
      { path: "b c", access: "write" },
      { path: "d", access: "write" },
      { path: "e", access: "delete" },
    ]);
  });

  it("finds the files of a diff", () => {
    expect(readToolInput("ApplyPatch", { patch: "--- a/x.ts\n+++ b/x.ts\n@@\n--- /dev/null\n+++ b/new.ts" }).paths).toEqual([
      { path: "x.ts", access: "write" },
      { path: "new.ts", access: "write" },
    ]);
  });

  it("does not guess which shell a Windows tool has", () => {
    expect(readToolInput("Shell", { command: "ls" }, "C:\\Users\\ann")).toEqual({ command: "ls", shell: "unknown" });
    expect(readToolInput("Bash", { command: "ls" }, "C:\\Users\\ann")).toEqual({ command: "ls" });
  });
});
