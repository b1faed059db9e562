import type { AepEvent } from "@earshot/protocol";
import type { JsonObject } from "@earshot/protocol/json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentFolderOf, errorsIn, mapAt } from "../testing/agent-folders.ts";
import { closeCall, NO_CALLS, type SessionCalls } from "./call-state.ts";
import { dedupeKey, joinCalls } from "./join-calls.ts";

/** Feeds payloads of one agent through a state that is serialized as JSON between them. */
class Ear {
  state: SessionCalls = NO_CALLS;
  now = Date.UTC(2026, 8, 1);

  handle(slug: string, payload: JsonObject, registered = slug, hook?: string): { readonly event: AepEvent; readonly again: boolean } {
    const { events } = mapAt(agentFolderOf(slug).mapping, payload, hook);
    const joined = joinCalls(JSON.parse(JSON.stringify(this.state)) as SessionCalls, events, { registered, now: this.now++ });
    this.state = joined.state;
    const [first] = joined.events;
    if (first === undefined) throw new Error("no event");
    expect(errorsIn(first.event)).toEqual([]);
    return first;
  }

  id(slug: string, payload: JsonObject, registered?: string): string | undefined {
    return this.handle(slug, payload, registered).event.action?.id;
  }
}

const gemini = (hook: string, command: string) => ({
  session_id: "s1",
  hook_event_name: hook,
  tool_name: "run_shell_command",
  tool_input: { command },
  ...(hook === "AfterTool" ? { tool_response: { llmContent: "ok" } } : {}),
});
const claude = (hook: string, command: string, id?: string) => ({
  session_id: "s1",
  hook_event_name: hook,
  tool_name: "Bash",
  tool_input: { command },
  ...(id === undefined ? {} : { tool_use_id: id }),
});
const cursor = { conversation_id: "c1", generation_id: "g1", cursor_version: "2.4.1", workspace_roots: ["/w"] };

describe("calls without ids", () => {
  it("get one that their outcome shares", () => {
    const ear = new Ear();
    const request = ear.handle("gemini", gemini("BeforeTool", "ls"));
    expect(request.event.action?.id).toMatch(/^act_[0-9a-f]{16}_1$/);
    expect(request.event.extensions).toBeUndefined();
    const outcome = ear.handle("gemini", gemini("AfterTool", "ls"));
    expect(outcome.event).toMatchObject({ type: "action.completed", action: { id: request.event.action?.id } });
    expect([request.again, outcome.again]).toEqual([false, false]);
  });

  it("are one call although Copilot CLI leaves something out when it asks", () => {
    const ear = new Ear();
    const base = { sessionId: "s1", timestamp: 1_794_772_531_943, cwd: "/w", toolName: "bash" };
    const args = { command: "make", description: "Builds it" };
    const request = ear.handle("github", { ...base, toolArgs: args }, "github", "preToolUse");
    const asked = ear.handle(
      "github",
      { ...base, hookName: "permissionRequest", toolInput: { command: "make" } },
      "github",
      "permissionRequest",
    );
    const ended = { ...base, toolArgs: JSON.stringify(args), toolResult: { resultType: "success", textResultForLlm: "" } };
    const outcome = ear.handle("github", ended, "github", "postToolUse");
    expect([asked, outcome].map(({ event }) => event.action?.id)).toEqual([request.event.action?.id, request.event.action?.id]);
    expect([request.again, asked.again, outcome.again]).toEqual([false, true, false]);
  });

  it("are matched first in, first out, when several with the same input run at once", () => {
    const ear = new Ear();
    const requests = [1, 2, 3].map(() => ear.id("gemini", gemini("BeforeTool", "ls")));
    expect(new Set(requests).size).toBe(3);
    expect([1, 2, 3].map(() => ear.id("gemini", gemini("AfterTool", "ls")))).toEqual(requests);
  });

  it("are not mistaken for others that are more recent", () => {
    const ear = new Ear();
    const first = ear.id("gemini", gemini("BeforeTool", "sleep 9"));
    const second = ear.id("gemini", gemini("BeforeTool", "ls"));
    expect(ear.id("gemini", gemini("AfterTool", "sleep 9"))).toBe(first);
    expect(ear.id("gemini", gemini("AfterTool", "ls"))).toBe(second);
  });

  it("say so when nobody told that they began", () => {
    const { event, again } = new Ear().handle("gemini", gemini("AfterTool", "ls"));
    expect(event.extensions).toMatchObject({ "x-unjoined": true });
    expect(again).toBe(false);
  });

  it("begin anew after they were refused", () => {
    const ear = new Ear();
    const refused = ear.id("gemini", gemini("BeforeTool", "ls")) ?? "";
    ear.state = closeCall(ear.state, refused);
    const second = ear.id("gemini", gemini("BeforeTool", "ls"));
    expect(second).not.toBe(refused);
    expect(ear.id("gemini", gemini("AfterTool", "ls"))).toBe(second);
  });
});

