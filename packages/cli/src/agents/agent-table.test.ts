import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { agentTable } from "./testing/agent-table.ts";

describe("docs/install-agents.md", () => {
  it("lists every agent as it is registered", () => {
    expect(readFileSync("docs/install-agents.md", "utf8")).toContain(agentTable());
  });
});
