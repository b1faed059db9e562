import { describe, expect, it } from "vitest";
import { type AopAgentOptions, createAopAgent } from "./agent.ts";
import { FakePlatform } from "./testing/fake-platform.ts";
import { findingsIn, type RecordedEventLine } from "./testing/recorded-session.ts";

function open(options: AopAgentOptions = { agentId: "tester" }) {
  const platform = new FakePlatform();
  const agent = createAopAgent(options, platform);
  const events = () => platform.received.map((line) => JSON.parse(line) as RecordedEventLine);
  return { platform, agent, events, endings: () => events().filter(({ type }) => type === "session.ended") };
}

describe("an agent", () => {
  it("runs work in a session and gives back what the work gives", async () => {
    const { agent, platform, events } = open();
    const result = await agent.run({ goal: "g" }, async (session) => {
      session.thought("hm");
      return 42;
    });
    expect(result).toBe(42);
    expect(await agent.flush()).toBe(true);
    expect(events().map(({ type }) => type)).toEqual(["session.started", "cognition.thought", "session.ended"]);
    expect(findingsIn(platform.received)).toEqual([]);
  });

  it("ends what is open when it is closed, and takes nothing more", async () => {
    const { agent, endings, platform } = open();
    const session = agent.session();
    await agent.close();
    await agent.close();
    session.thought("too late");
    expect(endings()).toHaveLength(1);
    expect(agent.counts()).toMatchObject({ emitted: 2, delivered: 2, ignored: 1 });
    expect(platform.listener).toBeUndefined();
  });

  it("does not call work completed that never came back", async () => {
    const { agent, endings, platform } = open();
    void agent.run({}, () => new Promise(() => {}));
    agent.session();
    platform.listener?.lastWords({ outcome: "completed" });
    await platform.listener?.linger();
    expect(endings().map(({ payload }) => payload["outcome"])).toEqual(["failed", "completed"]);
  });

  it("says that it is alive without being asked", async () => {
    const { agent, events } = open({ agentId: "tester", heartbeatMs: 10 });
    agent.session();
    while (!events().some(({ type }) => type === "session.heartbeat")) await agent.flush();
    await agent.close();
    expect(events().filter(({ type }) => type === "session.heartbeat").length).toBeGreaterThan(0);
  });

  it("is silent when it is told to be", async () => {
    const { agent, platform } = open({ agentId: "tester", enabled: false });
    await agent.run({}, (session) => session.thought("hm"));
    expect(agent.counts()).toMatchObject({ emitted: 0, waiting: 0 });
    expect(platform.asked).toEqual([]);
  });

  it("takes options from programs without types as they come", async () => {
    const hostile = {
      get agentId(): never {
        throw new Error("no");
      },
    };
    for (const options of [null, {}, hostile, { agentId: "\u0000", heartbeatMs: "soon", names: 7 }]) {
      const { agent, platform } = open(options as unknown as AopAgentOptions);
      await agent.run(null as unknown as object, () => {});
      await agent.close();
      expect(findingsIn(platform.received)).toEqual([]);
      expect(agent.agentId).toBe("unnamed-agent");
    }
  });
});
