import { describe, expect, it } from "vitest";
import type { HookProcessEnd } from "../../run-line.ts";
import { claudeHost, codexHost, qwenHost, vscodeHost } from "./claude-hosts.ts";
import type { SimulatedHost } from "./host.ts";
import { OTHER_HOSTS } from "./other-hosts.ts";
import { copilotHost, cursorHost, geminiHost } from "./own-format-hosts.ts";

/** A hook's end written as `code:stdout`, with `!` before stderr. */
function ended(told: string): HookProcessEnd {
  if (told === "late") return { kind: "late" };
  if (told === "crashed") return { kind: "crashed", stdout: "", stderr: "" };
  const [, code = "0", stdout = "", stderr = ""] = /^(\d+):([^!]*)!?(.*)$/s.exec(told) ?? [];
  return { kind: "ended", code: Number(code), stdout, stderr };
}

const specific = (decision: string, more = {}) =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: decision, ...more } });
const REASON = { permissionDecisionReason: "no" };

/** Host, end of the hook, result, and the result with the fail-closed setting. */
const CELLS: readonly (readonly [SimulatedHost, string, string, string?])[] = [
  [claudeHost, "0:", "ran"],
  [claudeHost, "0:text", "ran"],
  [claudeHost, `0:${specific("deny", REASON)}`, "blocked"],
  [claudeHost, `1:${specific("deny", REASON)}`, "blocked"],
  [claudeHost, `1:${specific("allow")}`, "ran"],
  [claudeHost, `2:${specific("allow")}`, "blocked"],
  [claudeHost, `0:${specific("ask")}`, "asked"],
  [claudeHost, `0:${specific("allow")}`, "ran"],
  [claudeHost, '0:{"continue":false,"stopReason":"x"}', "ran"],
  [claudeHost, `0:{"continue":false,${specific("deny", REASON).slice(1)}`, "blocked"],
  [claudeHost, '0:{"decision":"block","reason":"x"}', "blocked"],
  [claudeHost, "0:{ broken }", "ran"],
  [claudeHost, "1:", "ran", "blocked"],
  [claudeHost, "127:!not found", "ran", "blocked"],
  [claudeHost, "2:!no", "blocked"],
  [claudeHost, "late", "ran", "blocked"],
  [claudeHost, "crashed", "ran", "blocked"],
  [codexHost, "0:", "ran"],
  [codexHost, `0:${specific("deny", REASON)}`, "blocked"],
  [codexHost, `0:${specific("deny", { ...REASON, somethingNew: 1 })}`, "ran"],
  [codexHost, `0:${specific("ask")}`, "ran"],
  [codexHost, `0:${specific("allow")}`, "ran"],
  [codexHost, '0:{"decision":"block","reason":"no"}', "blocked"],
  [codexHost, '0:{"decision":"approve"}', "ran"],
  [codexHost, '0:{"continue":false}', "ran"],
  [codexHost, "0:garbage", "ran"],
  [codexHost, "2:!no", "blocked"],
  [codexHost, "2:", "ran"],
  [codexHost, `1:${specific("deny", REASON)}`, "ran"],
  [codexHost, "late", "ran", "ran"],
  [codexHost, "crashed", "ran", "ran"],
  [cursorHost, "0:{}", "ran", "ran"],
  [cursorHost, "0:", "ran", "blocked"],
  [cursorHost, "0:garbage", "blocked"],
  [cursorHost, "0:[]", "blocked"],
  [cursorHost, '0:{"permission":"deny","user_message":"no"}', "blocked"],
  [cursorHost, '0:{"permission":"ask"}', "asked"],
  [cursorHost, '0:{"permission":"allow"}', "ran"],
  [cursorHost, '0:{"permission":"maybe"}', "blocked"],
  [cursorHost, '0:{"permission":"allow","user_message":1}', "blocked"],
  [cursorHost, "2:", "blocked"],
  [cursorHost, "1:", "ran", "blocked"],
  [cursorHost, "late", "ran", "blocked"],
  [cursorHost, "crashed", "ran", "blocked"],
  [geminiHost, "0:{}", "ran"],
  [geminiHost, "0:!debug text", "ran"],
  [geminiHost, '0:!{"decision":"deny","reason":"from stderr"}', "blocked"],
  [geminiHost, '0:{"decision":"deny","reason":"no"}', "blocked"],
  [geminiHost, '1:{"decision":"deny","reason":"no"}', "blocked"],
  [geminiHost, '2:{"decision":"allow"}', "ran"],
  [geminiHost, '0:{"continue":false}', "blocked"],
  [geminiHost, '0:{"decision":"ask"}', "asked"],
  [geminiHost, "2:!no", "blocked"],
  [geminiHost, "1:!oops", "ran"],
  [geminiHost, "127:!not found", "blocked"],
  [geminiHost, "late", "ran", "ran"],
  [copilotHost, "0:", "ran"],
  [copilotHost, "0:garbage", "ran"],
  [copilotHost, '0:{"permissionDecision":"deny","permissionDecisionReason":"no"}', "blocked"],
  [copilotHost, '0:{"type":"progress"}\n{"permissionDecision":"deny"}', "blocked"],
  [copilotHost, '0:{"permissionDecision":"ask"}', "asked"],
  [copilotHost, '1:{"permissionDecision":"allow"}', "blocked"],
  [copilotHost, "2:", "blocked"],
  [copilotHost, "crashed", "blocked"],
  [copilotHost, "late", "ran", "ran"],
  [vscodeHost, "0:", "ran"],
  [vscodeHost, `0:${specific("deny", REASON)}`, "blocked"],
  [vscodeHost, `0:${specific("ask")}`, "asked"],
  [vscodeHost, `1:${specific("deny")}`, "ran"],
  [vscodeHost, "2:!no", "blocked"],
  [vscodeHost, "late", "ran", "ran"],
  [qwenHost, "0:{}", "ran"],
  [qwenHost, `0:${specific("deny", REASON)}`, "blocked"],
  [qwenHost, `0:${specific("ask", REASON)}`, "asked"],
  [qwenHost, "2:!no", "blocked"],
  [qwenHost, "2:", "ran"],
  [qwenHost, "2:no", "ran"],
  [qwenHost, `2:${specific("allow", REASON)}`, "ran"],
  [qwenHost, `1:${specific("deny", REASON)}`, "blocked"],
  [qwenHost, '0:!{"decision":"deny","reason":"no"}', "blocked"],
  [qwenHost, '0:{"continue":false,"stopReason":"x"}', "blocked"],
  [qwenHost, "late", "ran", "ran"],
];

