import type { AgentCard } from "@earshot/agents";
import { agentCards } from "@earshot/agents/files";
import { describe, expect, it } from "vitest";
import { targetsFor } from "./plan.ts";
import { temporaryPlace } from "./testing/temporary-place.ts";

/** The entry for one hook of an agent, as the agent reads it. */
function written(slug: string, scope: "user" | "project" = "user", httpUrl?: string): string {
  using place = temporaryPlace(scope);
  const card = agentCards().find((one) => one.slug === slug) as AgentCard;
  const added = targetsFor(card, place, { version: "9.9.9", httpUrl }).at(-1)?.part.add("");
  if (added?.ok !== true) throw new Error("it should be written");
  return added.text.replaceAll(place.userHome, "~");
}

describe("what is written", () => {
  it("for Claude Code: groups, seconds, its switch on what gates, no waiting for what only watches", () => {
    const { hooks } = JSON.parse(written("claude")) as { hooks: { PreToolUse: unknown; Stop: unknown } };
    expect(hooks.PreToolUse).toEqual([
      {
        matcher: expect.stringMatching(/^\^\(\?!/),
        hooks: [{ type: "command", command: "~/.earshot/bin/earshot-hook claude PreToolUse 86400", timeout: 86_400, onFailure: "block" }],
      },
      {
        matcher: expect.stringMatching(/^\^\(\?:Read/),
        hooks: [{ type: "command", command: "~/.earshot/bin/earshot-hook claude PreToolUse 10 observe", timeout: 10, async: true }],
      },
    ]);
    expect(hooks.Stop).toEqual([{ hooks: [{ type: "command", command: "~/.earshot/bin/earshot-hook claude Stop 30", timeout: 30 }] }]);
  });

  it("for Cursor: a version, entries without groups, failClosed", () => {
    expect(JSON.parse(written("cursor"))).toMatchObject({
      version: 1,
      hooks: {
        beforeShellExecution: [
          { command: "~/.earshot/bin/earshot-hook cursor beforeShellExecution 86400", timeout: 86_400, failClosed: true },
        ],
      },
    });
  });

  it("for Codex: no switch, no matcher, and its own limit at the end of a session", () => {
    const { hooks } = JSON.parse(written("codex")) as { hooks: { PreToolUse: unknown; SessionEnd: unknown } };
    expect(hooks.PreToolUse).toEqual([
      { hooks: [{ type: "command", command: "~/.earshot/bin/earshot-hook codex PreToolUse 86400", timeout: 86_400 }] },
    ]);
    expect(hooks.SessionEnd).toMatchObject([{ hooks: [{ timeout: 3 }] }]);
  });

  it("for Gemini CLI and Qwen Code: milliseconds, and a name", () => {
    expect(JSON.parse(written("gemini"))).toMatchObject({
      hooks: { BeforeTool: [{ hooks: [{ name: "earshot", timeout: 86_400_000 }] }, {}] },
    });
    expect(JSON.parse(written("qwen"))).toMatchObject({
      hooks: { PreToolUse: [{ hooks: [{ name: "earshot", timeout: 86_400_000 }] }, {}] },
    });
  });

  it("for Copilot CLI and VS Code: bash, and seconds under another name", () => {
    expect(JSON.parse(written("github"))).toMatchObject({
      version: 1,
      hooks: { preToolUse: [{ type: "command", bash: "~/.earshot/bin/earshot-hook github preToolUse 86400", timeoutSec: 86_400 }] },
    });
  });

  it("for Antigravity: under a name of its own, grouped for tools only", () => {
    const { earshot } = JSON.parse(written("antigravity")) as { earshot: { [hook: string]: unknown } };
    expect([earshot["PreToolUse"], earshot["Stop"]]).toMatchObject([[{ hooks: [{ type: "command" }] }], [{ type: "command" }]]);
  });

  it("for Kiro, Droid, Devin and OpenHands: where each of them looks", () => {
    expect(JSON.parse(written("kiro", "project"))).toMatchObject({
      version: "v1",
      hooks: [{ name: "earshot", trigger: "SessionStart", action: { type: "command" } }, {}, {}, {}, {}, {}, {}, {}, {}, {}],
    });
    expect(JSON.parse(written("droid"))).toHaveProperty("PreToolUse");
    expect(JSON.parse(written("devin", "project"))).toHaveProperty("PreToolUse");
    expect(JSON.parse(written("openhands", "project"))).toHaveProperty(["hooks", "PreToolUse"]);
  });

  it("for goose: that a failing hook blocks", () => {
    expect(JSON.parse(written("goose"))).toMatchObject({ hooks: { PreToolUse: [{ hooks: [{ on_failure: "block" }] }] } });
  });

  it("for Kimi and Hermes: TOML and YAML", () => {
    expect(written("kimi")).toContain(
      '[[hooks]]\nevent = "PreToolUse"\ncommand = "~/.earshot/bin/earshot-hook kimi PreToolUse 600"\ntimeout = 600\n',
    );
    expect(written("hermes")).toContain(
      '  pre_tool_call: # earshot\n    - { command: "~/.earshot/bin/earshot-hook hermes pre_tool_call 300", timeout: 300 } # earshot\n',
    );
  });

  it("over HTTP is only what cannot be refused", () => {
    const { hooks } = JSON.parse(written("claude", "user", "http://127.0.0.1:4747")) as {
      hooks: { [hook: string]: { hooks: { type: string; url?: string }[] }[] };
    };
    const types = Object.entries(hooks).flatMap(([hook, groups]) =>
      groups.flatMap((group) => group.hooks.map(({ type, url }) => [hook, type, url])),
    );
    expect(types).toContainEqual(["Notification", "http", "http://127.0.0.1:4747/hooks/claude?observe=1"]);
    for (const gate of ["PreToolUse", "PermissionRequest", "UserPromptSubmit", "Elicitation"])
      expect(types.filter(([hook]) => hook === gate).every(([, type]) => type === "command")).toBe(true);
  });
});
