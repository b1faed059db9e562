import { describe, expect, it } from "vitest";
import { aopSessionEvents, openStoryHub } from "../story/testing/story-hub.ts";
import { sessionsCommand } from "./sessions.ts";

describe("earshot sessions", () => {
  it("lists them, most recent first, a line each", async () => {
    await using hub = await openStoryHub();
    expect((await hub.run(sessionsCommand)).out).toBe("No session is recorded yet.\n");
    const [first, second] = [aopSessionEvents("sess-one", "archivist"), aopSessionEvents("sess-two", "carrier")];
    await hub.say(first("session.started", { goal: "Tidy\u001b[2J up" }), first("session.ended", { outcome: "failed" }));
    await hub.say(second("session.started", { goal: "Carry" }), second("cognition.thought", { content: "Heavy." }));
    const { lines, code } = await hub.run(sessionsCommand);
    expect(code).toBe(0);
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe("2 sessions, most recent first: 1 running, 1 failed.");
    expect(lines[1]).toMatch(/^Running, Carrier: Carry\. .*Session: sess-two, AOP\.$/);
    expect(lines[2]).toMatch(/^Failed, Archivist: Tidy\\u\{1b\}\[2J up\. .*Session: sess-one, AOP\.$/);
  });

  it("filters, says how to get more, and goes on there", async () => {
    await using hub = await openStoryHub();
    for (const name of ["a", "b", "c", "d"])
      await hub.say(aopSessionEvents(`sess-${name}`, name === "d" ? "other" : "helper")("session.started"));
    const found = await hub.run(sessionsCommand, "--agent", "helper", "--limit", "2");
    expect(found.lines.slice(1, 3).map((line) => /sess-\w/.exec(line)?.[0])).toEqual(["sess-c", "sess-b"]);
    const [, cursor = ""] = /^There are more: earshot sessions --agent helper --limit 2 --after (\S+)$/.exec(found.lines[3] ?? "") ?? [];
    const rest = await hub.run(sessionsCommand, "--agent", "helper", "--limit", "2", "--after", cursor);
    expect(rest.out).toMatch(/^1 session: 1 running\.\n.*sess-a/);
    expect((await hub.run(sessionsCommand, "--status", "failed,stalled")).out).toBe("No session matches.\n");
    expect((await hub.run(sessionsCommand, "--protocol", "aep")).out).toBe("No session matches.\n");
    expect((await hub.run(sessionsCommand, "--since", "1h", "--roots")).lines[0]).toMatch(/^4 sessions/);
  });

  it("prints JSON", async () => {
    await using hub = await openStoryHub();
    await hub.say(aopSessionEvents("sess-a")("session.started", { goal: "Go" }));
    expect(JSON.parse((await hub.run(sessionsCommand, "--json")).out)).toMatchObject({
      items: [{ id: "sess-a", goal: "Go", status: "running" }],
    });
  });

  it("explains itself, and refuses what makes no sense", async () => {
    await using hub = await openStoryHub();
    await expect(hub.run(sessionsCommand, "--status", "asleep")).rejects.toThrow('--status cannot be "asleep"');
    await expect(hub.run(sessionsCommand, "--protocol", "otlp")).rejects.toThrow("--protocol cannot be");
    await expect(hub.run(sessionsCommand, "--since", "soon")).rejects.toThrow("--since cannot be");
    await expect(hub.run(sessionsCommand, "--limit", "0")).rejects.toThrow("--limit cannot be");
  });
});
