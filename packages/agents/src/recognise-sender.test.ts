import { isObject, type JsonObject } from "@earshot/protocol/json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recogniseSender } from "./recognise-sender.ts";
import { AGENT_FOLDERS } from "./testing/agent-folders.ts";

const samples = AGENT_FOLDERS.flatMap(({ slug, samples: own }) =>
  own.flatMap(({ name, payload }) => (isObject(payload) ? [{ slug, name, payload }] : [])),
);

describe("the sender of a payload", () => {
  it("is the agent for which the hook was registered, for every sample", () => {
    const wrong = samples.filter(({ slug, payload }) => recogniseSender(payload, { registered: slug }).slug !== slug);
    expect(wrong.map(({ slug, name }) => `${slug} ${name}`)).toEqual([]);
  });

  it("is another, where the payload has signs that only that one has", () => {
    const tell = ["antigravity", "windsurf", "cursor", "codex", "cline"];
    const wrong = samples.filter(
      ({ slug, payload }) => tell.includes(slug) && recogniseSender(payload, { registered: "claude" }).slug !== slug,
    );
    // At the start and end of a session Codex sends no turn, so its payload equals Claude Code's.
    expect(wrong.map(({ slug, name }) => `${slug} ${name}`)).toEqual(["codex SessionEnd", "codex SessionStart"]);
  });

  it("is Copilot or VS Code, where Claude's settings are read by them", () => {
    const wrong = samples.filter(
      ({ slug, payload }) => slug === "github" && recogniseSender(payload, { registered: "claude" }).slug !== "github",
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it.each<[string, JsonObject, Readonly<Record<string, string>>, string]>([
    ["Devin by its environment", { hook_event_name: "Stop", session_id: "s", prompt_id: "p" }, { DEVIN_PROJECT_DIR: "/w" }, "devin"],
    ["Qwen by its environment", { hook_event_name: "Stop", session_id: "s", timestamp: "t" }, { QWEN_PROJECT_DIR: "/w" }, "qwen"],
    ["Droid by its environment", { hook_event_name: "Stop", session_id: "s" }, { FACTORY_PROJECT_DIR: "/w" }, "droid"],
    ["nobody else by a folder that many set", { hook_event_name: "Stop", session_id: "s" }, { CLAUDE_PROJECT_DIR: "/w" }, "claude"],
    ["Crush by its environment", { event: "PreToolUse", session_id: "s", working_dir: "/w" }, { CRUSH: "1" }, "crush"],
    ["Crush by what goose does not write", { event: "PreToolUse", session_id: "s", cwd: "/w" }, {}, "crush"],
    ["goose", { event: "PreToolUse", session_id: "s", matcher_context: "", cwd: "/w" }, {}, "goose"],
    ["Gemini by the name of a hook", { hook_event_name: "BeforeTool", session_id: "s" }, {}, "gemini"],
    ["OpenHands", { event_type: "PreToolUse", session_id: "s" }, {}, "openhands"],
    ["Hermes", { hook_event_name: "pre_tool_call", extra: { telemetry_schema_version: 1 } }, {}, "hermes"],
    ["Augment", { hook_event_name: "Stop", conversation_id: "c", workspace_roots: [], agent_stop_cause: "end_turn" }, {}, "auggie"],
    ["Claude Code otherwise", { hook_event_name: "Stop", session_id: "s" }, {}, "claude"],
  ])("is %s", (_, payload, env, slug) => {
    expect(recogniseSender(payload, { env }).slug).toBe(slug);
    expect(recogniseSender(payload, { env, registered: "claude" }).slug).toBe(slug);
  });

  it("is, of goose and Crush, the one that the hook was registered for", () => {
    const payload = { event: "PreToolUse", session_id: "s", working_dir: "/w" };
    expect(["goose", "crush", "claude"].map((registered) => recogniseSender(payload, { registered }).slug)).toEqual([
      "goose",
      "crush",
      "goose",
    ]);
  });

  it("says what told it", () => {
    expect(recogniseSender({ cursor_version: "2" }, { registered: "claude" })).toEqual({ slug: "cursor", by: "payload" });
    expect(recogniseSender({ hook_event_name: "Stop" }, { registered: "kimi" })).toEqual({ slug: "kimi", by: "registration" });
    expect(recogniseSender({ hook_event_name: "Stop" })).toEqual({ slug: "claude", by: "shape" });
  });

  it("is found for any object at all", () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (payload) => recogniseSender(payload as JsonObject).slug !== ""));
  });
});
