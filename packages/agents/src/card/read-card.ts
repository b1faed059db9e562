import { isObject } from "@earshot/protocol/json";
import { Compile } from "typebox/compile";
import { type LocatedProblem, type ReadResult, readYaml } from "../text/read-yaml.ts";
import { type AgentCard, agentCardSchema } from "./agent-card.ts";

const validator = Compile(agentCardSchema);

/** Reads an `agent.yaml` file. Members that most agents do not need are optional. */
export function readCard(text: string): ReadResult<AgentCard> {
  const yaml = readYaml(text, "strict");
  if (!yaml.ok) return yaml;
  const { value, place } = yaml.value;
  const card = isObject(value) ? { aliases: [], leftOut: {}, afterwards: {}, guards: [], limits: [], ...value } : value;
  if (validator.Check(card)) return { ok: true, value: card, warnings: yaml.warnings };
  const troubles = validator.Errors(card).map(
    ({ instancePath, message }): LocatedProblem => ({
      severity: "error",
      ...place(instancePath),
      message: `${instancePath || "The file"} ${message}.`,
      hint: "The members are listed in packages/agents/src/card/agent-card.ts.",
    }),
  );
  return { ok: false, troubles };
}
