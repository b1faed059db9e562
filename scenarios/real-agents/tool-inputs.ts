import type { JsonObject } from "../../packages/protocol/src/json.ts";
import type { Line, Script, Turn } from "./model/script.ts";

/** A file tool of an agent that has only a shell. */
function patch(lines: string): string {
  return `apply_patch <<'EOF'\n*** Begin Patch\n${lines}\n*** End Patch\nEOF`;
}

type Inputs<Given extends readonly string[]> = Readonly<Record<string, (...given: Given) => JsonObject>>;

/** The input of a shell call by tool name; agents offer one of these. Members that a tool does not list are left out. */
const SHELL: Inputs<[command: string]> = {
  Bash: (command) => ({ command, description: "A step of the task" }),
  bash: (command) => ({ command, description: "A step of the task" }),
  run_shell_command: (command) => ({ command, description: "A step of the task", is_background: false }),
  run_commands: (command) => ({ commands: [command] }),
  execute_command: (command) => ({ command, requires_approval: false }),
  exec_command: (command) => ({ cmd: command }),
  shell_command: (command) => ({ command }),
  shell: (command) => ({ command: ["bash", "-lc", command] }),
};

const BACKGROUND: Inputs<[command: string]> = {
  Bash: (command) => ({ command, description: "A step of the task", run_in_background: true }),
  run_shell_command: (command) => ({ command, description: "A step of the task", is_background: true }),
  bash: (command) => ({ command, description: "A step of the task", mode: "async", sessionId: "background" }),
  exec_command: (command) => ({ cmd: command, yield_time_ms: 250 }),
};

const BACKGROUND_MEMBERS = ["run_in_background", "is_background", "mode", "yield_time_ms"];

const WRITE: Inputs<[path: string, content: string]> = {
  Write: (path, content) => ({ file_path: path, content }),
  write_file: (path, content) => ({ file_path: path, content }),
  write: (path, content) => ({ filePath: path, path, content }),
  create: (path, content) => ({ path, file_text: content }),
  write_to_file: (path, content) => ({ path, content }),
  editor: (path, content) => ({ command: "create", path, file_text: content, new_text: content }),
  exec_command: (path, content) => ({ cmd: patch(`*** Add File: ${path}\n+${content.trimEnd()}`) }),
};

const READ: Inputs<[path: string]> = {
  Read: (path) => ({ file_path: path }),
  read_file: (path) => ({ file_path: path, absolute_path: path, path }),
  read: (path) => ({ filePath: path, path }),
  view: (path) => ({ path }),
  read_files: (path) => ({ paths: [path], files: [{ path }] }),
  exec_command: (path) => ({ cmd: `cat ${path}` }),
};

const EDIT: Inputs<[path: string, before: string, after: string]> = {
  Edit: (path, before, after) => ({ file_path: path, old_string: before, new_string: after }),
  replace: (path, before, after) => ({ file_path: path, old_string: before, new_string: after, instruction: "Change it." }),
  edit: (path, before, after) => ({
    file_path: path,
    filePath: path,
    path,
    old_string: before,
    oldString: before,
    old_str: before,
    oldText: before,
    new_string: after,
    newString: after,
    new_str: after,
    newText: after,
    edits: [{ oldText: before, newText: after }],
  }),
  editor: (path, before, after) => ({ command: "str_replace", path, old_str: before, old_text: before, new_str: after, new_text: after }),
  exec_command: (path, before, after) => ({ cmd: patch(`*** Update File: ${path}\n@@\n-${before}\n+${after}`) }),
};

const SUBAGENT: Inputs<[prompt: string]> = {
  Agent: (prompt) => ({ description: "One step", prompt, subagent_type: "general-purpose" }),
  Task: (prompt) => ({ description: "One step", prompt, subagent_type: "general-purpose" }),
  agent: (prompt) => ({ description: "One step", prompt, subagent_type: "general-purpose", run_in_background: false }),
  task: (prompt) => ({ description: "One step", prompt, subagent_type: "general", agent_type: "task", name: "one-step" }),
  invoke_agent: (prompt) => ({ agent_name: "generalist", prompt }),
  spawn_agent: (prompt) => ({ systemPrompt: "Do one step.", task: prompt }),
  "multi_agent_v1/spawn_agent": (prompt) => ({ message: prompt }),
};

/** How an agent whose subagents run beside it waits for one. */
const WAIT: Inputs<[id: string]> = { "multi_agent_v1/wait_agent": (id) => ({ targets: [id] }) };

/** The scenario's MCP tool, under whichever name an agent offers it. */
export const MCP_TOOL = "drop_treasure";

/** Agents that offer only a search for the tools of servers. Some of them then offer the tool, others call it by its name. */
const SEARCH: Inputs<[name: string]> = {
  ToolSearch: (name) => ({ query: `select:${name}` }),
  tool_search: (name) => ({ query: `select:${name}` }),
};
const CALL: Inputs<[name: string]> = { tool_call: (name) => ({ name, arguments: {} }) };

type Offered = Pick<Turn, "tools">;

function use<Given extends readonly string[]>({ tools }: Offered, table: Inputs<Given>, ...given: Given): Line | undefined {
  for (const { name, members } of tools) {
    const input = Object.hasOwn(table, name) ? table[name]?.(...given) : undefined;
    if (input === undefined) continue;
    return { uses: name, input: Object.fromEntries(Object.entries(input).filter(([member]) => members.includes(member))) };
  }
  return undefined;
}

export const useShell = (turn: Offered, command: string) => use(turn, SHELL, command);
export const useBackground = ({ tools }: Offered, command: string) =>
  use({ tools: tools.filter(({ members }) => members.some((member) => BACKGROUND_MEMBERS.includes(member))) }, BACKGROUND, command);
export const useWrite = (turn: Offered, path: string, content: string) => use(turn, WRITE, path, content);
export const useRead = (turn: Offered, path: string) => use(turn, READ, path);
export const useEdit = (turn: Offered, path: string, before: string, after: string) => use(turn, EDIT, path, before, after);
export const useSubagent = (turn: Offered, prompt: string) => use(turn, SUBAGENT, prompt);

export const searchMcp = (turn: Offered) => use(turn, SEARCH, `mcp__tests__${MCP_TOOL}`);

export function useMcp(turn: Offered): Line | undefined {
  const tool = turn.tools.find(({ name }) => name.endsWith(MCP_TOOL));
  return tool === undefined ? use(turn, CALL, `mcp__tests__${MCP_TOOL}`) : { uses: tool.name, input: {} };
}

/** Waits for the subagent that the last result names. */
export function waitForSubagent(turn: Turn): Line | undefined {
  const [, id] = /agent_id\W+([\da-f-]{36})/.exec(turn.text) ?? [];
  return id === undefined ? undefined : use(turn, WAIT, id);
}

/** A model that takes one step per turn and then ends. Without offered tools, as for generating a title, it returns a short text. */
export function inSteps(...steps: readonly ((turn: Turn) => Line | readonly Line[] | undefined)[]): Script {
  return (turn) => {
    if (useShell(turn, "") === undefined) return { says: "A small task" };
    // A resumed session includes the turns of the earlier run.
    const step = steps[turn.results];
    return step?.(turn) ?? { says: "End of the timeline." };
  };
}

export function runsOnce(command: string): Script {
  return inSteps((turn) => useShell(turn, command));
}
