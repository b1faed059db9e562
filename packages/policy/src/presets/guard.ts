/** Asks about what is known to do harm, and leaves everything else to the agent. */
export const GUARD = `# Guard: what is known to do harm is asked about; everything else is left to the agent.
rules:
  - name: earshot-commands
    match:
      danger: [earshot-decides, earshot-loosens, earshot-stops, earshot-removes]
    answer: ask
    message: This would change what Earshot asks about, or who decides.

  - name: earshot-files
    match:
      path: ["{earshot}", "{earshot}/**", "**/.earshot", "**/.earshot/**"]
      access: [write, delete]
    answer: ask
    message: These are Earshot's own files, or a repository's rules.

  - name: hook-settings
    match:
      access: [write, delete]
      path:
        - "**/.claude/settings.json"
        - "**/.claude/settings.local.json"
        - "~/.claude/plugins/**/hooks/hooks.json"
        - "**/.cursor/hooks.json"
        - "**/.codex/hooks.json"
        - "**/.codex/config.toml"
        - "**/.codex/requirements.toml"
        - "**/.gemini/settings.json"
        - "~/.gemini/config/**"
        - "~/.gemini/antigravity-cli/plugins/**"
        - "**/.github/hooks/**"
        - "**/.github/copilot/settings.json"
        - "**/.github/copilot/settings.local.json"
        - "~/.copilot/hooks/**"
        - "~/.copilot/settings.json"
        - "~/.codeium/windsurf/hooks.json"
        - "~/.codeium/hooks.json"
        - "**/.windsurf/hooks.json"
        - "**/.devin/hooks.v1.json"
        - "**/.devin/config.json"
        - "**/.devin/config.local.json"
        - "~/.config/devin/config.json"
        - "**/.opencode/plugins/**"
        - "~/.config/opencode/**"
        - "**/opencode.json"
        - "**/opencode.jsonc"
        - "**/.clinerules/hooks/**"
        - "**/.cline/hooks/**"
        - "~/Documents/Cline/**"
        - "**/.qwen/settings.json"
        - "**/.agents/hooks.json"
        - "**/.agents/plugins/**"
        - "**/.factory/hooks.json"
        - "**/.factory/settings.json"
        - "**/.openhands/hooks.json"
        - "**/.kiro/hooks/**"
        - "**/.kiro/agents/**"
        - "**/.amazonq/**"
        - "~/.kimi-code/config.toml"
        - "**/.augment/settings.json"
        - "**/.augment/settings.local.json"
        - "**/crush.json"
        - "**/.crush.json"
        - "**/.amp/plugins/**"
        - "~/.config/amp/**"
        - "~/.hermes/config.yaml"
        - "~/.junie/config.json"
        - "**/.trae/hooks.json"
        - "~/.snowflake/cortex/settings.json"
        - "~/.abacusai/config.json"
        - "/etc/claude-code/**"
        - "/etc/cursor/**"
        - "/etc/gemini-cli/**"
        - "/etc/windsurf/**"
        - "/etc/augment/**"
    answer: ask
    message: A change here could take the agent out of Earshot's hearing.

  - name: hook-folders
    match:
      access: [write, delete]
      path:
        - "**/.claude"
        - "**/.cursor"
        - "**/.codex"
        - "**/.gemini"
        - "~/.gemini/config"
        - "**/.github/hooks"
        - "**/.github/copilot"
        - "~/.copilot"
        - "~/.copilot/hooks"
        - "**/.windsurf"
        - "~/.codeium"
        - "~/.codeium/windsurf"
        - "**/.devin"
        - "**/.opencode"
        - "**/.opencode/plugins"
        - "~/.config/opencode"
        - "**/.clinerules"
        - "**/.clinerules/hooks"
        - "**/.cline"
        - "**/.cline/hooks"
        - "**/.qwen"
        - "**/.agents"
        - "**/.agents/plugins"
        - "**/.factory"
        - "**/.openhands"
        - "**/.kiro"
        - "**/.kiro/hooks"
        - "**/.amazonq"
        - "~/.kimi-code"
        - "**/.augment"
        - "**/.amp"
        - "~/.config/amp"
        - "~/.hermes"
        - "~/.junie"
        - "**/.trae"
    answer: ask
    message: The hooks that let Earshot hear the agent may be in this folder.

  - name: destructive
    match:
      danger: any
    answer: ask

  - name: unreadable
    match:
      inspectable: false
    answer: ask
    message: The command cannot be taken apart, so nobody can say what it would do.
`;
