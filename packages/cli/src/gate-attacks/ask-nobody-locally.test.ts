import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hubHomeOf } from "@earshot/hub/home";
import { afterAll, describe, expect, it } from "vitest";
import { answerLocally } from "../hook/answer-locally.ts";

const folder = mkdtempSync(join(tmpdir(), "earshot-local-gate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const home = hubHomeOf({ EARSHOT_HOME: folder });
writeFileSync(home.policy, 'rules:\n  - { name: startup, match: { command: "git config *" }, answer: ask }\n');

function decide(mode: string, env: Readonly<Record<string, string>> = {}) {
  const payload = {
    session_id: "s1",
    hook_event_name: "PreToolUse",
    permission_mode: mode,
    cwd: folder,
    tool_name: "Bash",
    tool_input: { command: "git config core.hooksPath .hooks" },
    tool_use_id: "call_0",
  };
  return answerLocally({ home, userHome: folder, said: { registered: "claude", payload, env }, now: Date.now(), observes: false });
}

describe("an ask without a hub", () => {
  it.each([
    ["bypassPermissions", {}],
    ["a mode of a later version", {}],
    ["default", { CLAUDE_CODE_SESSION_ATTENDED: "0" }],
    ["default", { CI: "true" }],
  ])("in the mode %s with %j is a deny", async (mode, env) => {
    expect((await decide(mode, env))?.stdout).toContain('"permissionDecision":"deny"');
  });

  it("in the default mode is an ask", async () => {
    expect((await decide("default"))?.stdout).toContain('"permissionDecision":"ask"');
  });
});
