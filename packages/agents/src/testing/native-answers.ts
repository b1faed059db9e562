import type { JsonValue } from "@earshot/protocol/json";

/** What an agent's documents say must be printed: standard output as JSON or text, or an exit code with standard error. */
export type Said = JsonValue | { readonly exit: number; readonly stderr: string };

/**
 * One row per set of hooks that read the same answers, written down from the agents' documents and not from the files of answers.
 *
 * `words` are what allow, deny, ask, defer, block, continue, stop and abstain come to, in this order: `~` before a word says that
 * nothing is lost by it, `ask/deny` that the answer for ask is given and comes to deny.
 * `says` are the answers, with `M` where the message stands; `m` where it may be left out.
 */
export interface Row {
  readonly hooks: string;
  readonly words: string;
  readonly says: Readonly<Record<string, Said>>;
  /** Whether a tool is about to run, so that a changed input must not get lost. */
  readonly action?: true;
  readonly input?: Place & { readonly merges?: true };
  readonly context?: Place;
  readonly note?: Place;
}

/** With which answers something may be added, and at which dotted path or paths; "" is the whole of standard output. */
export interface Place {
  readonly with: string;
  readonly at: readonly string[];
}

export interface AgentRows {
  /** What is printed for no opinion. */
  readonly neutral: string;
  readonly rows: readonly Row[];
  /** Hooks at which nothing can be said at all. */
  readonly silent: string;
}

const SILENT = "~abstain abstain abstain abstain abstain ~abstain abstain ~abstain";
/** An end at which something can be sent back, with and without an end of the run. */
const END = "~abstain ~block abstain abstain block ~abstain abstain ~abstain";
const END_STOP = "~abstain ~block abstain abstain block ~abstain stop ~abstain";
/** A prompt that can be refused, with and without an end of the run. */
const PROMPT = "~abstain deny deny deny ~deny ~abstain deny ~abstain";
const PROMPT_STOP = "~abstain deny deny deny ~deny ~abstain stop ~abstain";
const PASSING = "allow continue abstain";

