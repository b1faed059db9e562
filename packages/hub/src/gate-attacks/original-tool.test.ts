import { readdirSync, readFileSync } from "node:fs";
import { mapPayload } from "@earshot/agents";
import { compilePolicy, decideByPolicy, readPolicy } from "@earshot/policy";
import type { JsonObject } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import { AGENT_FOLDERS } from "../../../agents/src/testing/agent-folders.ts";
import { readHookEvent } from "../hooks/hook-event.ts";
import { holdsReads } from "../hooks/local-rules.ts";
import type { RuleInput } from "../policy/rules.ts";
import { readPayload } from "../trial/read-payload.ts";

const POLICIES = new URL("../../../policy/testing/samples/", import.meta.url);

interface PutSample {
  readonly name: string;
  readonly put: RuleInput;
}

/** The actions that the rules judge, for every sample of every agent. */
function putSamples(): readonly PutSample[] {
  const samples: PutSample[] = [];
  for (const { slug, mapping, renderer, samples: all } of AGENT_FOLDERS) {
    for (const { name, hook, payload } of all) {
      const asksItself = renderer.answersOf(hook)?.moment === "permission";
      for (const { event } of mapPayload(mapping, payload, { hook, now: 0, ids: () => "evt" }).events) {
        const read = readHookEvent(event.type, event as unknown as JsonObject, { asksItself, attended: true });
        if (read !== undefined) samples.push({ name: `${slug} ${name}`, put: read.put });
      }
    }
  }
  return samples;
}

const SAMPLES = putSamples();
const MCP = SAMPLES.filter(({ put }) => put.toolType === "mcp" && put.server !== undefined);

describe("the name that an agent gives a tool", () => {
  it("has samples of many agents", () => {
    expect(new Set(MCP.map(({ name }) => name.split(" ")[0])).size).toBeGreaterThanOrEqual(8);
  });

  it.each(MCP.map(({ name, put }) => [name, put] as const))("%s: reaches the rules with its server", (_name, put) => {
    expect(put.originalTool).toContain(put.server);
    expect(put.originalTool).toContain(put.tool);
  });

  it.each(MCP.map(({ name, put }) => [name, put] as const))(
    "%s: a rule may name the tool as the agent does, and all of its server",
    (_name, put) => {
      const { tool = "", originalTool = "" } = put;
      for (const named of [tool, originalTool, `${originalTool.slice(0, originalTool.lastIndexOf(tool))}*`]) {
        const reading = readPolicy({ text: `rules: [{ match: { tool: "${named}" }, answer: deny }]`, file: "policy.yaml", kind: "user" });
        if (!reading.ok) throw new Error(named);
        expect([named, decideByPolicy(compilePolicy(reading.policy, { places: {} }), { ...put, moment: "action" }).behaviour]).toEqual([
          named,
          "deny",
        ]);
      }
    },
  );
});

const WORKSPACE = "/home/ann/work/shop";
/** A file that an agent's tool reads or writes, in place of the files of a sample. */
const touching =
  (path: string, access: "read" | "write", more: Partial<RuleInput> = {}) =>
  (put: RuleInput) =>
    put.paths !== undefined && put.paths.length > 0 ? { ...put, ...more, paths: [{ path, access }] } : undefined;
/** A command that an agent's shell tool runs, in place of the command of a sample. */
const running = (command: string) => (put: RuleInput) =>
  put.command === undefined || (put.shell ?? "bash") !== "bash"
    ? undefined
    : { ...put, command, cwd: WORKSPACE, runsIn: WORKSPACE, roots: [WORKSPACE] };
/** A tool of the server `forge`, under the name that the sample's agent gives it. */
const calling = (tool: string) => (put: RuleInput) => {
  const { server, tool: own, originalTool } = put;
  if (put.toolType !== "mcp" || server === undefined || own === undefined || originalTool === undefined) return undefined;
  return { ...put, server: "forge", tool, originalTool: originalTool.replace(server, "forge").replace(own, tool) };
};
const atMoment = (moment: RuleInput["moment"], agent?: string) => (put: RuleInput) =>
  put.moment === moment && (agent ?? put.agent) === put.agent ? put : undefined;

type Subject = (put: RuleInput) => RuleInput | undefined;
/** For each rule of each example, an action that it decides, its answer, and the least number of agents with such a sample. */
const DECIDED: readonly (readonly [file: string, rule: string, subject: Subject, answer: string, agents: number])[] = [
  ["everyday.yaml", "no-secrets", touching("/home/ann/shop/.env", "read"), "deny", 6],
  ["everyday.yaml", "forge-looks", calling("list_repos"), "allow", 8],
  ["everyday.yaml", "forge-changes", calling("delete_repo"), "ask", 6],
  ["everyday.yaml", "my-branches", running("git push --force-with-lease origin ann/cart"), "allow", 20],
  ["everyday.yaml", "dependencies", running("npm install left-pad"), "ask", 20],
  ["first.yaml", "no-force-push", running("git push origin main --force"), "deny", 20],
  ["first.yaml", "my-tests", running("npm test"), "allow", 20],
  ["moments.yaml", "tests-first", atMoment("stop", "claude"), "block", 1],
  ["moments.yaml", "subagents", atMoment("subagent-start"), "ask", 3],
  ["moments.yaml", "one-minute", (put) => (put.tool === "Bash" ? running("npm test")(put) : undefined), "allow", 1],
  [
    "repository.yaml",
    "migrations",
    touching("/home/ann/work/shop/db/migrations/1.sql", "write", { cwd: WORKSPACE, roots: [WORKSPACE] }),
    "ask",
    6,
  ],
  ["unattended.yaml", "nobody-there", touching("/srv/site/index.html", "write", { attended: false }), "deny", 6],
  ["unattended.yaml", "production", running("kubectl --context=prod get pods"), "ask", 20],
];

