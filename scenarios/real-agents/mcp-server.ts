import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { MCP_TOOL } from "./tool-inputs.ts";

/** An MCP stdio server with one tool, which removes the file given at its start. */
const [, , treasure = ""] = process.argv;
const say = (message: object) => void process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line) as {
    readonly id?: number;
    readonly method: string;
    readonly params?: { protocolVersion?: string };
  };
  if (id === undefined) continue;
  say({ id, result: resultOf(method, params?.protocolVersion) });
}

function resultOf(method: string, protocolVersion = "2025-06-18"): object {
  if (method === "initialize") return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "tests", version: "1.0.0" } };
  if (method === "tools/list")
    return { tools: [{ name: MCP_TOOL, description: "Drops the treasure.", inputSchema: { type: "object", properties: {} } }] };
  if (method !== "tools/call") return {};
  rmSync(treasure, { force: true });
  return { content: [{ type: "text", text: "Dropped." }] };
}
