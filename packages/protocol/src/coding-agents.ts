// Written by `npm run generate` from the folders in packages/agents/agents.

/** Marks of one agent alone in its payloads: see `signs` in an agent's card. */
export interface SenderSign {
  readonly env?: string;
  readonly has?: readonly string[];
  readonly lacks?: readonly string[];
  readonly matches?: Readonly<Record<string, string>>;
}

interface SenderSigns {
  readonly signs?: readonly SenderSign[];
  readonly before?: readonly string[];
  readonly alike?: readonly string[];
  readonly borrows?: { readonly of: string; readonly signs: readonly SenderSign[] };
}

/** Agents whose gate was tried, and whether each runs a tool whose hook fails. */
export const CODING_AGENTS: readonly { readonly slug: string; readonly name: string; readonly runsOn: boolean }[] = [
  {
    "slug": "claude",
    "name": "Claude Code",
    "runsOn": false
  },
  {
    "slug": "cline",
    "name": "Cline",
    "runsOn": true
  },
  {
    "slug": "codex",
    "name": "Codex CLI",
    "runsOn": true
  },
  {
    "slug": "gemini",
    "name": "Gemini CLI",
    "runsOn": true
  },
  {
    "slug": "github",
    "name": "GitHub Copilot CLI and VS Code",
    "runsOn": false
  },
  {
    "slug": "kilo",
    "name": "Kilo Code",
    "runsOn": false
  },
  {
    "slug": "opencode",
    "name": "OpenCode",
    "runsOn": false
  },
  {
    "slug": "pi",
    "name": "Pi",
    "runsOn": false
  },
  {
    "slug": "qwen",
    "name": "Qwen Code",
    "runsOn": true
  },
  {
    "slug": "cursor",
    "name": "Cursor",
    "runsOn": false
  }
];

/** Common name of each agent, by its slug. */
export const AGENT_NAMES: Readonly<Record<string, string>> = {
  "amp": "Amp",
  "antigravity": "Antigravity",
  "auggie": "Augment",
  "claude": "Claude Code",
  "cline": "Cline",
  "codex": "Codex",
  "crush": "Crush",
  "cursor": "Cursor",
  "devin": "Devin",
  "droid": "Factory Droid",
  "gemini": "Gemini CLI",
  "github": "GitHub Copilot",
  "goose": "goose",
  "hermes": "Hermes",
  "kilo": "Kilo Code",
  "kimi": "Kimi Code",
  "kiro": "Kiro",
  "opencode": "OpenCode",
  "openhands": "OpenHands",
  "pi": "Pi",
  "qwen": "Qwen Code",
  "windsurf": "Windsurf"
};

/** Other names of agents, and the slug of each. */
export const AGENT_ALIASES: Readonly<Record<string, string>> = {
  "antigravity-cli": "antigravity",
  "augment": "auggie",
  "claude-code": "claude",
  "codex-cli": "codex",
  "devin-cli": "devin",
  "devin-local": "devin",
  "factory": "droid",
  "factory-droid": "droid",
  "gemini-cli": "gemini",
  "copilot": "github",
  "copilot-cli": "github",
  "github-copilot": "github",
  "vscode": "github",
  "vs-code": "github",
  "vscode-agent": "github",
  "hermes-agent": "hermes",
  "kilo-code": "kilo",
  "kilocode": "kilo",
  "kimi-cli": "kimi",
  "kimi-code": "kimi",
  "kiro-cli": "kiro",
  "amazon-q": "kiro",
  "open-code": "opencode",
  "open-hands": "openhands",
  "pi-coding-agent": "pi",
  "qwen-code": "qwen",
  "cascade": "windsurf",
  "devin-desktop": "windsurf"
};

export const AGENT_SIGNS: Readonly<Record<string, SenderSigns>> = {
  "antigravity": {
    "signs": [
      {
        "has": [
          "conversationId",
          "workspacePaths"
        ]
      },
      {
        "has": [
          "toolCall",
          "conversationId"
        ]
      }
    ]
  },
  "auggie": {
    "signs": [
      {
        "has": [
          "conversation_id",
          "workspace_roots",
          "is_mcp_tool"
        ]
      },
      {
        "has": [
          "conversation_id",
          "workspace_roots",
          "agent_stop_cause"
        ]
      }
    ]
  },
  "cline": {
    "signs": [
      {
        "has": [
          "clineVersion"
        ]
      },
      {
        "has": [
          "hookName",
          "taskId"
        ]
      }
    ]
  },
  "codex": {
    "signs": [
      {
        "has": [
          "turn_id",
          "model"
        ],
        "matches": {
          "hook_event_name": "^[A-Z]"
        }
      }
    ]
  },
  "crush": {
    "signs": [
      {
        "env": "CRUSH=1",
        "has": [
          "session_id"
        ],
        "lacks": [
          "hook_event_name"
        ],
        "matches": {
          "event": ""
        }
      },
      {
        "has": [
          "session_id",
          "cwd"
        ],
        "lacks": [
          "hook_event_name",
          "working_dir",
          "matcher_context"
        ],
        "matches": {
          "event": ""
        }
      }
    ],
    "before": [
      "goose"
    ],
    "alike": [
      "goose"
    ]
  },
  "cursor": {
    "signs": [
      {
        "has": [
          "cursor_version"
        ]
      },
      {
        "has": [
          "generation_id",
          "workspace_roots"
        ]
      }
    ]
  },
  "devin": {
    "borrows": {
      "of": "claude",
      "signs": [
        {
          "env": "DEVIN_PROJECT_DIR",
          "has": [
            "prompt_id"
          ],
          "lacks": [
            "cwd"
          ]
        }
      ]
    }
  },
  "droid": {
    "borrows": {
      "of": "claude",
      "signs": [
        {
          "env": "FACTORY_PROJECT_DIR"
        }
      ]
    }
  },
  "gemini": {
    "signs": [
      {
        "has": [
          "llm_request"
        ]
      },
      {
        "matches": {
          "hook_event_name": "^(?:(?:Before|After)(?:Tool|Agent|Model)|BeforeToolSelection|PreCompress)$"
        }
      }
    ]
  },
  "github": {
    "signs": [
      {
        "has": [
          "toolArgs"
        ]
      },
      {
        "has": [
          "sessionId",
          "timestamp"
        ]
      }
    ],
    "borrows": {
      "of": "claude",
      "signs": [
        {
          "has": [
            "hook_event_name",
            "timestamp"
          ]
        },
        {
          "has": [
            "hookEventName",
            "timestamp"
          ]
        }
      ]
    }
  },
  "goose": {
    "signs": [
      {
        "has": [
          "session_id"
        ],
        "lacks": [
          "hook_event_name"
        ],
        "matches": {
          "event": ""
        }
      }
    ],
    "alike": [
      "crush"
    ]
  },
  "hermes": {
    "signs": [
      {
        "has": [
          "extra.telemetry_schema_version"
        ]
      }
    ]
  },
  "openhands": {
    "signs": [
      {
        "has": [
          "event_type"
        ]
      }
    ]
  },
  "qwen": {
    "before": [
      "droid",
      "github"
    ],
    "borrows": {
      "of": "claude",
      "signs": [
        {
          "env": "QWEN_PROJECT_DIR"
        }
      ]
    }
  },
  "windsurf": {
    "signs": [
      {
        "has": [
          "agent_action_name"
        ]
      }
    ]
  }
};