describe("an agent as its documents describe it", () => {
  const cells = CELLS.map(([host, told, effect, closed = effect]) => ({ host, told, effect, closed, title: `${host.name}: ${told}` }));
  it.each(cells)("$title", ({ host, told, effect, closed }) => {
    expect(host.judge(ended(told), { failsClosed: false }).effect).toBe(effect);
    if (host === claudeHost || host === cursorHost) expect(host.judge(ended(told), { failsClosed: true }).effect).toBe(closed);
  });

  it("runs what the hook changed", () => {
    const input = { command: "ls" };
    expect(claudeHost.judge(ended(`0:${specific("allow", { updatedInput: input })}`), { failsClosed: true })).toMatchObject({
      effect: "ran",
      input,
    });
    expect(codexHost.judge(ended(`0:${specific("allow", { updatedInput: input })}`), { failsClosed: true })).toMatchObject({
      effect: "ran",
      input,
    });
    expect(
      geminiHost.judge(ended(`0:${JSON.stringify({ hookSpecificOutput: { tool_input: input } })}`), { failsClosed: true }),
    ).toMatchObject({ input });
    expect(
      copilotHost.judge(ended(`0:${JSON.stringify({ permissionDecision: "allow", modifiedArgs: input })}`), { failsClosed: true }),
    ).toMatchObject({ input });
  });

  it("tells the model why", () => {
    expect(claudeHost.judge(ended(`0:${specific("deny", REASON)}`), { failsClosed: true }).message).toBe("no");
    expect(codexHost.judge(ended("2:!because"), { failsClosed: true }).message).toBe("because");
  });
});

/** For each other agent, a refusal and an answer without effect. */
const OTHERS: Readonly<{ [agent: string]: readonly [refusal: string, nothing: string] }> = {
  windsurf: ["2:!no", '0:{"decision":"deny"}'],
  cline: ['1:{"cancel":true,"errorMessage":"no"}', "2:"],
  droid: [`0:${specific("deny", REASON)}`, "1:"],
  devin: ['0:{"decision":"block","reason":"no"}', '0:{"decision":"approve"}'],
  antigravity: ['0:{"decision":"deny","reason":"no"}', "0:"],
  openhands: ['0:{"continue":false,"reason":"no"}', "0:"],
  kiro: ["2:!no", "1:"],
  kimi: [`0:${specific("deny", REASON)}`, `0:${specific("ask")}`],
  auggie: [`0:${specific("deny", REASON)}`, "0:"],
  goose: ['1:{"decision":"block","reason":"no"}', "0:text"],
  crush: ['0:{"decision":"deny","reason":"no"}', "1:"],
  hermes: ['0:{"action":"block","message":"no"}', "2:"],
};

describe("the other agents", () => {
  it.each(OTHER_HOSTS)("$name: obeys a refusal, and goes on without one", (host) => {
    const [refusal = "", nothing = ""] = OTHERS[host.agent] ?? [];
    expect(host.judge(ended(refusal), { failsClosed: false })).toMatchObject({ effect: "blocked", message: "no" });
    expect(host.judge(ended(nothing), { failsClosed: false }).effect).toBe("ran");
    expect(host.judge(ended("late"), { failsClosed: false }).effect).toBe("ran");
  });
});
