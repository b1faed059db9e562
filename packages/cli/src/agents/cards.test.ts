import type { AgentCard } from "@earshot/agents";
import { agentCards, readShippedAgent, shippedAgents } from "@earshot/agents/files";
import { describe, expect, it } from "vitest";
import { findCard } from "./find-card.ts";
import { deadlineMsOf, registrationsFor } from "./registrations.ts";
import { cardOf } from "./testing/card-of.ts";
import { SIMULATED_HOSTS } from "./testing/hosts/play-host.ts";
import { PLUGIN_HOSTS } from "./testing/hosts/plugin-hosts.ts";

const [claude, codex, cursor, gemini, windsurf] = ["claude", "codex", "cursor", "gemini", "windsurf"].map(cardOf) as [
  AgentCard,
  AgentCard,
  AgentCard,
  AgentCard,
  AgentCard,
];

const NEW = "9.9.9";

describe("the agents that can be registered with", () => {
  it("are those that ship with Earshot, each of them", () => {
    expect(
      agentCards()
        .map(({ slug }) => slug)
        .sort(),
    ).toEqual([...shippedAgents()].sort());
  });

  it("are found by the names that people use", () => {
    const names = ["claude-code", "Codex-CLI", "copilot", "vscode", "gemini-cli", "factory", "augment", "kilocode", "cascade", "pi"];
    expect(names.map((name) => findCard(name)?.slug)).toEqual([
      "claude",
      "codex",
      "github",
      "github",
      "gemini",
      "droid",
      "auggie",
      "kilo",
      "windsurf",
      "pi",
    ]);
    expect(findCard("nobody")).toBeUndefined();
  });

  it.each(agentCards())("$slug: every hook with a mapping is registered, or left out with a reason", (card) => {
    const data = readShippedAgent(card.slug);
    const mapped = new Set(data?.mapping.entries.flatMap((entry) => entry.hooks ?? []));
    const patterns = Object.keys(card.leftOut).flatMap((key) => (/^\/.*\/$/.test(key) ? [new RegExp(key.slice(1, -1))] : []));
    const isLeftOut = (hook: string) => card.leftOut[hook] !== undefined || patterns.some((pattern) => pattern.test(hook));
    expect([...mapped].filter((hook) => card.hooks.includes(hook) === isLeftOut(hook))).toEqual([]);
    expect(card.hooks.filter((hook) => !mapped.has(hook))).toEqual([]);
  });

  it.each(agentCards())("$slug: nothing is registered that the agent's answers warn of", (card) => {
    const avoided =
      readShippedAgent(card.slug)
        ?.answers.hooks.filter(({ avoid }) => avoid !== undefined)
        .flatMap(({ hooks }) => hooks) ?? [];
    expect(card.hooks.filter((hook) => avoided.includes(hook))).toEqual([]);
  });

  it.each(agentCards())("$slug: has a host that plays it, at a hook that it gates", (card) => {
    const host = SIMULATED_HOSTS.find(({ agent }) => agent === card.slug);
    const plugin = PLUGIN_HOSTS.find(({ agent }) => agent === card.slug);
    expect(host ?? plugin).toBeDefined();
    if (host === undefined) return;
    const gates = registrationsFor(card, NEW).filter(({ hook, gates }) => hook === host.hook && gates);
    expect(gates).toHaveLength(1);
    expect(gates[0]?.timeoutS).toBe(card.deadline.gateS);
  });
});

describe("what is gated", () => {
  const matchersAt = (hook: string, card = claude) =>
    registrationsFor(card, NEW)
      .filter((registration) => registration.hook === hook)
      .map(({ gates, watchOnly, matcher = "" }) => ({ gates, watchOnly, pattern: new RegExp(matcher) }));

  it.each([
    [
      claude,
      "PreToolUse",
      ["Bash", "Write", "Edit", "NotebookEdit", "WebFetch", "mcp__db__query", "Readme", "SomethingNew"],
      ["Read", "Grep", "TodoWrite"],
    ],
    [gemini, "BeforeTool", ["run_shell_command", "write_file", "web_fetch", "mcp_x_y"], ["read_file", "glob"]],
    [cursor, "preToolUse", ["Write", "Delete", "Task"], ["Read", "Shell", "MCP:query"]],
  ] as const)("of $slug is every tool but those that only read", (card, hook, changing, reading) => {
    const [gate, watch] = matchersAt(hook, card);
    for (const tool of changing) expect([tool, gate?.pattern.test(tool), watch?.pattern.test(tool)]).toEqual([tool, true, false]);
    for (const tool of reading) expect([tool, gate?.pattern.test(tool), watch?.pattern.test(tool)]).toEqual([tool, false, true]);
    expect([gate?.gates, gate?.watchOnly, watch?.gates, watch?.watchOnly]).toEqual([true, false, false, true]);
  });

  it("is everything where the agent cannot be told what to leave out", () => {
    expect(matchersAt("PreToolUse", codex)).toEqual([{ gates: true, watchOnly: false, pattern: /(?:)/ }]);
  });

  it("is told by the hook itself in Windsurf", () => {
    expect(
      registrationsFor(windsurf)
        .filter(({ gates }) => gates)
        .map(({ hook }) => hook),
    ).toEqual(["pre_write_code", "pre_run_command", "pre_mcp_tool_use", "pre_user_prompt"]);
  });

  it("fails closed only before something happens", () => {
    const closed = registrationsFor(claude, NEW).filter(({ failsClosed }) => failsClosed);
    expect(closed.map(({ hook, watchOnly }) => [hook, watchOnly])).toEqual([["PreToolUse", false]]);
  });
});

describe("an older Claude Code", () => {
  it("gets only hooks that it knows: it would skip the whole file for one that it does not", () => {
    const core = [
      "PreToolUse",
      "PostToolUse",
      "UserPromptSubmit",
      "Notification",
      "Stop",
      "SubagentStop",
      "PreCompact",
      "SessionStart",
      "SessionEnd",
    ];
    for (const version of [undefined, "1.0.100", "2.1.196"])
      expect(new Set(registrationsFor(claude, version).map(({ hook }) => hook))).toEqual(new Set(core));
    const newest = registrationsFor(claude, "2.1.197").map(({ hook }) => hook);
    expect(newest).toContain("PermissionRequest");
    expect(newest).not.toContain("PreCompact"); // PostCompact tells the same
  });
});

describe("how long an agent waits", () => {
  it("is the longest that it takes where a person may be asked, and little elsewhere", () => {
    expect([deadlineMsOf(claude, "PreToolUse"), deadlineMsOf(claude, "SessionEnd"), deadlineMsOf(codex, "SessionEnd")]).toEqual([
      86_400_000, 10_000, 3000,
    ]);
  });
});