describe("every example in docs/policy.md", () => {
  const examples = readdirSync(POLICIES).map((name) => [name, readFileSync(new URL(name, POLICIES), "utf8")] as const);

  it.each(examples)("%s has an action below for each of its rules", (file, text) => {
    const reading = readPolicy({ text, file, kind: "user" });
    if (!reading.ok) throw new Error(file);
    const own = reading.policy.rules.map(({ name }) => name).filter((name) => !name.includes("/"));
    expect(own).toEqual(DECIDED.filter(([one]) => one === file).map(([, rule]) => rule));
  });

  it.each(DECIDED)("%s: %s decides for every agent that can do this", (file, rule, subject, answer, agents) => {
    const [, text = ""] = examples.find(([name]) => name === file) ?? [];
    const reading = readPolicy({ text, file, kind: "user" });
    if (!reading.ok) throw new Error(file);
    const policy = compilePolicy(reading.policy, { places: { home: "/home/ann" } });
    const asked = SAMPLES.flatMap(({ name, put }) => {
      const changed = put.moment === "action" || put.moment === "stop" || put.moment === "subagent-start" ? subject(put) : undefined;
      return changed === undefined ? [] : [{ name, put: changed }];
    });
    expect(new Set(asked.map(({ name }) => name.split(" ")[0])).size).toBeGreaterThanOrEqual(agents);
    expect(
      asked
        .map(({ name, put }) => [name, decideByPolicy(policy, put)] as const)
        .map(([name, ruling]) => [name, ruling.rule?.name, ruling.behaviour]),
    ).toEqual(asked.map(({ name }) => [name, rule, answer]));
  });

  it("denies each agent the reading of a file with secrets, through whatever tool", () => {
    const [, text = ""] = examples.find(([, one]) => one.includes("no-secrets")) ?? [];
    const reading = readPolicy({ text, file: "policy.yaml", kind: "user" });
    if (!reading.ok) throw new Error(text);
    const policy = compilePolicy(reading.policy, { places: { home: "/home/ann" } });
    const reading_ = SAMPLES.filter(({ put }) => put.moment === "action" && put.paths?.some(({ access }) => access === "read") === true);
    expect(reading_.length).toBeGreaterThan(0);
    for (const { name, put } of reading_) {
      const asked = { ...put, paths: [{ path: "/home/ann/shop/.env", access: "read" as const }] };
      expect([name, decideByPolicy(policy, asked).behaviour]).toEqual([name, "deny"]);
    }
    expect(holdsReads(reading.policy, ["Read"])).toBe(true);
  });
});

describe("rules that hold what is read", () => {
  const held = (yaml: string) => {
    const reading = readPolicy({ text: yaml, file: "policy.yaml", kind: "user" });
    if (!reading.ok) throw new Error(yaml);
    return holdsReads(reading.policy, ["Read", "Grep", "read_file"]);
  };

  it.each([
    ["rules:\n  - { name: a, match: { path: '**/.env' }, answer: deny }\n", true],
    ["rules:\n  - { name: a, match: { tool: Read }, answer: ask }\n", true],
    ["rules:\n  - { name: a, match: { tool: 're*' }, answer: ask }\n", true],
    ["rules:\n  - { name: a, match: {}, answer: ask }\n", true],
    ["", true],
    ["rules:\n  - { name: a, match: { path: '**/.env', access: write }, answer: deny }\n", false],
    ["rules:\n  - { name: a, match: { command: 'rm *' }, answer: deny }\n", false],
    ["rules:\n  - { name: a, match: { tool: Bash }, answer: deny }\n", false],
    ["rules:\n  - { name: a, match: { path: '**/.env' }, answer: allow }\n", false],
    ["rules:\n  - { name: a, match: { moment: stop }, answer: block }\n", false],
    ["rules:\n  - { name: a, match: { danger: delete-recursive }, answer: ask }\n", false],
    ["rules:\n  - { name: a, match: { danger: secret-read }, answer: ask }\n", true],
    // Its `danger: any` asks about reading possible secrets.
    ["extends: guard\n", true],
    ["extends: watch-only\n", false],
  ])("%s: %s", (yaml, expected) => {
    expect(held(yaml)).toBe(expected);
  });
});

describe("what explain is given", () => {
  it("goes through the agent's mapping: a tool is explained under the names that the gate has for it", () => {
    const payload = { session_id: "s", hook_event_name: "PreToolUse", tool_name: "mcp__forge__list_repos", tool_input: { org: "x" } };
    expect(readPayload(JSON.stringify(payload))).toMatchObject({
      agent: "claude",
      tool: "list_repos",
      server: "forge",
      toolType: "mcp",
      originalTool: "mcp__forge__list_repos",
    });
  });

  it("is read as the agent's that is named, where it does not show whose it is", () => {
    const payload = { tool: "bash", sessionID: "s", callID: "c", args: { command: "rm -rf src" } };
    const hook = { ...payload, hook: "tool.execute.before" };
    expect(() => readPayload(JSON.stringify(hook), "nobody")).not.toThrow();
  });
});
