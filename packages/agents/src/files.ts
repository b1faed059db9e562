// biome-ignore-all lint/performance/noBarrelFile: a package's only re-export file; each line is public API
export { AgentFiles, type AgentFilesOptions, type LoadedAgent, type WaitingAgent } from "./files/agent-files.ts";
export { createEventId } from "./files/event-id.ts";
export { type AgentData, agentCards, readShippedAgent, shippedAgents } from "./files/shipped-agents.ts";
