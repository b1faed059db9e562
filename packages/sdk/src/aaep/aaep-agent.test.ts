import { describe, expect, it } from "vitest";
import { FakeHub } from "../testing/fake-hub.ts";
import { aaepFindingsIn } from "../testing/recorded-aaep.ts";
import { type AaepAgentOptions, type AgentParts, createAaepAgent } from "./aaep-agent.ts";
import { AaepSession } from "./aaep-session.ts";

const DROP = { action: "Drop the table.", consequence: "It is gone.", irreversible: true } as const;

function open(options: AaepAgentOptions = { agentId: "tester" }) {
  const hub = new FakeHub();
  const met: AgentParts[] = [];
  const agent = createAaepAgent(options, hub, {
    newSession: (ports, sessionOptions) => new AaepSession(ports, sessionOptions),
    meet: (parts) => met.push(parts),
  });
  const [parts] = met;
  if (parts === undefined) throw new Error("Nobody was met.");
  return { hub, agent, parts };
}

async function until<Value>(look: () => Value | undefined): Promise<Value> {
  for (let turn = 0; turn < 20_000; turn++) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throw new Error("It did not come.");
}

describe("an agent that speaks to a hub", () => {
  it("sends what it says, in order, and ends its session as the work ends", async () => {
    const { agent, hub } = open({ agentId: "tester", agentVersion: "1.0.0", agentName: "Tester", model: "none" });
    expect(await agent.run({ summary: "Trying." }, (session) => session.tool("try", {}, () => 42))).toBe(42);
    expect(await agent.flush()).toBe(true);
    expect(hub.events[0]).toMatchObject({ producer: { agent_id: "tester", agent_version: "1.0.0", agent_name: "Tester", model: "none" } });
    expect(aaepFindingsIn(hub.received)).toEqual([]);
    expect(hub.posts[0]?.url).toBe("http://receiver/v1/events?protocol=aaep");
    await agent.close();
  });

  it("hears from the hub what a person answers, and asks each question once", async () => {
    const { agent, hub } = open();
    const session = agent.session({ summary: "Tidying." });
    const asking = session.confirm(DROP);
    const { event_id: id } = await until(() => hub.events.find(({ type }) => type === "aaep:agent.awaiting.confirmation"));
    hub.answers.set(String(id), { waits: false, answer: { word: "accept", message: "Go on." }, unanswered: false });
    const answer = await asking;
    expect(answer).toMatchObject({ accepted: true, rationale: "Go on." });
    if (answer.accepted) await session.tool("drop", { irreversible: true, permit: answer.permit }, () => {});
    const question = session.clarify({ question: "How many?", kinds: ["numeric"] });
    const { event_id: other } = await until(() => hub.events.find(({ type }) => type === "aaep:agent.awaiting.clarification"));
    hub.answers.set(String(other), { waits: false, answer: { word: "respond", response: 7 }, unanswered: false });
    expect(await question).toEqual({ answered: true, response: 7 });
    const handing = session.handoff({ reason: "Too hard.", target: "human" });
    const { event_id: third } = await until(() => hub.events.find(({ type }) => type === "aaep:agent.handoff.requested"));
    hub.answers.set(String(third), { waits: false, answer: { word: "take-over" }, unanswered: false });
    expect(await handing).toBe("taken");
    await agent.flush();
    expect(hub.events.filter(({ type }) => type === "aaep:agent.awaiting.confirmation")).toHaveLength(1);
    expect(aaepFindingsIn(hub.received, ["error", "warning"])).toEqual([]);
    await agent.close();
  });

  it("asks when the hub is back, within the time that it has", async () => {
    const { agent, hub } = open();
    hub.receiver = "away";
    const session = agent.session({ summary: "Tidying." });
    const asking = session.confirm({ ...DROP, timeoutSeconds: 600 });
    await agent.flush(20);
    expect(hub.received).toEqual([]);
    hub.receiver = "hub";
    const { event_id: id } = await until(() => hub.events.find(({ type }) => type === "aaep:agent.awaiting.confirmation"));
    hub.answers.set(String(id), { waits: false, answer: { word: "reject" }, unanswered: false });
    expect(await asking).toEqual({ accepted: false, why: "rejected" });
    await agent.close();
  });

  it("takes the default at once where the hub asks nobody and nobody else listens", async () => {
    const { agent, hub } = open();
    hub.asks = false;
    expect(await agent.session({ summary: "Tidying." }).confirm(DROP)).toEqual({ accepted: false, why: "nobody" });
    await agent.close();
  });

  it("goes on asking those who listen to it where the hub asks nobody", async () => {
    const { agent, hub, parts } = open();
    hub.asks = false;
    parts.questions.attend("served", { confirmations: 1, clarifications: 0 });
    const session = agent.session({ summary: "Tidying." });
    const asking = session.confirm(DROP);
    const { reply_token: token } = await until(() => hub.events.find(({ type }) => type === "aaep:agent.awaiting.confirmation"));
    await until(() => hub.asked.find(({ url, method }) => method === "POST" && url.endsWith("/aaep/v1/events")));
    const reply = { subscription_id: "sub_1", timestamp: new Date().toISOString(), reply_token: String(token) } as const;
    parts.questions.reply({ type: "confirmation.reply", decision: "accept", ...reply });
    expect(await asking).toMatchObject({ accepted: true });
    await agent.close();
  });

  it("is stopped by a person at the hub: the signal is aborted, and the session was cancelled by them", async () => {
    const { agent, hub } = open();
    const session = agent.session({ summary: "Tidying." });
    const running = session.tool(
      "slow",
      {},
      ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    hub.stopped.set(session.sessionId, "Enough.");
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
    expect(session.signal.aborted).toBe(true);
    await agent.flush();
    expect(hub.events.at(-1)).toMatchObject({ type: "aaep:agent.session.cancelled", cancelled_by: "user", summary_normal: "Enough." });
    expect(aaepFindingsIn(hub.received)).toEqual([]);
    await agent.close();
  });

  it("ends what is open when it is closed, and when the process ends", async () => {
    const closed = open();
    closed.agent.session({ summary: "Left." });
    await closed.agent.close();
    expect(closed.hub.events.at(-1)).toMatchObject({ type: "aaep:agent.session.errored" });
    expect(closed.hub.listener).toBeUndefined();

    const { agent, hub } = open();
    agent.session({ summary: "Idle." });
    void agent.session({ summary: "Busy." }).tool("slow", {}, () => new Promise(() => {}));
    void agent.run({ summary: "At work." }, () => new Promise(() => {}));
    hub.listener?.lastWords({ outcome: "completed", summary: "The process ended with exit code 0." });
    await hub.listener?.linger();
    const ended = hub.events.filter(({ type }) => type.startsWith("aaep:agent.session.") && !type.endsWith("started"));
    expect(ended.map(({ type }) => type.replace("aaep:agent.session.", ""))).toEqual(["completed", "errored", "errored"]);
    agent.session({ summary: "Interrupted." });
    hub.listener?.lastWords({ outcome: "cancelled", summary: "The process was ended by SIGTERM." });
    await hub.listener?.linger();
    expect(hub.events.at(-1)).toMatchObject({ cancelled_by: "system", summary_normal: "The process was ended by SIGTERM." });
    expect(aaepFindingsIn(hub.received)).toEqual([]);
    await agent.close();
  });
});

describe("an agent without a hub", () => {
  it("hands its events over, and is not disturbed by who takes them", async () => {
    const heard: string[] = [];
    const kind = { newSession: (...given: ConstructorParameters<typeof AaepSession>) => new AaepSession(...given) };
    const onEvent = (event: object) => {
      heard.push(JSON.stringify(event));
      throw new Error("no");
    };
    const agent = createAaepAgent({ agentId: "tester", onEvent }, undefined, kind);
    await agent.run({ summary: "Trying." }, async (session) => {
      expect(await session.confirm(DROP)).toEqual({ accepted: false, why: "nobody" });
      await session.say("Done.");
    });
    expect(aaepFindingsIn(heard)).toEqual([]);
    expect([await agent.flush(), agent.counts().emitted]).toEqual([true, 0]);
    await agent.close();
  });

  it("takes options from programs without types as they come", async () => {
    const hostile = {
      get agentId(): never {
        throw new Error("no");
      },
    };
    for (const options of [null, {}, hostile, { agentId: "\u0000", language: "not a language", onEvent: 7 }]) {
      const { agent, hub } = open(options as unknown as AaepAgentOptions);
      await agent.run(null as never, () => {});
      await agent.close();
      expect(aaepFindingsIn(hub.received)).toEqual([]);
    }
  });
});
