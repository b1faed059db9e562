import type { JsonValue } from "@earshot/protocol/json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ShorteningRecord, TRANSFORMS, wantedParameter } from "./transforms.ts";

function apply(name: string, value: JsonValue, parameter?: JsonValue): JsonValue | undefined {
  return TRANSFORMS[name]?.create(parameter)(value, { originalLength: undefined });
}

describe("a transform", () => {
  it.each<[string, JsonValue, JsonValue | undefined, JsonValue?]>([
    ["json_parse", '{"a":[1]}', { a: [1] }],
    ["json_parse", { a: 1 }, { a: 1 }],
    ["json_parse", "*** Begin Patch", undefined],
    ["json_parse", '{"a":', undefined],
    ["json_parse", '{"__proto__":{"x":1}}', undefined],
    ["json_parse", "[".repeat(100) + "]".repeat(100), undefined],
    ["to_string", { a: 1 }, '{"a":1}'],
    ["to_string", 7, "7"],
    ["to_string", "x", "x"],
    ["to_json", "x", '"x"'],
    ["at", { a: { b: 2 } }, 2, "/a/b"],
    ["at", { a: 1 }, undefined, "/b"],
    ["wrap", "ls", { command: "ls" }, "command"],
    ["epoch_ms_to_iso", 1_780_000_000_000, "2026-05-28T20:26:40.000Z"],
    ["epoch_s_to_iso", 1_780_000_000, "2026-05-28T20:26:40.000Z"],
    ["epoch_ms_to_iso", 1e300, undefined],
    ["to_iso", "2026-05-28T22:26:40+02:00", "2026-05-28T20:26:40.000Z"],
    ["to_iso", 1_780_000_000_000, "2026-05-28T20:26:40.000Z"],
    ["to_iso", 1_780_000_000, "2026-05-28T20:26:40.000Z"],
    ["to_iso", "1780000000000", "2026-05-28T20:26:40.000Z"],
    ["to_iso", "yesterday", undefined],
    ["s_to_ms", 1.5, 1500],
    ["number", " 12.5 ", 12.5],
    ["number", "0x10", undefined],
    ["number", "1e999", undefined],
    ["mcp_server", "mcp__github__create_issue", "github"],
    ["mcp_server", "mcp__plugin_tools_github__create", "plugin_tools_github"],
    ["mcp_server", "@git/status", "git"],
    ["mcp_server", "mcp_docs_search", undefined],
    ["mcp_server", "Bash", undefined],
    ["mcp_server", "developer__shell", "developer", "__"],
    ["mcp_tool", "mcp__github__create_issue", "create_issue"],
    ["mcp_tool", "MCP:search", "search"],
    ["mcp_tool", "Bash", "Bash"],
    ["mcp_tool", "mcp__broken", "mcp__broken"],
    ["mcp_tool", "developer__shell", "shell", "__"],
    ["tool_type", "mcp__a__b", "mcp"],
    ["tool_type", "mcp_docs_search", "mcp"],
    ["tool_type", "Bash", "native"],
    ["join_text", ["a", { text: "b" }, { image: "c" }, { text: 4 }], "a\nb"],
    ["join_text", "plain", "plain"],
    ["join_text", [{ question: "Which?" }], "Which?", "question"],
    ["join_text", [], undefined],
    ["checklist", [{ content: "One", status: "completed" }, { text: "Two" }, "Three", 4], "- [x] One\n- [ ] Two\n- [ ] Three"],
    ["diff_from_edits", [{ old_string: "a\nb", new_string: "c" }], "-a\n-b\n+c"],
    ["first_line", "one\r\ntwo", "one"],
    ["truncate", "abcdef", "abc", 3],
    ["truncate", "ab😀cd", "ab", 3],
    ["status_from_bool", false, "failure"],
    ["status_from_bool", "no", undefined],
    ["provider_from_model", "claude-sonnet-4-6", "anthropic"],
    ["provider_from_model", "gpt-5", "openai"],
    ["provider_from_model", "o3-mini", "openai"],
    ["provider_from_model", "Gemini-3-pro", "google"],
    ["provider_from_model", "grok-5", "xai"],
    ["provider_from_model", "kimi-k2", "moonshot"],
    ["provider_from_model", "qwen3-coder", "alibaba"],
    ["provider_from_model", "llama", undefined],
    ["basename", "/a/b/c.txt", "c.txt"],
    ["basename", "C:\\a\\b\\", "b"],
    ["dirname", "/a/b/c.txt", "/a/b"],
    ["dirname", "/a", "/"],
    ["dirname", "a", undefined],
    ["redact", "key AKIAIOSFODNN7EXAMPLE", "key ████████████████████"],
  ])("%s of %j is %j", (name, value, expected, parameter) => {
    expect(apply(name, value, parameter)).toEqual(expected);
  });

  it("tells how long a text was that it cut", () => {
    const cuts: ShorteningRecord = { originalLength: undefined };
    TRANSFORMS["truncate"]?.create(3)("abcdef", cuts);
    expect(cuts.originalLength).toBe(6);
  });

  it("never throws, and gives JSON or nothing, for any value", () => {
    const parameters: Readonly<Record<string, JsonValue>> = {
      at: "/a/0",
      wrap: "key",
      truncate: 2,
      mcp_tool: "_",
      mcp_server: "_",
      join_text: "text",
    };
    for (const name of Object.keys(TRANSFORMS)) {
      fc.assert(
        fc.property(fc.jsonValue(), (value) => {
          const result = apply(name, value as JsonValue, parameters[name]);
          return result === undefined || JSON.stringify(result) !== undefined;
        }),
      );
    }
  });

  it("says which parameter it takes", () => {
    expect(wantedParameter("truncate", "3")).toBe("a number of characters");
    expect(wantedParameter("json_parse", 1)).toBe("no parameter");
    expect(wantedParameter("wrap", "__proto__")).toBe("a name");
    expect(wantedParameter("at", "x")).toBe("a JSON Pointer");
    expect(wantedParameter("join_text", undefined)).toBeUndefined();
  });
});
