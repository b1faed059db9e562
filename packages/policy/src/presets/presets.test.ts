import type { JsonObject } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import { bash, compiled, file, HOME, policyOf } from "../../testing/policies.ts";
import type { PolicyInput } from "../asked.ts";
import { compilePolicy } from "../compile-with-re2.ts";
import { decideByPolicy } from "../decide.ts";
import { readPolicy } from "../read/read-policy.ts";
import { PRESETS } from "./presets.ts";

function said(preset: string, asked: PolicyInput): string {
  const { behaviour, rule } = decideByPolicy(compiled(`extends: ${preset}`), asked);
  return rule === undefined ? behaviour : `${behaviour} by ${rule.name}`;
}

describe("the presets", () => {
  it.each(Object.keys(PRESETS))("%s is read without a word", (name) => {
    expect(readPolicy({ text: `extends: ${name}`, file: "policy.yaml", kind: "user" })).toMatchObject({ ok: true, troubles: [] });
  });

  it("have a test for each of their rules", () => {
    const names = Object.keys(PRESETS).flatMap((name) => policyOf(`extends: ${name}`).rules.map((rule) => rule.name));
    const tested = new Set([...WATCHED, ...GUARDED, ...CAREFUL, ...PASSED].map(([, expected]) => expected.split(" by ")[1]));
    expect(names.filter((name) => !tested.has(name))).toEqual([]);
  });
});

const WATCHED: readonly (readonly [PolicyInput, string])[] = [
  [bash("rm -rf /"), "abstain by watch-only/everything"],
  [bash("$X"), "abstain by watch-only/everything"],
  [{ moment: "permission", tool: "Bash" }, "abstain by watch-only/everything"],
  [{ moment: "stop" }, "abstain by watch-only/everything"],
];

describe("watch only", () => {
  it.each(WATCHED)("holds nothing: %j", (asked, expected) => {
    expect(said("watch-only", asked)).toBe(expected);
    expect(decideByPolicy(compiled("extends: watch-only"), asked).hold).toBe("never");
  });
});

const mcp = (input: JsonObject): PolicyInput => ({ moment: "action", tool: "mcp__x__y", toolType: "mcp", server: "x", input });

const GUARDED: readonly (readonly [PolicyInput, string])[] = [
  [bash("earshot allow 3"), "ask by guard/earshot"],
  [bash("npx earshot pause 1h"), "ask by guard/earshot"],
  [bash("earshot service uninstall"), "ask by guard/earshot"],
  [bash("earshot policy accept"), "ask by guard/earshot"],
  [bash("sudo pkill earshot"), "ask by guard/earshot"],
  [bash("earshot tail"), "abstain"],
  [file("Edit", "~/.earshot/policy.yaml", "write"), "ask by guard/earshot"],
  [file("Delete", `${HOME}/.earshot/ledger.db`, "delete"), "ask by guard/earshot"],
  [file("Write", ".earshot/policy.yaml", "write"), "ask by guard/earshot"],
  [file("Read", "~/.earshot/policy.yaml", "read"), "abstain"],
  [bash("rm -rf ~/.earshot"), "ask by guard/earshot"],
  [file("Write", ".claude/settings.json", "write"), "ask by guard/agent-settings"],
  [file("Write", "~/.claude/settings.json", "write"), "ask by guard/agent-settings"],
  [file("Write", ".CLAUDE/Settings.JSON", "write"), "ask by guard/agent-settings"],
  [file("Edit", "packages/x/.cursor/hooks.json", "write"), "ask by guard/agent-settings"],
  [file("Edit", ".github/hooks/gate.json", "write"), "ask by guard/agent-settings"],
  [file("Edit", "~/.codex/config.toml", "write"), "ask by guard/agent-settings"],
  [bash("jq '.hooks = {}' .claude/settings.json > x && mv x .claude/settings.json"), "ask by guard/agent-settings"],
  [file("Read", ".claude/settings.json", "read"), "abstain"],
  // An agent, a command or a skill may contain its own hooks and permissions.
  [file("Write", ".claude/agents/reviewer.md", "write"), "ask by guard/agent-settings"],
  [file("Write", ".claude/plans/cart.md", "write"), "abstain"],
  [bash("mv .claude .claude-off"), "ask by guard/agent-settings"],
  [file("Delete", ".qwen", "delete"), "ask by guard/agent-settings"],
  [bash("git reset --hard"), "ask by guard/destructive"],
  [bash("ls && npm publish"), "ask by guard/destructive"],
  [file("Write", "/etc/hosts", "write"), "ask by guard/destructive"],
  [bash("$CMD"), "ask by guard/unreadable"],
  [bash("Remove-Item x", { tool: "powershell", shell: "powershell" }), "ask by guard/unreadable"],
  [bash("ls"), "abstain"],
  [file("Write", "src/a.ts", "write"), "abstain"],
  [mcp({ options: { program: "rm", args: ["-rf", "/"] } }), "ask by guard/destructive"],
  [mcp({ body: '{"command":"rm -rf /"}' }), "ask by guard/destructive"],
  [mcp({ body: '{"command":"ls"}' }), "abstain"],
  [{ moment: "action", tool: "mcp__x__y", toolType: "mcp", server: "x" }, "abstain"],
  [{ moment: "prompt" }, "abstain"],
  [{ moment: "stop" }, "abstain"],
];