describe("hooks of one call", () => {
  it("share the id that one of them has: a permission dialog, and the tool it is about", () => {
    const ear = new Ear();
    expect(ear.id("claude", claude("PreToolUse", "ls", "toolu_1"))).toBe("toolu_1");
    expect(ear.id("claude", claude("PreToolUse", "ls", "toolu_2"))).toBe("toolu_2");
    expect(ear.handle("claude", claude("PermissionRequest", "ls"))).toMatchObject({ event: { action: { id: "toolu_1" } }, again: true });
    expect(ear.id("claude", claude("PermissionRequest", "ls"))).toBe("toolu_2");
    expect(ear.handle("claude", claude("PostToolUse", "ls", "toolu_2"))).toMatchObject({
      event: { action: { id: "toolu_2" } },
      again: false,
    });
  });

  it("are one request, though Cursor tells of a shell command twice", () => {
    const ear = new Ear();
    const pre = {
      ...cursor,
      hook_event_name: "preToolUse",
      tool_name: "Shell",
      tool_input: { command: "ls", cwd: "/w" },
      tool_use_id: "t1",
      cwd: "/w",
    };
    const shell = { ...cursor, hook_event_name: "beforeShellExecution", command: "ls", cwd: "/w" };
    expect([ear.handle("cursor", pre), ear.handle("cursor", shell)]).toMatchObject([
      { event: { action: { id: "t1" } }, again: false },
      { event: { action: { id: "t1" } }, again: true },
    ]);
    const mcp = { ...cursor, hook_event_name: "preToolUse", tool_name: "MCP:search", tool_input: { q: "x" }, tool_use_id: "t2", cwd: "/w" };
    const before = {
      ...cursor,
      hook_event_name: "beforeMCPExecution",
      tool_name: "search",
      tool_input: '{"q":"x"}',
      url: "https://x.example",
    };
    expect([ear.id("cursor", mcp), ear.id("cursor", before)]).toEqual(["t2", "t2"]);
  });

  it("are known by the id of a permission where that is all that is told", () => {
    const ear = new Ear();
    ear.handle("opencode", {
      hook: "tool.execute.before",
      input: { tool: "bash", sessionID: "s", callID: "call_1" },
      output: { args: { command: "ls" } },
    });
    ear.handle("opencode", {
      type: "permission.asked",
      properties: { id: "per_1", type: "bash", sessionID: "s", callID: "call_1", metadata: {} },
    });
    const reply = ear.handle("opencode", {
      type: "permission.replied",
      properties: { sessionID: "s", permissionID: "per_1", response: "reject" },
    });
    expect(reply).toMatchObject({ event: { type: "action.denied", action: { id: "call_1" } }, again: false });
  });
});

describe("two runs of one hook, because two agents' settings name it", () => {
  it("are one call, and one outcome", () => {
    const ear = new Ear();
    const pre = { ...cursor, hook_event_name: "beforeShellExecution", command: "ls", cwd: "/w" };
    const after = { ...cursor, hook_event_name: "afterShellExecution", command: "ls", output: "" };
    const told = [pre, after].flatMap((payload) => ["cursor", "claude"].map((registered) => ear.handle("cursor", payload, registered)));
    expect(told.map(({ again }) => again)).toEqual([false, true, false, true]);
    expect(new Set(told.map(({ event }) => event.action?.id)).size).toBe(1);
  });

  it("are two calls when each of them runs twice", () => {
    const ear = new Ear();
    const pre = { ...cursor, hook_event_name: "beforeShellExecution", command: "ls", cwd: "/w" };
    const told = ["cursor", "cursor", "claude", "claude"].map((registered) => ear.handle("cursor", pre, registered));
    expect(told.map(({ again }) => again)).toEqual([false, false, true, true]);
    expect(new Set(told.map(({ event }) => event.action?.id)).size).toBe(2);
  });

  it("are one prompt; the same words said again later are another", () => {
    const ear = new Ear();
    const prompt = { ...cursor, hook_event_name: "beforeSubmitPrompt", prompt: "Go on." };
    expect(["cursor", "claude"].map((registered) => ear.handle("cursor", prompt, registered).again)).toEqual([false, true]);
    expect(["cursor", "claude"].map((registered) => ear.handle("cursor", prompt, registered).again)).toEqual([false, true]);
    ear.now += 3_600_000;
    expect(ear.handle("cursor", prompt, "claude").again).toBe(false);
  });

  it("have the same key", () => {
    const [a, b] = [1, 2].map(
      () => mapAt(agentFolderOf("cursor").mapping, { ...cursor, hook_event_name: "stop", status: "completed" }).events[0]?.event,
    );
    expect(a !== undefined && b !== undefined && dedupeKey({ ...a, id: "x" }) === dedupeKey({ ...b, id: "y" })).toBe(true);
  });
});

describe("any order of calls", () => {
  it("gives every request an id of its own, and every outcome that of the oldest request of its kind", () => {
    const steps = fc.array(fc.record({ command: fc.constantFrom("ls", "pwd", "id"), ends: fc.boolean() }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (told) => {
        const ear = new Ear();
        const open = new Map<string, string[]>();
        const seen = new Set<string>();
        for (const { command, ends } of told) {
          const waiting = open.get(command) ?? [];
          if (ends && waiting.length === 0) continue;
          const id = ear.id("gemini", gemini(ends ? "AfterTool" : "BeforeTool", command)) ?? "";
          if (ends) expect(id).toBe(waiting.shift());
          else {
            expect(seen.has(id)).toBe(false);
            seen.add(id);
            open.set(command, [...waiting, id]);
          }
        }
      }),
    );
  });

  it("takes no more room than it may", () => {
    const ear = new Ear();
    for (let count = 0; count < 700; count++) ear.handle("gemini", gemini("BeforeTool", `echo ${count}`));
    expect(ear.state.calls.length).toBeLessThanOrEqual(501);
    for (let count = 0; count < 300; count++)
      ear.handle("gemini", { session_id: "s1", hook_event_name: "BeforeAgent", prompt: String(count) });
    expect(ear.state.moments.length).toBeLessThanOrEqual(202);
    ear.now += 100 * 3_600_000;
    ear.handle("gemini", gemini("BeforeTool", "late"));
    expect([ear.state.calls.length, ear.state.moments.length]).toEqual([1, 0]);
  });
});
