import type { PolicyInput } from "@earshot/policy";
import { CASE_CWD } from "../../packages/policy/testing/shell-commands/shell-case.ts";
import { SHELL_COMMANDS } from "../../packages/policy/testing/shell-commands/shell-commands.ts";

const common = { moment: "action", agent: "claude", session: "s-1", cwd: CASE_CWD, roots: [CASE_CWD], attended: true } as const;

/** Asks of tools other than a shell: reading, writing, an MCP server's tool. */
export function toolAsks(count: number): readonly PolicyInput[] {
  return Array.from({ length: count }, (_, index): PolicyInput => {
    const path = `${CASE_CWD}/src/part-${index % 97}/file-${index % 31}.ts`;
    const input = { file_path: path, content: "x".repeat(index % 200) };
    if (index % 3 === 0) return { ...common, tool: "Read", toolType: "native", paths: [{ path, access: "read" }], input };
    if (index % 3 === 1) return { ...common, tool: "Edit", toolType: "native", paths: [{ path, access: "write" }], input };
    return { ...common, tool: "mcp__forge__create_issue", toolType: "mcp", server: "forge", input: { title: `Issue ${index}` } };
  });
}

/** Common commands of agents. */
const EVERYDAY = [
  "npm test",
  "git status",
  "cd packages/hub && npx vitest run src/a.test.ts 2>&1 | tail -20",
  "ls -la src",
  "grep -rn 'createHub' src --include='*.ts' | head",
  "git diff HEAD~1 -- src/index.ts",
  "git add -A && git commit -m 'fix: the thing'",
  "cat package.json",
  "npm install left-pad",
  "mkdir -p src/new && touch src/new/index.ts",
  "python3 -m pytest tests/test_api.py -q",
  "curl -s http://localhost:3000/health",
  "rm -rf node_modules && npm ci",
  "sed -n '1,40p' src/index.ts",
  "docker compose up -d",
  "git push origin feature",
  "for f in a b; do echo $f; done",
  "find . -name '*.ts' -not -path './node_modules/*' | wc -l",
];

export function everydayAsks(count: number): readonly PolicyInput[] {
  return Array.from({ length: count }, (_, index): PolicyInput => {
    const command = EVERYDAY[index % EVERYDAY.length] ?? "ls";
    return { ...common, tool: "Bash", toolType: "native", command, input: { command } };
  });
}

/** The whole table of shell commands, repeated. */
export function shellAsks(count: number): readonly PolicyInput[] {
  return Array.from({ length: count }, (_, index): PolicyInput => {
    const command = SHELL_COMMANDS[index % SHELL_COMMANDS.length]?.command ?? "ls";
    return { ...common, tool: "Bash", toolType: "native", command, input: { command } };
  });
}
