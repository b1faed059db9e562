import { describe, expect, it } from "vitest";
import { aopSession, openTellingHub } from "../story/testing/telling-hub.ts";
import { COSTS_HELP, costs } from "./costs.ts";

describe("earshot costs", () => {
  it("adds up what was supplied, by whatever is asked for", async () => {
    await using hub = await openTellingHub();
    expect((await hub.run(costs)).out).toBe("Nobody has said what anything cost.\n");
    const say = aopSession("sess-a", "archivist");
    await hub.say(
      say("session.started", { metadata: { model: "opus" } }),
      say("operation.tool_start", { tool_name: "read_file", tool_call_id: "c1" }),
      say("operation.tool_end", { tool_name: "read_file", tool_call_id: "c1", success: true, metadata: { token_spend_delta: 150 } }),
      say("session.ended", { outcome: "completed", metadata: { total_cost_usd: 0.25 } }),
    );
    const bySession = await hub.run(costs);
    expect(bySession.lines[0]).toMatch(/^In all 0\.25 US dollars, 150 tokens, from \d events?\. By session, most expensive first:$/);
    expect(bySession.lines[1]).toMatch(/sess-a.*0\.25 US dollars/);
    expect((await hub.run(costs, "--by", "tool")).out).toMatch(/^read_file: 150 tokens/m);
    expect((await hub.run(costs, "--by", "agent")).out).toMatch(/^archivist: 0\.25 US dollars/m);
    expect((await hub.run(costs, "--by", "day")).out).toMatch(/^\d{4}-\d{2}-\d{2}: 0\.25 US dollars/m);
    expect((await hub.run(costs, "--by", "day", "--from", "2020-01-01", "--to", "2020-01-02")).out).toBe(
      "Nobody has said what anything cost.\n",
    );
    expect((await hub.run(costs, "--session", "sess")).out).toContain("0.25 US dollars");
    expect(JSON.parse((await hub.run(costs, "--json")).out)).toMatchObject({ lines: [{ costUsd: 0.25 }], total: { costUsd: 0.25 } });
  });

  it("explains itself, and refuses what makes no sense", async () => {
    await using hub = await openTellingHub();
    expect((await hub.run(costs, "--help")).out).toBe(COSTS_HELP);
    await expect(hub.run(costs, "--by", "moon")).rejects.toThrow("--by cannot be");
    await expect(hub.run(costs, "--from", "2026-02-30")).rejects.toThrow("--from cannot be");
    await expect(hub.run(costs, "--limit", "5000")).rejects.toThrow("--limit cannot be");
  });
});
