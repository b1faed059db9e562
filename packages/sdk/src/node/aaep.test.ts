import { request } from "node:http";
import { join } from "node:path";
import { type Capabilities, EarshotError } from "@earshot/protocol";
import { describe, expect, it } from "vitest";
import { aaepFindingsIn } from "../testing/recorded-aaep.ts";
import { disposableFolder } from "../testing/temporary-folder.ts";
import { aaep, type ServingAgent } from "./aaep.ts";
import { subscribe } from "./subscribe.ts";

const ABLE: Capabilities = {
  supports_confirmation_reply: true,
  supports_clarification_reply: true,
  supported_conformance_levels: [1, 2, 3],
};
const MUTE: Capabilities = { supports_confirmation_reply: false, supports_clarification_reply: false, supported_conformance_levels: [1] };
const DROP = { action: "Drop the table.", consequence: "It is gone.", irreversible: true } as const;

/** An agent that asks before it acts, as soon as anyone can answer. */
async function tidy(agent: ServingAgent): Promise<string> {
  return agent.run({ summary: "Tidying." }, async (session) => {
    const answer = await session.confirm(DROP);
    if (!answer.accepted) return answer.why;
    return session.tool("drop", { irreversible: true, permit: answer.permit }, () => "dropped");
  });
}

type Listening = ReturnType<typeof subscribe>;

/** Receives a session to its end and answers its questions. */
async function listen(subscription: Listening, decision?: "accept" | "reject"): Promise<string[]> {
  const heard: string[] = [];
  for await (const event of subscription) {
    heard.push(JSON.stringify(event));
    const { type } = event;
    if (type === "aaep:agent.awaiting.confirmation" && decision !== undefined) await subscription.reply(event, { decision });
    if (typeof type === "string" && /session\.(?:completed|errored|cancelled)$/.test(type)) break;
  }
  return heard;
}

