import { isObject, type JsonValue, recogniseProtocol } from "@earshot/protocol";
import type { Activity } from "@earshot/protocol/activities";
import { AGENT_FOLDERS, mapAt } from "../../../agents/src/testing/agent-folders.ts";
import { playCodingAgent } from "../../../cli/src/demo/coding-agent.ts";
import { playInvoiceAgent } from "../../../cli/src/demo/invoice-agent.ts";
import { playResearchAgents } from "../../../cli/src/demo/research-agents.ts";
import type { DemoStage } from "../../../cli/src/demo/stage.ts";
import { activitiesOfEvent } from "../../../protocol/src/activities/testing/check-activity.ts";
import { CONFORMANCE_CASES } from "../../../protocol/testing/conformance.ts";

/** The activities of all agents' samples. */
export function fromAgents(): readonly Activity[] {
  return AGENT_FOLDERS.flatMap(({ mapping, samples }) =>
    samples.flatMap(({ payload, hook }) => mapAt(mapping, payload, hook).events.flatMap(({ event }) => meaningOf(event as JsonValue))),
  );
}

/** The activities in the recordings of all conformance cases. */
export function fromConformance(): readonly Activity[] {
  return CONFORMANCE_CASES.flatMap(({ recording }) => recording.flatMap(meaningOf));
}

/** The activities of the demo's agents when every request is allowed. */
export async function fromDemo(): Promise<readonly Activity[]> {
  const said: Activity[] = [];
  const say = (event: object) => {
    said.push(...meaningOf(event as JsonValue));
    return Promise.resolve();
  };
  const stage: DemoStage = {
    pause: () => Promise.resolve(),
    send: say,
    ask: (event) => say(event).then(() => "allowed"),
    print: () => undefined,
    run: "test",
    now: () => "2026-07-01T09:00:00.000Z",
  };
  for (const play of [playCodingAgent, playInvoiceAgent, playResearchAgents]) await play(stage);
  return said;
}

function meaningOf(value: JsonValue | undefined): readonly Activity[] {
  if (!isObject(value)) return [];
  const protocol = recogniseProtocol(value);
  return protocol === undefined ? [] : activitiesOfEvent(protocol.name, value);
}