const decided = (hook: string, word: string, reason: string) => ({
  hookSpecificOutput: { hookEventName: hook, permissionDecision: word, permissionDecisionReason: reason },
});
const permitted = (decision: JsonValue) => ({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
const blocked = { decision: "block", reason: "M" };
const stopped = { continue: false, stopReason: "M" };
/** Of Claude Code and what copies it: the end alone comes after the tool. */
const stoppedBefore = { ...stopped, ...decided("PreToolUse", "deny", "M") };
const exit2 = { exit: 2, stderr: "M" };
const added = (hook: string): Place => ({
  with: PASSING,
  at: ["hookSpecificOutput.additionalContext", `hookSpecificOutput.hookEventName=${hook}`],
});
const system = (words: string): Place => ({ with: words, at: ["systemMessage"] });

const OPENCODE_ROWS: readonly Row[] = [
  {
    hooks: "tool.execute.before",
    action: true,
    words: "allow/abstain deny deny deny ~deny abstain stop ~abstain",
    says: { allow: {}, deny: { throw: "M" }, stop: { throw: "M", abort: true } },
    input: { with: "allow", at: ["args"] },
    note: { with: "allow abstain", at: ["message"] },
  },
  {
    hooks: "permission.asked permission.updated permission.ask",
    action: true,
    words: "allow deny ask ask ~deny abstain stop ~abstain",
    says: {
      allow: { status: "allow", message: "m" },
      deny: { status: "deny", message: "M" },
      ask: { status: "ask", message: "m" },
      stop: { status: "deny", message: "M", abort: true },
    },
    note: { with: "abstain", at: ["message"] },
  },
  {
    hooks: "tool.execute.after",
    words: END_STOP,
    says: { block: { output: "M" }, stop: { output: "M", abort: true } },
    context: { with: "allow continue block abstain", at: ["append"] },
  },
  { hooks: "session.idle", words: END, says: { block: { prompt: "M" } } },
  {
    hooks: "question.asked",
    words: "~abstain deny abstain abstain ~deny ~abstain stop ~abstain",
    says: { deny: { reject: true, message: "M" }, stop: { reject: true, abort: true, message: "M" } },
  },
];
const OPENCODE_SILENT =
  "session.created session.deleted session.status session.error session.compacted message.updated message.part.updated permission.replied question.replied question.rejected todo.updated file.edited command.executed server.connected shell.env experimental.session.compacting";

export const NATIVE_ANSWERS: Readonly<Record<string, AgentRows>> = {
  claude: {
    neutral: "",
    rows: [
      {
        hooks: "PreToolUse",
        action: true,
        words: "allow deny ask ask ~deny abstain stop ~abstain",
        says: {
          allow: decided("PreToolUse", "allow", "m"),
          deny: decided("PreToolUse", "deny", "M"),
          ask: decided("PreToolUse", "ask", "m"),
          stop: stoppedBefore,
        },
        input: { with: "allow ask", at: ["hookSpecificOutput.updatedInput"] },
        context: { with: "allow deny ask abstain", at: ["hookSpecificOutput.additionalContext"] },
        note: system("abstain"),
      },
      {
        hooks: "PermissionRequest",
        action: true,
        words: "allow deny abstain abstain ~deny abstain stop ~abstain",
        says: {
          allow: permitted({ behavior: "allow" }),
          deny: permitted({ behavior: "deny", message: "M" }),
          stop: permitted({ behavior: "deny", message: "M", interrupt: true }),
        },
        input: { with: "allow", at: ["hookSpecificOutput.decision.updatedInput"] },
        note: system("allow abstain"),
      },
      {
        hooks: "UserPromptSubmit",
        words: PROMPT_STOP,
        says: { deny: blocked, stop: stopped },
        context: added("UserPromptSubmit"),
        note: system(PASSING),
      },
      {
        hooks: "UserPromptExpansion",
        words: PROMPT_STOP,
        says: { deny: blocked, stop: stopped },
        context: added("UserPromptExpansion"),
        note: system(PASSING),
      },
      {
        hooks: "PostToolUse",
        words: END_STOP,
        says: { block: blocked, stop: stopped },
        context: {
          with: "allow continue block abstain",
          at: ["hookSpecificOutput.additionalContext", "hookSpecificOutput.hookEventName=PostToolUse"],
        },
        note: system(PASSING),
      },
      {
        hooks: "PostToolBatch",
        words: END_STOP,
        says: { block: blocked, stop: stopped },
        context: {
          with: "allow continue block abstain",
          at: ["hookSpecificOutput.additionalContext", "hookSpecificOutput.hookEventName=PostToolBatch"],
        },
        note: system(PASSING),
      },
      { hooks: "PostToolUseFailure", words: SILENT, says: {}, context: added("PostToolUseFailure"), note: system("allow continue") },
      { hooks: "Stop SubagentStop", words: END_STOP, says: { block: blocked, stop: stopped }, note: system(PASSING) },
      { hooks: "TaskCreated TaskCompleted TeammateIdle", words: END, says: { block: exit2 } },
      { hooks: "SessionStart", words: SILENT, says: {}, context: added("SessionStart"), note: system(PASSING) },
      { hooks: "SubagentStart", words: SILENT, says: {}, context: added("SubagentStart"), note: system(PASSING) },
      { hooks: "PostModelSwitch", words: SILENT, says: {}, context: added("PostModelSwitch"), note: system(PASSING) },
      {
        hooks: "Elicitation",
        words: "~abstain deny abstain abstain ~deny ~abstain stop ~abstain",
        says: {
          deny: { hookSpecificOutput: { hookEventName: "Elicitation", action: "decline" } },
          stop: { hookSpecificOutput: { hookEventName: "Elicitation", action: "cancel" } },
        },
      },
      { hooks: "PreCompact ConfigChange", words: PROMPT, says: { deny: blocked } },
    ],
    silent:
      "SessionEnd PermissionDenied Notification MessageDisplay StopFailure CwdChanged DirectoryAdded FileChanged WorktreeCreate WorktreeRemove PostCompact PreModelSwitch ElicitationResult Setup InstructionsLoaded",
  },
  codex: {
    neutral: "",
    rows: [
      {
        hooks: "PreToolUse",
        action: true,
        words: "abstain deny deny deny ~deny abstain deny ~abstain",
        says: { deny: decided("PreToolUse", "deny", "M") },
        context: { with: "abstain", at: ["hookSpecificOutput.additionalContext", "hookSpecificOutput.hookEventName=PreToolUse"] },
      },
      {
        hooks: "PermissionRequest",
        action: true,
        words: "allow deny abstain abstain ~deny abstain deny ~abstain",
        says: { allow: permitted({ behavior: "allow" }), deny: permitted({ behavior: "deny", message: "M" }) },
      },
      { hooks: "UserPromptSubmit", words: PROMPT, says: { deny: blocked }, context: added("UserPromptSubmit") },
      { hooks: "PostToolUse", words: END_STOP, says: { block: blocked, stop: stopped }, context: added("PostToolUse") },
      { hooks: "Stop", words: END_STOP, says: { block: blocked, stop: stopped } },
      { hooks: "SubagentStop", words: END, says: { block: blocked } },
      { hooks: "SessionStart", words: SILENT, says: {}, context: added("SessionStart") },
      { hooks: "PreCompact", words: "~abstain stop stop stop stop ~abstain stop ~abstain", says: { stop: stopped } },
    ],
    silent: "SessionEnd SubagentStart PostCompact Interrupt StopFailure",
  },
  cursor: {
    neutral: "{}\n",
    rows: [
      {
        hooks: "preToolUse",
        action: true,
        words: "allow deny deny deny ~deny abstain deny ~abstain",
        says: { allow: { permission: "allow" }, deny: { permission: "deny", user_message: "M", agent_message: "M" } },
        input: { with: "allow", at: ["updated_input"] },
        note: { with: "allow", at: ["agent_message"] },
      },
      {
        hooks: "beforeShellExecution beforeMCPExecution",
        action: true,
        words: "allow deny ask ask ~deny abstain deny ~abstain",
        says: {
          allow: { permission: "allow" },
          deny: { permission: "deny", user_message: "M", agent_message: "M" },
          ask: { permission: "ask", user_message: "m", agent_message: "m" },
        },
        note: { with: "allow", at: ["agent_message"] },
      },
      {
        hooks: "beforeReadFile beforeTabFileRead",
        action: true,
        words: "allow deny deny deny ~deny abstain deny ~abstain",
        says: { allow: { permission: "allow" }, deny: { permission: "deny", user_message: "M" } },
      },
      {
        hooks: "subagentStart",
        words: "allow deny deny deny ~deny ~abstain deny ~abstain",
        says: { allow: { permission: "allow" }, deny: { permission: "deny", user_message: "M" } },
      },
      {
        hooks: "beforeSubmitPrompt",
        words: "allow deny deny deny ~deny continue deny ~abstain",
        says: { allow: { continue: true }, continue: { continue: true }, deny: { continue: false, user_message: "M" } },
      },
      { hooks: "postToolUse sessionStart", words: SILENT, says: {}, context: { with: PASSING, at: ["additional_context"] } },
      { hooks: "stop subagentStop", words: END, says: { block: { followup_message: "M" } } },
      { hooks: "preCompact", words: SILENT, says: {}, note: { with: PASSING, at: ["user_message"] } },
    ],
    silent:
      "sessionEnd postToolUseFailure afterShellExecution afterMCPExecution afterFileEdit afterAgentResponse afterAgentThought afterTabFileEdit workspaceOpen",
  },
  gemini: {
    neutral: "{}\n",
    rows: [
      {
        hooks: "BeforeTool",
        action: true,
        words: "allow/abstain deny ask ask ~deny abstain stop ~abstain",
        says: {
          allow: { decision: "allow" },
          deny: { decision: "deny", reason: "M" },
          ask: { decision: "ask", reason: "m", systemMessage: "m" },
          stop: stopped,
        },
        input: { with: "allow", at: ["hookSpecificOutput.tool_input"], merges: true },
        note: system("allow abstain"),
      },
      {
        hooks: "BeforeAgent",
        words: PROMPT_STOP,
        says: { deny: { decision: "deny", reason: "M" }, stop: stopped },
        context: added("BeforeAgent"),
        note: system(PASSING),
      },
      {
        hooks: "AfterTool",
        words: END_STOP,
        says: { block: { decision: "deny", reason: "M" }, stop: stopped },
        context: { with: "allow continue block abstain", at: ["hookSpecificOutput.additionalContext"] },
        note: system(PASSING),
      },
      { hooks: "AfterAgent", words: END_STOP, says: { block: { decision: "deny", reason: "M" }, stop: stopped }, note: system(PASSING) },
      { hooks: "SessionStart", words: SILENT, says: {}, context: added("SessionStart"), note: system(PASSING) },
    ],
    silent: "SessionEnd AfterModel BeforeModel BeforeToolSelection PreCompress Notification",
  },
  github: {
    neutral: "",
    rows: [
      {
        hooks: "preToolUse",
        action: true,
        words: "allow deny ask ask ~deny abstain deny ~abstain",
        says: {
          allow: { permissionDecision: "allow", permissionDecisionReason: "m" },
          deny: { permissionDecision: "deny", permissionDecisionReason: "M" },
          ask: { permissionDecision: "ask", permissionDecisionReason: "m" },
        },
        input: { with: "allow ask", at: ["modifiedArgs"] },
      },
      {
        hooks: "PreToolUse",
        action: true,
        words: "allow deny ask ask ~deny abstain stop ~abstain",
        says: {
          allow: { permissionDecision: "allow", permissionDecisionReason: "m", ...decided("PreToolUse", "allow", "m") },
          deny: { permissionDecision: "deny", permissionDecisionReason: "M", ...decided("PreToolUse", "deny", "M") },
          ask: { permissionDecision: "ask", permissionDecisionReason: "m", ...decided("PreToolUse", "ask", "m") },
          stop: { ...stopped, permissionDecision: "deny", permissionDecisionReason: "M", ...decided("PreToolUse", "deny", "M") },
        },
        input: { with: "allow ask", at: ["modifiedArgs", "hookSpecificOutput.updatedInput"] },
        context: { with: "allow deny ask abstain", at: ["hookSpecificOutput.additionalContext"] },
        note: system("abstain"),
      },
      {
        hooks: "permissionRequest",
        action: true,
        words: "allow deny abstain abstain ~deny abstain stop ~abstain",
        says: {
          allow: { behavior: "allow" },
          deny: { behavior: "deny", message: "M" },
          stop: { behavior: "deny", message: "M", interrupt: true },
        },
      },
      {
        hooks: "PermissionRequest",
        action: true,
        words: "allow deny abstain abstain ~deny abstain stop ~abstain",
        says: {
          allow: { behavior: "allow", ...permitted({ behavior: "allow" }) },
          deny: { behavior: "deny", message: "M", ...permitted({ behavior: "deny", message: "M" }) },
          stop: { behavior: "deny", message: "M", interrupt: true, ...permitted({ behavior: "deny", message: "M", interrupt: true }) },
        },
      },
      { hooks: "UserPromptSubmit", words: PROMPT_STOP, says: { deny: exit2, stop: stopped }, note: system(PASSING) },
      {
        hooks: "postToolUse postToolUseFailure PostToolUseFailure",
        words: SILENT,
        says: {},
        context: { with: PASSING, at: ["additionalContext"] },
      },
      {
        hooks: "PostToolUse",
        words: END_STOP,
        says: { block: blocked, stop: stopped },
        context: { with: "allow continue block abstain", at: ["additionalContext", "hookSpecificOutput.additionalContext"] },
        note: system(PASSING),
      },
      { hooks: "agentStop subagentStop", words: END, says: { block: blocked } },
      {
        hooks: "Stop",
        words: END_STOP,
        says: { block: { ...blocked, hookSpecificOutput: { hookEventName: "Stop", ...blocked } }, stop: stopped },
      },
      { hooks: "SubagentStop", words: END_STOP, says: { block: blocked, stop: stopped } },
      {
        hooks: "sessionStart subagentStart notification Notification",
        words: SILENT,
        says: {},
        context: { with: PASSING, at: ["additionalContext"] },
      },
      {
        hooks: "SessionStart",
        words: SILENT,
        says: {},
        context: {
          with: PASSING,
          at: ["additionalContext", "hookSpecificOutput.additionalContext", "hookSpecificOutput.hookEventName=SessionStart"],
        },
      },
      {
        hooks: "SubagentStart",
        words: SILENT,
        says: {},
        context: {
          with: PASSING,
          at: ["additionalContext", "hookSpecificOutput.additionalContext", "hookSpecificOutput.hookEventName=SubagentStart"],
        },
      },
    ],
    silent: "sessionEnd SessionEnd userPromptSubmitted userPromptTransformed errorOccurred ErrorOccurred preCompact PreCompact",
  },
  opencode: { neutral: "{}\n", rows: OPENCODE_ROWS, silent: OPENCODE_SILENT },
  kilo: { neutral: "{}\n", rows: OPENCODE_ROWS, silent: OPENCODE_SILENT },
  qwen: {
    neutral: "{}\n",
    rows: [
      {
        hooks: "PreToolUse",
        action: true,
        words: "allow deny ask ask ~deny abstain stop ~abstain",
        says: {
          allow: decided("PreToolUse", "allow", "M"),
          deny: decided("PreToolUse", "deny", "M"),
          ask: decided("PreToolUse", "ask", "M"),
          stop: stopped,
        },
        context: { with: "allow deny ask abstain", at: ["hookSpecificOutput.additionalContext"] },
      },
      {
        hooks: "PermissionRequest",
        action: true,
        words: "allow deny abstain abstain ~deny abstain stop ~abstain",
        says: {
          allow: permitted({ behavior: "allow" }),
          deny: permitted({ behavior: "deny", message: "M" }),
          stop: permitted({ behavior: "deny", message: "M", interrupt: true }),
        },
        input: { with: "allow", at: ["hookSpecificOutput.decision.updatedInput"] },
      },
      { hooks: "UserPromptSubmit", words: PROMPT_STOP, says: { deny: blocked, stop: stopped }, context: added("UserPromptSubmit") },
      {
        hooks: "PostToolUse",
        words: END_STOP,
        says: { block: blocked, stop: stopped },
        context: { with: "allow continue block abstain", at: ["hookSpecificOutput.additionalContext"] },
      },
      { hooks: "PostToolUseFailure", words: SILENT, says: {}, context: added("PostToolUseFailure") },
      { hooks: "Stop SubagentStop", words: END_STOP, says: { block: blocked, stop: stopped } },
      { hooks: "SessionStart", words: SILENT, says: {}, context: added("SessionStart") },
      { hooks: "SubagentStart", words: SILENT, says: {}, context: added("SubagentStart") },
      { hooks: "PreCompact", words: SILENT, says: {}, context: added("PreCompact") },
      { hooks: "TodoCreated TodoCompleted", words: PROMPT, says: { deny: blocked } },
    ],
    silent: "SessionEnd SessionDelete PermissionDenied MessageDisplay StopFailure PostCompact Notification",
  },
  windsurf: {
    neutral: "",
    rows: [
      {
        hooks: "pre_read_code pre_write_code pre_run_command pre_mcp_tool_use",
        action: true,
        words: "abstain deny deny deny ~deny abstain deny ~abstain",
        says: { deny: exit2 },
      },
      { hooks: "pre_user_prompt", words: PROMPT, says: { deny: exit2 } },
    ],
    silent:
      "post_read_code post_write_code post_run_command post_mcp_tool_use post_cascade_response post_cascade_response_with_transcript post_setup_worktree",
  },
  cline: {
    neutral: "{}\n",
    rows: [
      {
        hooks: "PreToolUse tool_call",
        action: true,
        words: "allow/abstain deny/stop deny/stop deny/stop deny/stop abstain stop ~abstain",
        says: { allow: { cancel: false }, deny: { cancel: true, errorMessage: "M" }, stop: { cancel: true, errorMessage: "M" } },
        context: { with: "allow abstain", at: ["contextModification", "context"] },
      },
      {
        hooks: "PostToolUse tool_result",
        words: "~abstain abstain abstain abstain abstain ~abstain stop ~abstain",
        says: { stop: { cancel: true, errorMessage: "M" } },
        context: { with: PASSING, at: ["contextModification", "context"] },
      },
      {
        hooks: "UserPromptSubmit prompt_submit",
        words: "~abstain deny/stop deny/stop deny/stop deny/stop ~abstain stop ~abstain",
        says: { deny: { cancel: true, errorMessage: "M" }, stop: { cancel: true, errorMessage: "M" } },
        context: { with: PASSING, at: ["contextModification", "context"] },
      },
    ],
    silent:
      "TaskStart agent_start TaskResume agent_resume TaskComplete agent_end TaskCancel agent_abort TaskError agent_error PreCompact pre_compact SessionShutdown session_shutdown",
  },
  antigravity: {
    neutral: "",
    rows: [
      {
        hooks: "PreToolUse",
        action: true,
        words: "allow deny ask ask ~deny abstain deny ~abstain",
        says: { allow: { decision: "allow", reason: "m" }, deny: { decision: "deny", reason: "M" }, ask: { decision: "ask", reason: "m" } },
      },
      { hooks: "Stop", words: END, says: { block: { decision: "continue", reason: "M" } } },
    ],
    silent: "PostToolUse PreInvocation PostInvocation",
  },
  droid: {
    neutral: "",
    rows: [
      {
        hooks: "PreToolUse",
        action: true,
        words: "allow deny ask ask ~deny abstain stop ~abstain",
        says: {
          allow: decided("PreToolUse", "allow", "m"),
          deny: decided("PreToolUse", "deny", "M"),
          ask: decided("PreToolUse", "ask", "m"),
          stop: stoppedBefore,
        },
        input: { with: "allow ask", at: ["hookSpecificOutput.updatedInput"] },
        note: system("abstain"),
      },
      { hooks: "UserPromptSubmit", words: PROMPT_STOP, says: { deny: blocked, stop: stopped }, context: added("UserPromptSubmit") },
      {
        hooks: "PostToolUse",
        words: END_STOP,
        says: { block: blocked, stop: stopped },
        context: { with: "allow continue block abstain", at: ["hookSpecificOutput.additionalContext"] },
      },
      { hooks: "Stop SubagentStop", words: END_STOP, says: { block: blocked, stop: stopped } },
      { hooks: "SessionStart", words: SILENT, says: {}, context: added("SessionStart") },
    ],
    silent: "SessionEnd Notification PreCompact",
  },
  openhands: {
    neutral: "",
    rows: [
      {
        hooks: "PreToolUse pre_tool_use",
        action: true,
        words: "allow deny deny deny ~deny abstain deny ~abstain",
        says: { allow: { decision: "allow", reason: "m" }, deny: { decision: "deny", reason: "M" } },
        context: { with: "allow abstain", at: ["additionalContext"] },
      },
      {
        hooks: "UserPromptSubmit user_prompt_submit",
        words: PROMPT,
        says: { deny: { decision: "deny", reason: "M" } },
        context: { with: PASSING, at: ["additionalContext"] },
      },
      { hooks: "Stop stop", words: END, says: { block: { decision: "deny", reason: "M" } } },
      {
        hooks: "PostToolUse post_tool_use SessionStart session_start",
        words: SILENT,
        says: {},
        context: { with: PASSING, at: ["additionalContext"] },
      },
    ],
    silent:
      "SessionEnd session_end ActionEvent ObservationEvent UserRejectObservation AgentErrorEvent MessageEvent Condensation CondensationRequest CondensationSummaryEvent ConversationErrorEvent PauseEvent StreamingDeltaEvent",
  },
  kiro: {
    neutral: "",
    rows: [
      {
        hooks: "PreToolUse preToolUse",
        action: true,
        words: "abstain deny deny deny ~deny abstain deny ~abstain",
        says: { deny: exit2 },
      },
      {
        hooks: "UserPromptSubmit userPromptSubmit",
        words: "~abstain deny/abstain deny/abstain deny/abstain deny/abstain ~abstain deny/abstain ~abstain",
        says: { deny: exit2 },
        context: { with: PASSING, at: [""] },
      },
      { hooks: "SessionStart sessionStart agentSpawn", words: SILENT, says: {}, context: { with: PASSING, at: [""] } },
      { hooks: "Stop stop", words: END, says: { block: blocked } },
    ],
    silent:
      "PostToolUse postToolUse PreTaskExec preTaskExec PostTaskExec postTaskExec PostFileCreate postFileCreate PostFileSave postFileSave PostFileDelete postFileDelete Manual manual",
  },
  kimi: {
    neutral: "",
    rows: [
      {
        hooks: "PreToolUse",
        action: true,
        words: "abstain deny deny deny ~deny abstain deny ~abstain",
        says: { deny: decided("PreToolUse", "deny", "M") },
      },
      { hooks: "UserPromptSubmit", words: PROMPT, says: { deny: decided("UserPromptSubmit", "deny", "M") } },
      { hooks: "Stop", words: END, says: { block: decided("Stop", "deny", "M") } },
    ],
    silent:
      "SessionStart SessionEnd PermissionRequest PermissionResult PostToolUse PostToolUseFailure StopFailure Interrupt SubagentStart SubagentStop PreCompact PostCompact Notification",
  },
  auggie: {
    neutral: "",
    rows: [
      {
        hooks: "PreToolUse",
        action: true,
        words: "abstain deny deny deny ~deny abstain stop ~abstain",
        says: { deny: decided("PreToolUse", "deny", "M"), stop: stoppedBefore },
      },
      {
        hooks: "PostToolUse",
        words: END_STOP,
        says: { block: { hookSpecificOutput: { hookEventName: "PostToolUse", ...blocked } }, stop: stopped },
        context: { with: "allow continue block abstain", at: ["hookSpecificOutput.additionalContext"] },
      },
      { hooks: "Stop", words: END_STOP, says: { block: { hookSpecificOutput: { hookEventName: "Stop", ...blocked } }, stop: stopped } },
      { hooks: "SessionStart", words: SILENT, says: {}, context: { with: PASSING, at: [""] } },
    ],
    silent: "SessionEnd",
  },
  goose: {
    neutral: "",
    rows: [
      {
        hooks: "PreToolUse",
        action: true,
        words: "allow deny deny deny ~deny abstain deny ~abstain",
        says: { allow: { decision: "allow" }, deny: blocked },
      },
      { hooks: "Stop", words: END, says: { block: blocked } },
    ],
    silent:
      "SessionStart SessionEnd UserPromptSubmit PreToolUseResult PostToolUse PostToolUseFailure AfterFileEdit BeforeReadFile BeforeShellExecution AfterShellExecution",
  },
  crush: {
    neutral: "{}\n",
    rows: [
      {
        hooks: "PreToolUse",
        action: true,
        words: "allow deny abstain abstain ~deny abstain stop ~abstain",
        says: {
          allow: { decision: "allow", reason: "m" },
          deny: { decision: "deny", reason: "M" },
          stop: { decision: "deny", halt: true, reason: "M" },
        },
        input: { with: "allow", at: ["updated_input"], merges: true },
        context: { with: "allow deny abstain", at: ["context"] },
      },
    ],
    silent:
      "PostToolUse PostToolUseFailure PermissionRequest PermissionResult SessionStart SessionEnd TurnStart TurnEnd StopFailure Interrupt PreCompact PostCompact",
  },
  amp: {
    neutral: "{}\n",
    rows: [
      {
        hooks: "tool.call",
        action: true,
        words: "allow deny ask ask ~deny abstain deny abstain",
        says: {
          allow: { action: "allow" },
          deny: { action: "reject-and-continue", message: "M" },
          ask: { action: "confirm", message: "M" },
          abstain: { action: "allow" },
        },
      },
      { hooks: "agent.end", words: END, says: { block: { action: "continue", userMessage: "M" } } },
    ],
    silent: "session.start agent.start tool.result",
  },
  hermes: {
    neutral: "{}\n",
    rows: [
      {
        hooks: "pre_tool_call",
        action: true,
        words: "abstain deny deny deny ~deny abstain deny ~abstain",
        says: { deny: { action: "block", message: "M", decision: "block", reason: "M" } },
      },
      { hooks: "pre_llm_call", words: SILENT, says: {}, context: { with: PASSING, at: ["context"] } },
    ],
    silent:
      "on_session_start on_session_finalize on_session_end on_session_reset post_tool_call pre_approval_request post_approval_response subagent_start subagent_stop api_request_error",
  },
  pi: {
    neutral: "{}\n",
    rows: [
      {
        hooks: "tool_call",
        action: true,
        words: "abstain deny deny deny ~deny abstain stop ~abstain",
        says: { deny: { block: true, reason: "M" }, stop: { block: true, reason: "M", abort: true } },
      },
    ],
    silent:
      "session_start session_shutdown session_compact agent_start agent_end turn_start turn_end message_start message_update message_end tool_execution_start tool_execution_update tool_execution_end model_select",
  },
  devin: {
    neutral: "",
    rows: [
      {
        hooks: "PreToolUse",
        action: true,
        words: "allow deny deny deny ~deny abstain deny ~abstain",
        says: { allow: { decision: "approve", reason: "m" }, deny: blocked },
        input: { with: "allow", at: ["hookSpecificOutput.updatedInput"], merges: true },
      },
      {
        hooks: "PermissionRequest",
        action: true,
        words: "allow deny abstain abstain ~deny abstain deny ~abstain",
        says: { allow: { decision: "approve", reason: "m" }, deny: blocked },
      },
      { hooks: "UserPromptSubmit", words: PROMPT, says: { deny: blocked }, context: added("UserPromptSubmit") },
      { hooks: "Stop", words: END, says: { block: blocked } },
      { hooks: "SessionStart", words: SILENT, says: {}, context: added("SessionStart") },
      { hooks: "PostToolUse", words: SILENT, says: {}, context: added("PostToolUse") },
    ],
    silent: "SessionEnd PostCompaction",
  },
};
