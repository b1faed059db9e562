import { readPolicy } from "@earshot/policy";
import type { JsonObject } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import { unreadableAnswer } from "../policy/unreadable.ts";
import { rulesFor } from "../requests/testing/engine-bench.ts";
import { bashPayload, openGate, replyTextOf, shellSamples } from "./testing/gate.ts";

const RULES = rulesFor({ "rm -rf src": { behaviour: "deny", message: "DENIED-BY-RULE" } });
const HOOK = { hook: "PreToolUse" };

const PAYLOADS: readonly (readonly [string, string])[] = [
  ["empty", ""],
  ["no JSON", "rm -rf src"],
  ["cut off", JSON.stringify(bashPayload("rm -rf src")).slice(0, -20)],
  ["null", "null"],
  ["a list", JSON.stringify([bashPayload("rm -rf src")])],
  ["a text", '"rm -rf src"'],
  ["a number", "7"],
  ["JSON with a raw NUL", `{"session_id":"s1\u0000",${JSON.stringify(bashPayload("rm -rf src")).slice(1)}`],
  ["JSON with two commands", JSON.stringify(bashPayload("x")).replace('"command":"x"', '"command":"rm -rf src","command":{}')],
  ["with an unknown hook name", JSON.stringify(bashPayload("rm -rf src", { hook_event_name: "PreToolUseV2" }))],
  ["without a hook name", JSON.stringify({ ...bashPayload("rm -rf src"), hook_event_name: null })],
  ["with a hook name that is an object", JSON.stringify(bashPayload("rm -rf src", { hook_event_name: {} }))],
  ["with tool_input as a text", JSON.stringify(bashPayload("", { tool_input: "rm -rf src" }))],
  ["with tool_input as null", JSON.stringify(bashPayload("", { tool_input: null }))],
  ["with tool_input as a list", JSON.stringify(bashPayload("", { tool_input: ["rm -rf src"] }))],
  ["without tool_input", JSON.stringify({ ...bashPayload(""), tool_input: undefined })],
  ["with the command as an object", JSON.stringify(bashPayload("", { tool_input: { command: { text: "rm -rf src" } } }))],
  ["with the command as a number", JSON.stringify(bashPayload("", { tool_input: { command: 7 } }))],
  ["with the command as a list of objects", JSON.stringify(bashPayload("", { tool_input: { command: [{ run: "rm -rf src" }] } }))],
  ["with the command as false", JSON.stringify(bashPayload("", { tool_input: { command: false } }))],
  ["with the command as null", JSON.stringify(bashPayload("", { tool_input: { command: null } }))],
  ["with an empty tool_input", JSON.stringify(bashPayload("", { tool_input: {} }))],
  ["with a NUL in the command", JSON.stringify(bashPayload("r\u0000m -rf src"))],
  ["with a path as a number", JSON.stringify(bashPayload("", { tool_name: "Write", tool_input: { file_path: 7, content: "x" } }))],
  ["with the name of a hook that holds nothing", JSON.stringify(bashPayload("rm -rf src", { hook_event_name: "SessionStart" }))],
];

describe("the answer for what cannot be judged", () => {
  it.each([
    ["rules: []", "nothing"],
    ["rules: [{ name: a, match: { command: ls }, answer: allow }]", "nothing"],
    ["rules: [{ name: a, match: { moment: prompt }, answer: deny }]", "nothing"],
    ["rules: [{ name: a, match: { command: rm }, answer: deny }]", "ask"],
    ["rules: [{ name: a, answer: ask }]", "ask"],
    ["rules: [{ name: a, answer: ask, unreachable: deny }, { name: b, match: { command: ls }, answer: allow }]", "deny"],
    ["extends: guard", "ask"],
  ])("%s: %s", (text, answer) => {
    const reading = readPolicy({ text, file: "policy.yaml", kind: "user" });
    expect(reading.ok && unreadableAnswer(reading.policy)).toBe(answer);
  });
});

describe("a payload that cannot be judged", () => {
  it.each(PAYLOADS)("%s: is denied where the rules say so", async (_what, text) => {
    await using gate = await openGate(RULES);
    gate.bench.unreadable.answer = "deny";
    expect(replyTextOf(await gate.ask(text, HOOK))).toContain('"permissionDecision":"deny"');
  });

  it.each(PAYLOADS)("%s: never passes in silence", async (_what, text) => {
    await using gate = await openGate(RULES);
    gate.bench.unreadable.answer = "ask";
    expect(replyTextOf(await gate.ask(text, HOOK))).toMatch(/"permissionDecision":"(?:ask|deny)"/);
  });

  it("is recorded, and raises an alert once for a hook", async () => {
    await using gate = await openGate(RULES);
    gate.bench.unreadable.answer = "deny";
    await gate.ask("null", HOOK);
    await gate.ask("[]", HOOK);
    expect(gate.bench.alarms).toHaveLength(1);
  });

  it("is held for an approver where its event can be stored", async () => {
    await using gate = await openGate(RULES);
    gate.bench.unreadable.answer = "ask";
    gate.bench.approvers.exist = true;
    expect((await gate.ask(bashPayload("", { tool_input: { command: { text: "rm -rf lib" } } }))).waits).toBe(true);
  });

  it("is denied in a mode in which nobody is asked", async () => {
    await using gate = await openGate(RULES);
    gate.bench.unreadable.answer = "ask";
    const unknown = bashPayload("rm -rf src", { hook_event_name: "PreToolUseV2", permission_mode: "bypassPermissions" });
    expect(replyTextOf(await gate.ask(unknown, HOOK))).toContain('"deny"');
  });

  it("changes nothing at a hook that holds no action, and for a person whose rules restrict nothing", async () => {
    await using gate = await openGate(RULES);
    expect(replyTextOf(await gate.ask(bashPayload("", { tool_input: null }), HOOK))).not.toContain("permissionDecision");
    await expect(gate.ask("null", HOOK)).rejects.toThrow();
    gate.bench.unreadable.answer = "deny";
    await expect(gate.ask("null", { hook: "Stop" })).rejects.toThrow();
    await expect(gate.ask("null", { ...HOOK, observes: true })).rejects.toThrow();
  });
});

describe("a hub that has lost its rules", () => {
  it("answers as the launcher would, which knows that there were some", async () => {
    await using gate = await openGate(RULES);
    expect(replyTextOf(await gate.ask(bashPayload("ls"), { ...HOOK, unreadable: "deny" }))).toContain('"deny"');
    expect(replyTextOf(await gate.ask(bashPayload("ls"), { ...HOOK, unreadable: "nothing" }))).not.toContain('"deny"');
  });
});

describe("what every agent really sends", async () => {
  const samples = shellSamples();
  it.each(samples.map((sample) => [`${sample.agent} ${sample.name}`, sample] as const))("%s: is readable", async (_name, sample) => {
    await using gate = await openGate(RULES);
    gate.bench.unreadable.answer = "deny";
    const said = replyTextOf(await gate.ask(sample.payload("ls") as JsonObject, { registered: sample.agent, hook: sample.hook }));
    expect(said).not.toContain("could not read");
  });
});
