import { describe, expect, it } from "vitest";
import { sessionsCommand } from "../commands/sessions.ts";
import { aopSessionEvents, openStoryHub } from "./testing/story-hub.ts";

describe("earshot sessions --costs", () => {
  it("adds up what was supplied, by whatever is asked for", async () => {
    await using hub = await openStoryHub();
    expect((await hub.run(sessionsCommand, "--costs")).out).toBe("No costs were reported.\n");
    const say = aopSessionEvents("sess-a", "archivist");
    await hub.say(
      say("session.started", { metadata: { model: "opus" } }),
      say("operation.tool_start", { tool_name: "read_file", tool_call_id: "c1" }),
      say("operation.tool_end", { tool_name: "read_file", tool_call_id: "c1", success: true, metadata: { token_spend_delta: 150 } }),
      say("session.ended", { outcome: "completed", metadata: { total_cost_usd: 0.25 } }),
    );
    const bySession = await hub.run(sessionsCommand, "--costs");
    expect(bySession.lines[0]).toMatch(/^In all 0\.25 US dollars, 150 tokens, from \d events?\. By session, most expensive first:$/);
    expect(bySession.lines[1]).toMatch(/sess-a.*0\.25 US dollars/);
    expect((await hub.run(sessionsCommand, "--costs", "--by", "tool")).out).toMatch(/^read_file: 150 tokens/m);
    expect((await hub.run(sessionsCommand, "--costs", "--by", "agent")).out).toMatch(/^Archivist: 0\.25 US dollars/m);
    expect((await hub.run(sessionsCommand, "--costs", "--by", "day")).out).toMatch(/^\d{4}-\d{2}-\d{2}: 0\.25 US dollars/m);
    expect((await hub.run(sessionsCommand, "--costs", "--by", "day", "--from", "2020-01-01", "--to", "2020-01-02")).out).toBe(
      "No costs were reported.\n",
    );
    expect((await hub.run(sessionsCommand, "--costs", "--session", "sess")).out).toContain("0.25 US dollars");
    expect(JSON.parse((await hub.run(sessionsCommand, "--costs", "--json")).out)).toMatchObject({
      lines: [{ costUsd: 0.25 }],
      total: { costUsd: 0.25 },
    });
  });

  it("refuses what makes no sense", async () => {
    await using hub = await openStoryHub();
    await expect(hub.run(sessionsCommand, "--costs", "--by", "moon")).rejects.toThrow("--by cannot be");
    await expect(hub.run(sessionsCommand, "--costs", "--from", "2026-02-30")).rejects.toThrow("--from cannot be");
    await expect(hub.run(sessionsCommand, "--costs", "--limit", "5000")).rejects.toThrow("--limit cannot be");
  });
});
