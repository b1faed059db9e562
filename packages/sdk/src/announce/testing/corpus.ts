import { readdirSync, readFileSync } from "node:fs";
import { isObject, type JsonObject, type JsonValue, recogniseProtocol } from "@earshot/protocol";
import type { Activity } from "@earshot/translate";
import { AGENT_FOLDERS, mapAt } from "../../../../agents/src/testing/agent-folders.ts";
import { playCodingAgent } from "../../../../cli/src/demo/coding-agent.ts";
import { playInvoiceAgent } from "../../../../cli/src/demo/invoice-agent.ts";
import { playResearchAgents } from "../../../../cli/src/demo/research-agents.ts";
import type { Stage } from "../../../../cli/src/demo/stage.ts";
import { hear } from "../../../../translate/src/testing/hear.ts";

/** What the samples of all agents mean. */
export function fromAgents(): readonly Activity[] {
  return AGENT_FOLDERS.flatMap(({ mapping, samples }) =>
    samples.flatMap(({ payload, hook }) => mapAt(mapping, payload, hook).events.flatMap(({ event }) => meaningOf(event as JsonValue))),
  );
}

const CONFORMANCE = new URL("../../../../../conformance/", import.meta.url);

/** What the recordings of the conformance suite mean. */
export function fromConformance(): readonly Activity[] {
  return readdirSync(CONFORMANCE, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(new URL(name, CONFORMANCE), "utf8").split("\n"))
    .flatMap((line) => meaningOf(parsed(line)));
}

/** What the agents of the demo say, when a person allows everything they ask. */
export async function fromDemo(): Promise<readonly Activity[]> {
  const said: Activity[] = [];
  const say = (event: object) => {
    said.push(...meaningOf(event as JsonValue));
    return Promise.resolve();
  };
  const stage: Stage = {
    pause: () => Promise.resolve(),
    say,
    ask: (event) => say(event).then(() => "allowed"),
    tell: () => undefined,
    run: "test",
    now: () => "2026-07-01T09:00:00.000Z",
  };
  for (const play of [playCodingAgent, playInvoiceAgent, playResearchAgents]) await play(stage);
  return said;
}

function meaningOf(value: JsonValue | undefined): readonly Activity[] {
  if (!isObject(value)) return [];
  const protocol = recogniseProtocol(value);
  return protocol === undefined ? [] : hear(protocol.name, value);
}

function parsed(line: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    // Some recordings are broken on purpose.
    return undefined;
  }
}
