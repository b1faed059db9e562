import type { JsonObject } from "../../packages/protocol/src/json.ts";
import type { Line, Script } from "./model/script.ts";

/** How a shell command is asked for, by the name of the tool; agents offer one of these. */
const SHELL_TOOLS: Readonly<Record<string, (command: string) => JsonObject>> = {
  Bash: (command) => ({ command, description: "A step of the task" }),
  bash: (command) => ({ command, description: "A step of the task" }),
  run_shell_command: (command) => ({ command, description: "A step of the task", is_background: false }),
  run_commands: (command) => ({ commands: [command] }),
  execute_command: (command) => ({ command, requires_approval: false }),
  exec_command: (command) => ({ cmd: command }),
  shell_command: (command) => ({ command }),
  shell: (command) => ({ command: ["bash", "-lc", command] }),
};

/** A model that has one command run, and says goodbye. Who is offered no shell, as for a title, is told something short. */
export function runsOnce(command: string): Script {
  return ({ tools, results }): Line => {
    const tool = tools.find((name) => Object.hasOwn(SHELL_TOOLS, name));
    const inputOf = tool === undefined ? undefined : SHELL_TOOLS[tool];
    if (tool === undefined || inputOf === undefined) return { says: "A small task" };
    return results === 0 ? { uses: tool, input: inputOf(command) } : { says: "That is all." };
  };
}