describe("an agent that serves itself", () => {
  it("is heard and answered over HTTP, WebSocket and a local socket", async () => {
    using folder = disposableFolder();
    await using agent = aaep({ agentId: "tester", hub: false });
    const endpoint = await agent.serve({ port: 0, socket: join(folder.path, "run", "tester.sock") });
    const addresses = [endpoint.url, endpoint.url?.replace("http", "ws"), `unix:${endpoint.socketPath}`];
    for (const address of addresses) {
      await using subscription = subscribe(String(address), ABLE);
      await subscription.opened;
      const heard = listen(subscription, "accept");
      expect(await tidy(agent)).toBe("dropped");
      const lines = await heard;
      expect(lines.length).toBeGreaterThan(5);
      expect(aaepFindingsIn(lines, ["error", "warning"])).toEqual([]);
    }
  });

  it("takes the first answer of several, and tells all of them", async () => {
    await using agent = aaep({ agentId: "tester", hub: false });
    const { url = "" } = await agent.serve();
    await using first = subscribe(url, ABLE);
    await using second = subscribe(url, ABLE);
    await Promise.all([first.opened, second.opened]);
    const heard = [listen(first, "reject"), listen(second)];
    expect(await tidy(agent)).toBe("rejected");
    for (const lines of await Promise.all(heard)) expect(lines.join("\n")).toContain('"summary_normal":"Refused."');
  });

  it("takes the default at once where nobody can answer", async () => {
    await using agent = aaep({ agentId: "tester", hub: false });
    const { url = "" } = await agent.serve();
    expect(await tidy(agent)).toBe("nobody");
    await using mute = subscribe(url, MUTE);
    await mute.opened;
    expect(await tidy(agent)).toBe("nobody");
  });

  it.each(["http", "ws", "unix"])(
    "waits for somebody whose connection broke, and not for who has closed its subscription (%s)",
    async (way) => {
      using folder = disposableFolder();
      await using forsaken = aaep({ agentId: "forsaken", hub: false });
      const broken = await forsaken.serve();
      const controller = new AbortController();
      await fetch(`${broken.url}/events`, { signal: controller.signal });
      const waiting = tidy(forsaken).then(
        () => "the one whose connection broke",
        () => "ended",
      );
      controller.abort();
      await expect.poll(() => broken.subscriptions, { timeout: 60_000 }).toBe(0);

      await using agent = aaep({ agentId: "tester", hub: false });
      const { url = "", socketPath } = await agent.serve({ port: 0, socket: join(folder.path, "run", "tester.sock") });
      const subscription = subscribe(way === "unix" ? `unix:${socketPath}` : url.replace("http", way), ABLE);
      await subscription.opened;
      const outcome = tidy(agent);
      for await (const { type } of subscription) if (type === "aaep:agent.awaiting.confirmation") break;
      expect(await Promise.race([outcome, waiting])).toBe("nobody");
    },
  );

  it("lets a session be heard from its beginning when it is served later, and be stopped", async () => {
    await using agent = aaep({ agentId: "tester", hub: false });
    const session = agent.session({ summary: "Working." });
    session.thinking("First.");
    await using endpoint = await session.serve();
    const stream = await fetch(`${endpoint.url}/events`, { headers: { "last-event-id": "evt_none" } });
    const stopped = await fetch(`${endpoint.url}/sessions/${session.sessionId}/stop`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ reason: "Enough." }),
    });
    expect(stopped.ok).toBe(true);
    expect(session.signal.aborted).toBe(true);
    let text = "";
    for await (const chunk of stream.body ?? []) {
      text += new TextDecoder().decode(chunk as Uint8Array);
      if (text.includes("session.cancelled")) break;
    }
    expect(text).toContain('"cancelled_by":"user"');
    expect(text).toContain("Enough.");
  });

  it("publishes what it is", async () => {
    await using agent = aaep({ agentId: "tester", agentName: "Tester", language: "de", hub: false });
    const { port } = await agent.serve({ port: 0, path: "/elsewhere" });
    const manifest = await (await fetch(`http://127.0.0.1:${port}/.well-known/aaep-manifest.json`)).json();
    expect(manifest).toMatchObject({
      type: "aaep:producer.manifest",
      agent_id: "tester",
      agent_name: "Tester",
      languages_supported: ["de"],
      conformance_levels_supported: [1, 2, 3],
      transports_supported: ["sse", "websocket"],
      extensions: { earshot: { prefix: "/elsewhere" } },
    });
  });

  it("lets in who has the token, and no page of another origin", async () => {
    await using agent = aaep({ agentId: "tester", hub: false });
    const { url, port } = await agent.serve({ token: "secret", allowOrigins: ["https://console.example"] });
    const get = async (headers: Record<string, string>) => {
      const controller = new AbortController();
      const { status } = await fetch(`${url}/events`, { headers, signal: controller.signal });
      controller.abort();
      return status;
    };
    const authorization = "Bearer secret";
    expect(await get({})).toBe(401);
    expect(await get({ authorization: "Bearer other" })).toBe(401);
    expect(await get({ authorization, origin: "https://evil.example" })).toBe(403);
    expect(await get({ authorization, origin: "https://console.example" })).toBe(200);
    expect(await get({ authorization })).toBe(200);
    const rebound = await new Promise((resolve, reject) => {
      const headers = { host: "evil.example", authorization };
      const asking = request({ port, host: "127.0.0.1", path: "/aaep/v1/events", headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asking.on("error", reject).end();
    });
    expect(rebound).toBe(403);
  });

  it("is not served beyond this machine without a token", async () => {
    await using agent = aaep({ agentId: "tester", hub: false });
    await expect(agent.serve({ host: "0.0.0.0" })).rejects.toSatisfy(
      (error) => EarshotError.is(error) && error.problem.code === "WRONG_USAGE",
    );
  });

  it("says that the port is taken", async () => {
    await using agent = aaep({ agentId: "tester", hub: false });
    const { port } = await agent.serve({ port: 0 });
    await expect(agent.serve({ port })).rejects.toMatchObject({ problem: { code: "PORT_TAKEN" } });
  });
});
