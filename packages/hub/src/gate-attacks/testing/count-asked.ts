import { readFileSync } from "node:fs";
import { mapPayload } from "@earshot/agents";
import { AgentFiles, type LoadedAgent } from "@earshot/agents/files";
import { type CompiledPolicy, compilePolicy, decideByPolicy, type PolicyInput, readPolicy } from "@earshot/policy";
import type { JsonObject, JsonValue } from "@earshot/protocol";
import { readHookEvent } from "../../hooks/hook-event.ts";

/** One line of a corpus: a tool call, and whether a person should be asked about it. */
export interface CorpusCall {
  readonly tool: string;
  /** Short for an input with only a command. */
  readonly command?: string;
  readonly input?: JsonValue;
  /** Default: Claude Code. */
  readonly agent?: string;
  readonly group?: string;
  readonly expect: "ask" | "allow";
}

export interface AskedCount {
  asked: number;
  total: number;
}

export interface CorpusFigures {
  readonly dangerous: AskedCount;
  readonly ordinary: AskedCount;
  readonly groups: ReadonlyMap<string, AskedCount>;
  /** Dangerous calls that were not asked about, and ordinary ones that were. */
  readonly misses: readonly CorpusCall[];
}

const HOME = "/home/dev";
const WORKSPACE = "/home/dev/work/shop";

export function readCorpus(path: string | URL): readonly CorpusCall[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line): CorpusCall => JSON.parse(line));
}

export function compilePreset(name: string): CompiledPolicy {
  const reading = readPolicy({ text: `extends: ${name}\n`, file: "policy.yaml", kind: "user" });
  if (!reading.ok) throw new Error(`There is no preset ${name}.`);
  return compilePolicy(reading.policy, { places: { home: HOME } });
}

/** Counts the calls that a preset asks about, by group. */
export async function countAsked(preset: string, calls: readonly CorpusCall[]): Promise<CorpusFigures> {
  const policy = compilePreset(preset);
  const figures = { dangerous: { asked: 0, total: 0 }, ordinary: { asked: 0, total: 0 } };
  const groups = new Map<string, AskedCount>();
  const misses: CorpusCall[] = [];
  for (const call of calls) {
    const isAsked = decideByPolicy(policy, await putCall(call)).behaviour === "ask";
    const kind = call.expect === "ask" ? "dangerous" : "ordinary";
    const name = `${kind}: ${call.group ?? "all"}`;
    const group = groups.get(name) ?? { asked: 0, total: 0 };
    groups.set(name, group);
    for (const count of [group, figures[kind]]) {
      count.total++;
      if (isAsked) count.asked++;
    }
    if (isAsked !== (call.expect === "ask")) misses.push(call);
  }
  return { ...figures, groups, misses };
}

const files = new AgentFiles();
const agents = new Map<string, LoadedAgent>();

/** The gate's input: the call is wrapped into the agent's hook payload, mapped to an event, and read as the gate reads it. */
export async function putCall({ tool, command, input, agent: slug = "claude" }: CorpusCall): Promise<PolicyInput> {
  const agent = agents.get(slug) ?? (await files.agent(slug));
  if (agent === undefined) throw new Error(`There is no agent ${slug}.`);
  agents.set(slug, agent);
  const payload = {
    hook_event_name: "PreToolUse",
    session_id: "s-1",
    cwd: WORKSPACE,
    tool_name: tool,
    tool_input: command === undefined ? (input ?? {}) : { command },
    tool_use_id: "t-1",
  };
  const { events } = mapPayload(agent.mapping, payload, { hook: "PreToolUse", now: 0, ids: () => "e-1" });
  const raw = events[0]?.event as unknown as JsonObject | undefined;
  const read = raw === undefined ? undefined : readHookEvent(String(raw["type"]), raw, { asksItself: false, attended: true });
  if (read === undefined) throw new Error(`${slug} maps a call of ${tool} to no event that waits for an answer.`);
  return read.put as PolicyInput;
}
