/** What a hook left behind. */
export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What became of the tool: `left` is the agent's own rules and prompts, as if there were no hook. */
export interface Outcome {
  readonly tool: "ran" | "blocked" | "asked" | "left";
  /** With what it ran. */
  readonly input?: unknown;
}

export interface SimulatedHost {
  readonly name: string;
  /** As in the registered line. */
  readonly agent: string;
  readonly hook: string;
  readonly payload: (call: { readonly session: string; readonly id: string; readonly command: string; readonly cwd: string }) => object;
  /** What the agent's documents say that it does. */
  readonly obey: (ended: Ended, input: object) => Outcome;
  /** What an ask of a rule comes to where nobody is held: not all of them can ask. */
  readonly asked: Outcome["tool"];
  /** What an allow comes to: not all of them can be granted something. */
  readonly granted: Outcome["tool"];
}

type Body = Readonly<Record<string, unknown>>;

/** Claude Code, and what copies it: an object on standard output decides on every exit code, exit 2 blocks whatever it says. */
function obeyClaude({ exitCode, stdout }: Ended, input: object): Outcome {
  if (exitCode === 2) return { tool: "blocked" };
  const said = objectIn(stdout);
  if (said === undefined) return { tool: "left" };
  if (said["continue"] === false) return { tool: "blocked" };
  const { permissionDecision, updatedInput } = bodyIn(said, "hookSpecificOutput");
  if (permissionDecision === "deny") return { tool: "blocked" };
  if (permissionDecision === "ask") return { tool: "asked" };
  return permissionDecision === "allow" ? { tool: "ran", input: updatedInput ?? input } : { tool: "left" };
}

/** A strict schema: a hook that says anything else has failed, and the tool runs. */
function obeyCodex({ exitCode, stdout, stderr }: Ended, input: object): Outcome {
  if (exitCode === 2 && stderr !== "") return { tool: "blocked" };
  if (exitCode !== 0 || stdout.trim() === "") return { tool: "left" };
  const said = objectIn(stdout);
  const specific = said === undefined ? {} : bodyIn(said, "hookSpecificOutput");
  const isKnown =
    said !== undefined &&
    Object.keys(said).every((name) => name === "hookSpecificOutput") &&
    Object.keys(specific).every((name) => CODEX.includes(name)) &&
    specific["hookEventName"] === "PreToolUse";
  if (!isKnown) return { tool: "ran", input };
  if (specific["permissionDecision"] === "deny") return { tool: "blocked" };
  const { permissionDecision, updatedInput } = specific;
  if (permissionDecision === "allow" && updatedInput !== undefined) return { tool: "ran", input: updatedInput };
  return permissionDecision === undefined ? { tool: "left" } : { tool: "ran", input };
}
const CODEX = ["hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"];

/** No output is a failed hook, which lets the tool run; output that is no object of the right shape blocks. */
function obeyCursor(enforcesAsk: boolean): SimulatedHost["obey"] {
  return ({ exitCode, stdout }, input) => {
    if (exitCode === 2) return { tool: "blocked" };
    if (exitCode !== 0 || stdout.trim() === "") return { tool: "ran", input };
    const said = objectIn(stdout);
    const { permission = "none", updated_input: updated } = said ?? {};
    if (said === undefined || !["allow", "deny", "ask", "none"].includes(String(permission))) return { tool: "blocked" };
    if (permission === "deny") return { tool: "blocked" };
    if (permission === "ask") return enforcesAsk ? { tool: "asked" } : { tool: "ran", input };
    return permission === "allow" ? { tool: "ran", input: updated ?? input } : { tool: "left" };
  };
}

/** With nothing on standard output it reads standard error; an allow is only the absence of a no. */
function obeyGemini({ exitCode, stdout, stderr }: Ended, input: object): Outcome {
  const text = stdout.trim() === "" ? stderr.trim() : stdout.trim();
  const said = objectIn(text);
  if (said === undefined) return exitCode > 1 ? { tool: "blocked" } : { tool: "left" };
  if (said["decision"] === "deny" || said["decision"] === "block" || said["continue"] === false) return { tool: "blocked" };
  const { tool_input: changed } = bodyIn(said, "hookSpecificOutput");
  return changed === undefined ? { tool: "left" } : { tool: "left", input: { ...input, ...(changed as object) } };
}

