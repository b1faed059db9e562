import { AGENT_PROGRAMS as SHIPPED } from "@earshot/protocol/coding-agents";
import type { Rows } from "./row.ts";

/** Editors that are no agents by themselves, though one runs in them. */
const EDITORS: readonly string[] = ["code", "code-insiders"];
/** Agents that hooks cannot be registered with, and other names of those that can. */
const OTHERS = "agent|q|aider|cn|continue|junie|cortex|abacusai|trae|trae-cli|warp|jules|plandex|forge|codebuff|rovodev|llm-agent";

/** The programs of coding agents. */
const AGENT_PROGRAMS = `${SHIPPED.filter((name) => !EDITORS.includes(name)).join("|")}|${OTHERS}`;

/** Earshot, and agents that would go out of its hearing. */
export const AGENTS: Rows = {
  "agent-unwatched": [
    [
      `${AGENT_PROGRAMS} [--dangerously-skip-permissions --allow-dangerously-skip-permissions --dangerously-bypass-approvals-and-sandbox --dangerously-bypass-hook-trust --dangerously-allow-all --yolo --full-auto --skip-permissions-unsafe --trust-all-tools --allow-all-tools --allow-all-paths --allow-all --always-approve --no-session --auto-approve --yes-always --no-hooks --no-extensions --no-plugins --pure --bare --force]`,
      "claude --dangerously-skip-permissions -p x",
      "claude -p x",
    ],
    [
      `${AGENT_PROGRAMS} [--allowed-tools --allowedTools --tools --add-dir --settings --setting-sources --config --config-dir --profile --plugin-dir --mcp-config --strict-mcp-config --policy]`,
      "claude --settings x.json -p x",
      "claude --resume x",
    ],
    [
      `${AGENT_PROGRAMS} [--permission-mode --approval-mode --ask-for-approval -a --sandbox --mode --auto]=bypass*|yolo|never|danger*|auto*|dontask|high|full*|acceptedits`,
      "claude --permission-mode bypassPermissions",
      "claude --permission-mode plan",
    ],
    ["codex [-s]=danger*", "codex -s danger-full-access exec x", "codex -s read-only exec x"],
    ["codex [-c --config -a --enable --disable -p --profile]", "codex -c hooks.enabled=false exec x", "codex exec x"],
    ["gemini|qwen|kimi|cline|crush [-y --yolo]", "qwen -y -p x", "qwen -p x"],
    ["cursor-agent|agent|amp|kiro-cli|q|pi [-f -a -ne -x]", "cursor-agent -f -p x", "cursor-agent -p x"],
    ["export|declare|typeset ~agent-home", "export CLAUDE_CONFIG_DIR=/tmp/x", "export CLAUDE=1"],
    [`${AGENT_PROGRAMS} {other-home}`, "CLAUDE_CONFIG_DIR=/tmp/x claude -p x", "CI=1 claude -p x"],
  ],
  "agent-settings": [
    [
      `${AGENT_PROGRAMS} config|mcp|plugin|plugins|extension|extensions|hooks|hook|settings|setup|install|skills|trust set|add|remove|install|enable|disable|unset|import|edit|update|uninstall|rm|delete|link|marketplace|add-json|add-from-*|reset-*|new|migrate`,
      "claude mcp add x -- y",
      "claude mcp list",
    ],
    [`${AGENT_PROGRAMS} uninstall|logout|migrate-installer|disable|install-hooks`, "claude migrate-installer", "claude --version"],
  ],
  "earshot-decides": [
    ["earshot allow|deny|answer", "earshot allow 3", "earshot inbox"],
    ["nc|ncat|telnet|socat localhost|127.0.0.1 4747", "nc localhost 4747 < req", "nc localhost 3000"],
    ["* {hub-address}", "curl -X POST http://127.0.0.1:4747/api/requests/1", "curl http://127.0.0.1:3000/api/requests/1"],
  ],
  "earshot-loosens": [
    ["earshot pause|away|resume-session|pair|token|reset-approver|init|unlock|device|source", "earshot pause 30m", "earshot policy check"],
    ["earshot session resume", "earshot session resume s1", "earshot session"],
    ["earshot policy add|accept|apply|approve|edit|set|use|reset|allow|forget", "earshot policy accept", "earshot policy try"],
    ["earshot config set|edit|unset", "earshot config set a b", "earshot config"],
    ["earshot hub config set|edit|unset", "earshot hub config set a b", "earshot hub config"],
    ["* {other-earshot}", "EARSHOT_HOME=/tmp/x earshot status", "earshot status"],
    ["export|declare|typeset ~earshot-variable", "export EARSHOT_HOME=/tmp/x", "export HOMES=1"],
  ],
  "earshot-stops": [
    ["earshot stop|restart|stop-session", "earshot stop", "earshot tail"],
    ["earshot hub stop|restart|autostart", "earshot hub stop", "earshot hub verify"],
    ["earshot session stop", "earshot session stop s1", "earshot sessions"],
    ["earshot service uninstall|remove|stop|disable", "earshot service stop", "earshot service status"],
    [
      "systemctl|service|launchctl|sc|schtasks|pm2|rc-service ** stop|disable|mask|kill|unload|bootout|remove|delete|end|off|revert /*earshot*/",
      "systemctl --user stop earshot",
      "systemctl --user status earshot",
    ],
    ["docker|podman|nerdctl stop|kill|rm|pause|restart /*earshot*/", "docker stop earshot", "docker logs earshot"],
    ["kill|pkill|killall|xkill|taskkill|fuser|kill-port|fkill|skill {kills-earshot}", "pkill -f earshot", "pkill -f vite"],
    ["pkill|killall node|nodejs|node.exe|npm|bun|main|mainthread", "killall node", "killall vite"],
  ],
  "earshot-removes": [
    ["earshot remove|uninstall|prune|erase", "earshot remove", "earshot verify"],
    ["earshot hub prune|erase", "earshot hub prune", "earshot hub verify"],
    ["earshot init [--undo]", "earshot init --undo", "earshot verify"],
    ["npm|pnpm|yarn|bun|brew uninstall|remove|rm|un|unlink /earshot*/", "npm uninstall -g earshot", "npm uninstall left-pad"],
  ],
};