/** Agents that ask their own question although a request was allowed. */
export const ASKING_AGENTS: readonly string[] = [
  "auggie",
  "cline",
  "codex",
  "gemini",
  "hermes",
  "kilo",
  "kimi",
  "kiro",
  "opencode",
  "windsurf"
];

export const AGENT_PROGRAMS: readonly string[] = [
  "amp",
  "antigravity",
  "agy",
  "auggie",
  "claude",
  "cline",
  "codex",
  "crush",
  "cursor",
  "cursor-agent",
  "devin",
  "droid",
  "gemini",
  "copilot",
  "code",
  "code-insiders",
  "goose",
  "hermes",
  "kilo",
  "kilocode",
  "kimi",
  "kiro",
  "kiro-cli",
  "opencode",
  "openhands",
  "pi",
  "qwen",
  "windsurf"
];

/** Patterns for the agents' settings, hooks and plugins. */
export const AGENT_PATHS: readonly string[] = [
  "**/.amp",
  "**/.amp/**",
  "~/.config/amp",
  "~/.config/amp/**",
  "**/.gemini",
  "**/.gemini/**",
  "**/.agents",
  "**/.agents/**",
  "**/.augment",
  "**/.augment/**",
  "/etc/augment",
  "/etc/augment/**",
  "**/.claude",
  "**/.claude/**",
  "~/.config/claude",
  "~/.config/claude/**",
  "**/.claude.json",
  "**/.claude.json.*",
  "/etc/claude-code",
  "/etc/claude-code/**",
  "~/Library/Application Support/ClaudeCode/**",
  "~/Library/Application Support/Claude/**",
  "/Library/Application Support/ClaudeCode/**",
  "**/.cline",
  "**/.cline/**",
  "**/.clinerules/hooks",
  "**/.clinerules/hooks/**",
  "**/.clinerules",
  "~/Documents/Cline",
  "~/Documents/Cline/**",
  "**/.codex",
  "**/.codex/**",
  "~/.config/codex",
  "~/.config/codex/**",
  "/etc/codex",
  "/etc/codex/**",
  "~/.config/crush",
  "~/.config/crush/**",
  "**/crush.json",
  "**/.crush.json",
  "**/.cursor",
  "**/.cursor/**",
  "/etc/cursor",
  "/etc/cursor/**",
  "**/.devin",
  "**/.devin/**",
  "~/.config/devin",
  "~/.config/devin/**",
  "**/.factory",
  "**/.factory/**",
  "/etc/gemini-cli",
  "/etc/gemini-cli/**",
  "**/.copilot",
  "**/.copilot/**",
  "**/.github/hooks",
  "**/.github/hooks/**",
  "**/.github/copilot",
  "**/.github/copilot/**",
  "/etc/copilot",
  "/etc/copilot/**",
  "**/.goose",
  "**/.goose/**",
  "~/.config/goose",
  "~/.config/goose/**",
  "**/.goosehints",
  "**/.hermes",
  "**/.hermes/**",
  "**/.kilo",
  "**/.kilo/**",
  "**/.kilocode",
  "**/.kilocode/**",
  "~/.config/kilo",
  "~/.config/kilo/**",
  "**/kilo.json",
  "**/.kimi",
  "**/.kimi/**",
  "**/.kimi-code",
  "**/.kimi-code/**",
  "**/.kiro",
  "**/.kiro/**",
  "**/.amazonq",
  "**/.amazonq/**",
  "~/.config/kiro",
  "~/.config/kiro/**",
  "**/.opencode",
  "**/.opencode/**",
  "~/.config/opencode",
  "~/.config/opencode/**",
  "**/opencode.json",
  "**/opencode.jsonc",
  "/etc/opencode",
  "/etc/opencode/**",
  "**/.openhands",
  "**/.openhands/**",
  "**/.pi",
  "**/.pi/**",
  "**/.qwen",
  "**/.qwen/**",
  "**/.codeium",
  "**/.codeium/**",
  "**/.windsurf",
  "**/.windsurf/**",
  "/etc/windsurf",
  "/etc/windsurf/**"
];
