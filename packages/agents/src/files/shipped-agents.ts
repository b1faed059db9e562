import { readdirSync, readFileSync } from "node:fs";
import type { AgentData } from "./agent.ts";

/** The agents' files as they were read when Earshot was built: parsing YAML would delay every hook. */
const FOLDER = new URL("../../compiled/", import.meta.url);

export function shippedAgents(): readonly string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".json"))
    .map((name) => name.slice(0, -".json".length))
    .sort();
}

/** Undefined for an agent that does not ship with Earshot. The slug was checked: it is a plain word. */
export function readShippedAgent(slug: string): AgentData | undefined {
  try {
    return JSON.parse(readFileSync(new URL(`${slug}.json`, FOLDER), "utf8")) as AgentData;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