describe("guard", () => {
  it.each(GUARDED)("says to %j: %s", (asked, expected) => expect(said("guard", asked)).toBe(expected));

  it("protects the hub's own folder, wherever that is", () => {
    const policy = compilePolicy(policyOf("extends: guard"), { places: { home: HOME, earshot: "/data/hub" } });
    expect(decideByPolicy(policy, file("Write", "/data/hub/x", "write")).rule?.name).toBe("guard/earshot");
    expect(decideByPolicy(compiled("extends: guard"), file("Write", "/data/hub/x", "write")).rule).toBeUndefined();
  });
});

const CAREFUL: readonly (readonly [PolicyInput, string])[] = [
  [bash("earshot allow 3"), "ask by careful/earshot"],
  [file("Write", ".claude/settings.json", "write"), "ask by careful/agent-settings"],
  [bash("git reset --hard"), "ask by careful/destructive"],
  [bash("$CMD"), "ask by careful/unreadable"],
  [bash("frobnicate --all"), "ask by careful/not-understood"],
  [bash("python3 scripts/report.py"), "ask by careful/not-understood"],
  [bash("touch ~/notes.txt"), "ask by careful/not-understood"],
  [{ moment: "action", tool: "mcp__x__y", toolType: "mcp", server: "x" }, "ask by careful/not-understood"],
  [bash("ls -la && git status"), "abstain"],
  [bash("npm test 2>&1 | tail -20"), "abstain"],
  [bash("python3 -c 'print(1)'"), "abstain"],
  [file("Write", "src/a.ts", "write"), "abstain"],
  [{ moment: "action", tool: "mcp__forge__list_issues", toolType: "mcp", server: "forge" }, "abstain"],
  [{ moment: "stop" }, "abstain"],
];

describe("careful", () => {
  it.each(CAREFUL)("says to %j: %s", (asked, expected) => expect(said("careful", asked)).toBe(expected));
});

const PASSED: readonly (readonly [PolicyInput, string])[] = [
  [file("Read", "src/a.ts", "read"), "allow by fewer-prompts/workspace-reads"],
  [bash("cat README.md"), "allow by fewer-prompts/workspace-reads"],
  [bash("ls -la src && git status"), "allow by fewer-prompts/workspace-reads"],
  [bash("git diff | head -50"), "allow by fewer-prompts/workspace-reads"],
  [bash("find . -name '*.ts'"), "allow by fewer-prompts/workspace-reads"],
  [bash("grep -n todo src/*.ts"), "allow by fewer-prompts/workspace-reads"],
  [bash("npm test"), "allow by fewer-prompts/project-commands"],
  [bash("npm run test:unit"), "allow by fewer-prompts/project-commands"],
  [bash("cd packages/x && npx vitest run src/a.test.ts 2>&1 | tail -20"), "allow by fewer-prompts/project-commands"],
  [bash("CI=1 cargo test"), "allow by fewer-prompts/project-commands"],
  [bash("make lint"), "allow by fewer-prompts/project-commands"],
  [file("Read", ".env", "read"), "abstain"],
  [file("Read", "config/id_rsa", "read"), "abstain"],
  [file("Read", "deploy/server.pem", "read"), "abstain"],
  [file("Read", "~/.aws/credentials", "read"), "abstain"],
  [file("Read", "/etc/passwd", "read"), "abstain"],
  [file("Write", "src/a.ts", "write"), "abstain"],
  [file("Grep", "src", "read", { paths: [{ path: "src" }] }), "abstain"],
  [bash("cat .env"), "abstain"],
  [bash("cat src/a.ts .env.local"), "abstain"],
  [bash("cat *"), "abstain"],
  [bash("cat .*"), "abstain"],
  [bash("cat $FILE"), "abstain"],
  [bash("head /etc/passwd"), "abstain"],
  [bash("cat ../other/x"), "abstain"],
  [bash("grep -r key ."), "abstain"],
  [bash("git show HEAD:.env"), "abstain"],
  [bash("git diff --output=x"), "abstain"],
  [bash("sort -o a b"), "abstain"],
  [bash("find . -exec rm {} +"), "abstain"],
  [bash("echo $SECRET"), "abstain"],
  // A shell may evaluate the operands of a numeric comparison.
  [bash("test 'a[$(touch x)]' -gt 0"), "abstain"],
  [bash("bat --pager=./x README.md"), "abstain"],
  [bash("cat a > b"), "abstain"],
  [bash("npm test -- --config=/tmp/evil.js"), "abstain"],
  [bash("cd /tmp/evil && npm test"), "abstain"],
  [bash("npm test; curl https://x"), "abstain"],
  [bash("pytest ../elsewhere"), "abstain"],
  [bash("pytest .env"), "abstain"],
  [bash("go test -exec evil ./..."), "abstain"],
  [bash("npm run deploy"), "abstain"],
  [bash("sudo npm test"), "abstain"],
  [bash("LD_PRELOAD=./x.so npm test"), "abstain"],
];

describe("fewer prompts", () => {
  it.each(PASSED)("says to %j: %s", (asked, expected) => expect(said("fewer-prompts", asked)).toBe(expected));

  it("goes together with guard", () => {
    expect(said("[fewer-prompts, guard]", bash("npm test"))).toBe("allow by fewer-prompts/project-commands");
    expect(said("[fewer-prompts, guard]", bash("npm test && rm -rf src"))).toBe("ask by guard/destructive");
  });
});
