import { describe, expect, it } from "vitest";
import { agentFolderOf } from "../testing/agent-folders.ts";
import { coverageOf } from "./agent-coverage.ts";
import { coverageTables } from "./coverage-tables.ts";

const of = (slug: string) => {
  const { file, answers } = agentFolderOf(slug);
  return coverageOf(file.mapping, answers);
};
const need = (slug: string, field: string) => {
  const found = of(slug).needs.find((one) => one.field === field);
  return `${found?.standing} ${found?.from.join(", ")}`;
};
const fieldsAt = (slug: string, hook: string) => of(slug).hooks.find((one) => one.hook === hook)?.fields;
const said = (slug: string, hook: string) => of(slug).behaviors.find(({ hooks }) => hooks.includes(hook));

describe("coverage", () => {
  it.each([
    ["claude", "id", "inferred made by Earshot"],
    ["claude", "time", "inferred when it was received"],
    ["gemini", "time", "supplied /timestamp"],
    ["claude", "session.id", "supplied /session_id"],
    ["claude", "user.email", "missing "],
    ["cursor", "user.email", "supplied /user_email, env:CURSOR_USER_EMAIL"],
    ["claude", "action.id", "supplied /tool_use_id"],
    ["gemini", "action.id", "inferred derived from session, turn, tool and input"],
    ["antigravity", "action.id", "supplied /conversationId + /stepIdx"],
    ["claude", "tool.type", "inferred from /tool_name"],
    ["claude", "tool.schema", "missing "],
    ["claude", "control.updated_input", "supplied hookSpecificOutput.updatedInput, hookSpecificOutput.decision.updatedInput"],
    ["windsurf", "control.behavior", "supplied exit code 2"],
    ["windsurf", "control.updated_input", "missing "],
    ["goose", "action.output", "missing not documented; looked for at /tool_output, /tool_response"],
    ["claude", "context.compacted", "supplied PostCompact, PreCompact"],
    ["claude", "model.thought", "missing "],
    ["cursor", "model.thought", "supplied afterAgentThought"],
  ])("says of %s where %s comes from: %s", (slug, field, expected) => {
    expect(need(slug, field)).toBe(expected);
  });

  it("knows at which hook a field is missing that another hook has", () => {
    expect(fieldsAt("claude", "PreToolUse")?.supplied).toContain("action.id");
    expect(fieldsAt("claude", "PermissionRequest")?.inferred).toContain("action.id");
    expect(fieldsAt("claude", "UserPromptSubmit")?.supplied).not.toContain("action.id");
    expect(fieldsAt("claude", "PostToolUse")?.supplied).toContain("metrics.duration_ms");
  });

  it("says how each behaviour is told", () => {
    expect(said("claude", "PreToolUse")?.behaviors).toEqual({
      allow: "yes",
      deny: "yes",
      ask: "yes",
      defer: "without a person only; else ask",
      block: "deny",
      continue: "abstain",
      stop: "yes",
      abstain: "silence",
    });
    expect(said("codex", "PreToolUse")?.behaviors.allow).toBe("with a changed input only; else abstain");
    expect(said("gemini", "BeforeTool")).toMatchObject({ updatedInput: "with allow; laid over", behaviors: { allow: "abstain" } });
  });

  it("is shown in tables whose rows have as many cells as their heads", () => {
    const lines = coverageTables(["claude", "windsurf"].map(of)).split("\n");
    let cells = 0;
    for (const [index, line] of lines.entries()) {
      if (!line.startsWith("|")) continue;
      const count = line.replaceAll("\\|", "").split("|").length;
      if (!lines[index - 1]?.startsWith("|")) cells = count;
      expect(count).toBe(cells);
    }
    expect(lines).toContain("## Claude Code (`claude`)");
    expect(lines).toContain("- `Setup` is left out: it prepares the machine, before any session.");
  });
});
