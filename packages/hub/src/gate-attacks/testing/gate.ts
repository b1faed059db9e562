import { mapPayload } from "@earshot/agents";
import { AgentFiles } from "@earshot/agents/files";
import { readToolInput } from "@earshot/policy";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import { AGENT_FOLDERS } from "../../../../agents/src/testing/agent-folders.ts";
import type { AgentFolder } from "../../hooks/map-hook-payload.ts";
import { type NativeHookCall, NativeHooks, type NativeReply } from "../../hooks/native-hooks.ts";
import type { PersonRules } from "../../policy/rules.ts";
import { type EngineBench, openBench } from "../../requests/testing/engine-bench.ts";

/** A hub's gate in the test process: the native hooks on a real ledger and engine. */
export interface TestGate extends AsyncDisposable {
  readonly bench: EngineBench;
  /** The working folders that agents have reported to the hub. */
  folders(): readonly AgentFolder[];
  ask(payload: object | string, more?: Partial<NativeHookCall>): Promise<NativeReply>;
}

export async function openGate(rules: PersonRules, agents = new AgentFiles()): Promise<TestGate> {
  const bench = await openBench(rules);
  let native: NativeHooks | undefined;
  let opened: EngineBench["hooks"] | undefined;
  return {
    bench,
    folders: () => native?.folders() ?? [],
    ask(payload, more = {}) {
      if (native === undefined || opened !== bench.hooks) native = openNative(bench, agents); // restarted meanwhile
      opened = bench.hooks;
      return native.ask(bashHookCall(payload, more), 0);
    },
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

function openNative({ hooks, unreadable }: EngineBench, agents: AgentFiles): NativeHooks {
  return new NativeHooks(agents, hooks, () => unreadable.answer !== "nothing");
}

/** A Claude Code hook with a payload. */
export function bashHookCall(payload: object | string, more: Partial<NativeHookCall> = {}): NativeHookCall {
  return {
    registered: "claude",
    text: typeof payload === "string" ? payload : JSON.stringify(payload),
    source: "producer",
    observes: false,
    headless: false,
    longestMs: 600_000,
    ...more,
  };
}

/** Everything the agent reads of an answer; "waits" while a request is open. */
export function replyTextOf(reply: NativeReply): string {
  return reply.waits ? "waits" : `${reply.rendering.exitCode} ${reply.rendering.stdout}${reply.rendering.stderr}`;
}

/** A call of Claude Code's Bash tool. */
export function bashPayload(command: string, more: object = {}): JsonObject {
  return {
    session_id: "s1",
    hook_event_name: "PreToolUse",
    cwd: "/work",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "call_0",
    ...more,
  };
}

/** A sample of a hook that gates a shell command, with the command replaced. */
export interface ShellSample {
  readonly agent: string;
  readonly name: string;
  readonly hook: string;
  payload(command: string): JsonValue;
}

/** One for each agent that gates shell commands. */
export function shellSamples(): readonly ShellSample[] {
  const samples: ShellSample[] = [];
  for (const { slug: agent, mapping, renderer, samples: all } of AGENT_FOLDERS) {
    for (const { name, hook, payload } of all) {
      if (renderer.answersOf(hook)?.moment !== "before_action") continue;
      const { events } = mapPayload(mapping, payload, { hook, now: 0, ids: () => "evt" });
      const { action, tool } = events[0]?.event ?? {};
      const { command } = readToolInput(String(tool?.name ?? ""), action?.input as JsonValue | undefined);
      if (command === undefined) continue;
      samples.push({ agent, name, hook, payload: (other) => replaced(payload, command, other) });
    }
  }
  return samples;
}

function replaced(value: JsonValue, from: string, to: string): JsonValue {
  if (typeof value === "string")
    return value.replaceAll(JSON.stringify(from).slice(1, -1), JSON.stringify(to).slice(1, -1)).replaceAll(from, to);
  if (Array.isArray(value)) return value.map((one: JsonValue) => replaced(one, from, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, one === undefined ? null : replaced(one, from, to)]));
}