/** Any other exit code than 0 denies. */
function obeyCopilot({ exitCode, stdout }: Ended, input: object): Outcome {
  if (exitCode !== 0) return { tool: "blocked" };
  const { permissionDecision, modifiedArgs } = objectIn(stdout) ?? {};
  if (permissionDecision === "deny") return { tool: "blocked" };
  if (permissionDecision === "ask") return { tool: "asked" };
  return permissionDecision === "allow" ? { tool: "ran", input: modifiedArgs ?? input } : { tool: "left" };
}

/** Our own plugin, which is told one object. */
function obeyOpenCode({ stdout }: Ended, input: object): Outcome {
  const said = objectIn(stdout) ?? {};
  if (said["throw"] !== undefined) return { tool: "blocked" };
  return { tool: "left", input: said["args"] ?? input };
}

const claudeShaped = (tool: string, more: object = {}): SimulatedHost["payload"] => {
  return ({ session, id, command, cwd }) => ({
    session_id: session,
    hook_event_name: "PreToolUse",
    cwd,
    tool_name: tool,
    tool_input: { command },
    tool_use_id: id,
    ...more,
  });
};

const TIME = "2026-09-01T09:14:22.104Z";

/** The agents whose gate is drilled. */
export const HOSTS: readonly SimulatedHost[] = [
  {
    name: "Claude Code",
    agent: "claude",
    hook: "PreToolUse",
    payload: claudeShaped("Bash"),
    obey: obeyClaude,
    asked: "asked",
    granted: "ran",
  },
  {
    name: "Codex",
    agent: "codex",
    hook: "PreToolUse",
    payload: claudeShaped("Bash", { model: "gpt-5-codex", turn_id: "turn_1", permission_mode: "default" }),
    obey: obeyCodex,
    asked: "blocked",
    granted: "left",
  },
  {
    name: "Cursor",
    agent: "cursor",
    hook: "preToolUse",
    payload: ({ session, id, command, cwd }) => ({
      conversation_id: session,
      generation_id: "gen_1",
      model: "claude",
      hook_event_name: "preToolUse",
      cursor_version: "2.4.1",
      workspace_roots: [cwd],
      tool_name: "Shell",
      tool_input: { command },
      tool_use_id: id,
      cwd,
    }),
    obey: obeyCursor(false),
    asked: "blocked",
    granted: "ran",
  },
  {
    name: "Cursor's shell",
    agent: "cursor",
    hook: "beforeShellExecution",
    payload: ({ session, command, cwd }) => ({
      conversation_id: session,
      generation_id: "gen_1",
      model: "claude",
      hook_event_name: "beforeShellExecution",
      cursor_version: "2.4.1",
      workspace_roots: [cwd],
      command,
      cwd,
    }),
    obey: obeyCursor(true),
    asked: "asked",
    granted: "ran",
  },
  {
    name: "Gemini CLI",
    agent: "gemini",
    hook: "BeforeTool",
    payload: ({ session, command, cwd }) => ({
      session_id: session,
      cwd,
      hook_event_name: "BeforeTool",
      timestamp: TIME,
      tool_name: "run_shell_command",
      tool_input: { command },
    }),
    obey: obeyGemini,
    asked: "left",
    granted: "left",
  },
  {
    name: "Copilot CLI",
    agent: "github",
    hook: "preToolUse",
    payload: ({ session, command, cwd }) => ({
      sessionId: session,
      timestamp: 1_788_250_462_104,
      cwd,
      toolName: "bash",
      toolArgs: { command },
    }),
    obey: obeyCopilot,
    asked: "asked",
    granted: "ran",
  },
  {
    name: "VS Code",
    agent: "github",
    hook: "PreToolUse",
    payload: claudeShaped("runInTerminal", { timestamp: TIME }),
    obey: obeyClaude,
    asked: "asked",
    granted: "ran",
  },
  {
    name: "OpenCode",
    agent: "opencode",
    hook: "tool.execute.before",
    payload: ({ session, id, command, cwd }) => ({
      hook: "tool.execute.before",
      directory: cwd,
      input: { tool: "bash", sessionID: session, callID: id },
      output: { args: { command } },
    }),
    obey: obeyOpenCode,
    asked: "blocked",
    granted: "left",
  },
  {
    name: "Qwen Code",
    agent: "qwen",
    hook: "PreToolUse",
    payload: claudeShaped("run_shell_command", { timestamp: TIME, permission_mode: "default" }),
    obey: obeyClaude,
    asked: "asked",
    granted: "ran",
  },
];

function objectIn(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined; // not an object
  }
}

function bodyIn(value: Body, name: string): Body {
  const inner = value[name];
  return typeof inner === "object" && inner !== null ? { ...inner } : {};
}
