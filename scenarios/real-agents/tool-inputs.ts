import type { JsonObject } from "../../packages/protocol/src/json.ts";
import type { Line, Script, Turn } from "./model/script.ts";

type Inputs<Given extends readonly string[]> = Readonly<Record<string, (...given: Given) => JsonObject>>;

/** The input of a shell call by tool name; agents offer one of these. */
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
};

const WRITE: Inputs<[path: string, content: string]> = {
  Write: (path, content) => ({ file_path: path, content }),
  write_file: (path, content) => ({ file_path: path, content }),
  write: (path, content) => ({ filePath: path, path, content }),
  create: (path, content) => ({ path, file_text: content }),
  write_to_file: (path, content) => ({ path, content }),
  editor: (path, content) => ({ command: "create", path, file_text: content, new_text: content }),
};

const READ: Inputs<[path: string]> = {
  Read: (path) => ({ file_path: path }),
  read_file: (path) => ({ file_path: path, absolute_path: path, path }),
  read: (path) => ({ filePath: path, path }),
  view: (path) => ({ path }),
  read_files: (path) => ({ paths: [path], files: [{ path }] }),
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
};

const SUBAGENT: Inputs<[prompt: string]> = {
  Agent: (prompt) => ({ description: "One step", prompt, subagent_type: "general-purpose" }),
  Task: (prompt) => ({ description: "One step", prompt, subagent_type: "general-purpose" }),
  agent: (prompt) => ({ description: "One step", prompt, subagent_type: "general-purpose" }),
  task: (prompt) => ({ description: "One step", prompt, subagent_type: "general", agent_type: "task", name: "one-step" }),
};

/** The scenario's MCP tool, under whichever name an agent offers it. */
export const MCP_TOOL = "drop_treasure";

type Offered = Pick<Turn, "tools">;

function use<Given extends readonly string[]>({ tools }: Offered, table: Inputs<Given>, ...given: Given): Line | undefined {
  const uses = tools.find((name) => Object.hasOwn(table, name));
  const inputOf = uses === undefined ? undefined : table[uses];
  return uses === undefined || inputOf === undefined ? undefined : { uses, input: inputOf(...given) };
}

export const useShell = (turn: Offered, command: string) => use(turn, SHELL, command);
export const useBackground = (turn: Offered, command: string) => use(turn, BACKGROUND, command);
export const useWrite = (turn: Offered, path: string, content: string) => use(turn, WRITE, path, content);
export const useRead = (turn: Offered, path: string) => use(turn, READ, path);
export const useEdit = (turn: Offered, path: string, before: string, after: string) => use(turn, EDIT, path, before, after);
export const useSubagent = (turn: Offered, prompt: string) => use(turn, SUBAGENT, prompt);

export function useMcp({ tools }: Offered): Line | undefined {
  const uses = tools.find((name) => name.endsWith(MCP_TOOL));
  return uses === undefined ? undefined : { uses, input: {} };
}

/** A model that takes one step per turn and then ends. Without offered tools, as for generating a title, it returns a short text. */
export function inSteps(...steps: readonly ((turn: Turn) => Line | readonly Line[] | undefined)[]): Script {
  return (turn) => {
    if (useShell(turn, "") === undefined) return { says: "A small task" };
    // A resumed session includes the turns of the earlier run.
    const step = steps[turn.results];
    return step?.(turn) ?? { says: "That is all." };
  };
}

export function runsOnce(command: string): Script {
  return inSteps((turn) => useShell(turn, command));
}
