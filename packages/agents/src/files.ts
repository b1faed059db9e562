// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is a promise
export type { Agent, AgentData } from "./files/agent.ts";
export { AgentFiles, type AgentFilesOptions } from "./files/agent-files.ts";
export { createEventId } from "./files/event-id.ts";
export { readShippedAgent, shippedAgents } from "./files/shipped-agents.ts";
