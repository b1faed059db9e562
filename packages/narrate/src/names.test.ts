import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { agentName, agentSlug } from "./names.ts";

const AGENTS = "packages/agents/agents";

describe("the name of an agent", () => {
  it.each(readdirSync(AGENTS))("%s is called what its own mapping calls it", (slug) => {
    const [, name] = /^display_name: (.+)$/m.exec(readFileSync(`${AGENTS}/${slug}/mapping.yaml`, "utf8")) ?? [];
    expect(agentName(slug)).toBe(name);
    expect(agentSlug(agentName(slug))).toBe(slug);
  });

  it.each([
    ["invoice-desk", "Invoice desk"],
    ["research_lead", "Research lead"],
    ["zorblax", "Zorblax"],
    ["agent-7", "Agent 7"],
    ["", "Somebody"],
    // Not words: ids, addresses, deliberate capitalization.
    ["MyAgent", "MyAgent"],
    ["com.example.desk", "com.example.desk"],
    ["urn:uuid:1-2", "urn:uuid:1-2"],
    ["-x", "-x"],
    ["constructor", "Constructor"],
  ])("%j is %j", (slug, name) => {
    expect(agentName(slug)).toBe(name);
  });

  it("is what it calls itself only where it has no other", () => {
    expect([agentName("", "Zorb"), agentName("desk", "Zorb")]).toEqual(["Zorb", "Desk"]);
  });

  it("leads back to its slug, and a slug stays one", () => {
    expect(["Invoice desk", "invoice-desk", " claude code ", "MyAgent", "com.example.desk", ""].map(agentSlug)).toEqual([
      "invoice-desk",
      "invoice-desk",
      "claude",
      "MyAgent",
      "com.example.desk",
      "",
    ]);
  });
});
