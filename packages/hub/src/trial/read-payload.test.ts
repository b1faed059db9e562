import { describe, expect, it } from "vitest";
import { readPayload } from "./read-payload.ts";

describe("a payload that is to be explained", () => {
  it.each<[string, object, object]>([
    ["the bare question", { tool: "Bash", command: "ls", cwd: "/w" }, { moment: "action", tool: "Bash", command: "ls", cwd: "/w" }],
    ["another moment", { moment: "stop" }, { moment: "stop" }],
    [
      "what a coding agent gives its hook",
      { hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: { file_path: "/w/a" }, cwd: "/w", session_id: "s" },
      { moment: "action", tool: "Edit", paths: [{ path: "/w/a", access: "write" }], cwd: "/w", session: "s" },
    ],
    [
      "a permission hook",
      { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command: "ls" } },
      { moment: "permission", command: "ls" },
    ],
    [
      "an AEP event",
      {
        aep_version: "0.1",
        type: "action.requested",
        agent: { slug: "claude" },
        tool: { name: "Bash", type: "native" },
        action: { input: { command: "ls" } },
      },
      { moment: "action", agent: "claude", tool: "Bash", command: "ls" },
    ],
    [
      "an AAEP event",
      { type: "aaep:agent.awaiting.confirmation", risk_level: "high", irreversible: true, producer: { agent_id: "a" } },
      { moment: "confirmation", agent: "a", risk: "high", reversible: false },
    ],
  ])("may be %s", (_what, payload, asked) => {
    expect(readPayload(JSON.stringify(payload))).toMatchObject(asked);
  });

  it.each(["", "[]", "{}", "{", '{"moment":"never"}', '{"aep_version":"0.1","type":"model.thought"}'])(
    "is refused where it asks nothing: %s",
    (text) => {
      expect(() => readPayload(text)).toThrow();
    },
  );
});
