import { plainText } from "../../terminal/plain-text.ts";
import type { HostVerdict } from "../host/host.ts";
import type { DrillResult } from "./drill.ts";
import { FAULTS } from "./faults.ts";

/** What came of a drill, agent by agent, a line for each fault. */
export function drillLines(results: readonly DrillResult[]): string {
  const width = Math.max(...FAULTS.map(({ name }) => name.length));
  return [...Map.groupBy(results, ({ host }) => host)]
    .map(([host, group]) => {
      const lines = FAULTS.flatMap(({ name }) => group.filter(({ fault }) => fault.name === name)).map(
        ({ fault, verdict }) => `  ${fault.name.padEnd(width)}  ${verdict.effect.padEnd(7)}  ${plainText(tell(verdict))}\n`,
      );
      return `${host}\n${lines.join("")}`;
    })
    .join("");
}

function tell({ why, message }: HostVerdict): string {
  return message === undefined ? why : `${why}: ${message.split("\n", 1).join("").slice(0, 120)}`;
}

/** Whether Earshot failed: what its rules refuse must not run, hub or no hub. The rest is how the agent is made. */
export function isGateBroken({ fault, verdict }: DrillResult): boolean {
  return fault.hub !== undefined && verdict.effect === "ran";
}
