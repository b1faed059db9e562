import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hubHomeOf } from "@earshot/hub/home";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { answerLocally } from "../hook/answer-locally.ts";

const folder = mkdtempSync(join(tmpdir(), "earshot-lost-rules-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const home = hubHomeOf({ EARSHOT_HOME: folder });
const RULES = 'rules:\n  - { name: never, match: { command: "rm *" }, answer: deny, message: DENIED-BY-RULE }\n';

async function decide(command: string, more: object = {}): Promise<string | undefined> {
  const payload = {
    session_id: "s1",
    hook_event_name: "PreToolUse",
    permission_mode: "default",
    cwd: folder,
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "call_0",
    ...more,
  };
  const said = { registered: "claude", payload };
  // The launcher was written when rules restricted actions; the copy of the accepted rules is gone.
  return (await answerLocally({ home, userHome: folder, said, now: Date.now(), observes: false, unreadable: "ask" }))?.stdout;
}

describe("without a hub and without the copy of the accepted rules", () => {
  beforeEach(() => rmSync(home.policy, { force: true }));

  it.each([
    ["is gone", undefined],
    ["has no rules", "rules: []\n"],
    ["has another rule", 'rules:\n  - { name: other, match: { command: "x *" }, answer: deny }\n'],
    ["cannot be read", "rules: [\n"],
  ])("an action is not left to the agent if policy.yaml %s", async (_what, text) => {
    if (text !== undefined) writeFileSync(home.policy, text);
    expect(await decide("rm -rf src")).toContain('"permissionDecision":"ask"');
    expect(await decide("rm -rf src", { permission_mode: "bypassPermissions" })).toContain('"permissionDecision":"deny"');
  });

  it("a rule in policy.yaml still denies", async () => {
    writeFileSync(home.policy, RULES);
    expect(await decide("rm -rf src")).toContain("DENIED-BY-RULE");
  });

  it("a hook that holds no action is not affected", async () => {
    writeFileSync(home.policy, "rules: []\n");
    expect(await decide("ls", { hook_event_name: "PostToolUse", tool_response: {} })).toBe("");
  });
});

describe("without a hub, files that change what an agent's answers mean", () => {
  it("do not count before an approver has accepted them", async () => {
    writeFileSync(home.policy, RULES);
    const own = join(home.folder, "agents", "claude");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "answers.yaml"), "schema_version: earshot.answers/v1\nagent: claude\ngate: none\nhooks: []\n");
    expect(await decide("rm -rf src")).toContain("DENIED-BY-RULE");
  });
});
