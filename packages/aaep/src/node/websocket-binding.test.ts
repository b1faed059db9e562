import { once } from "node:events";
import type { JsonObject } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol";
import { describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { testRequest } from "../producer/testing/test-producer.ts";
import { SUBPROTOCOL } from "../subscriber/channel-connector.ts";
import { serveTestProducer, type TestServer } from "./testing/serve.ts";
import { CLOSE_CODES } from "./websocket-binding.ts";

const until = (holds: () => void) => vi.waitFor(holds, { timeout: 20_000, interval: 5 });

class Peer {
  readonly socket: WebSocket;
  readonly said: JsonObject[] = [];
  code: number | undefined;

  constructor({ url }: Pick<TestServer, "url">, { token = "ana", protocols = [] as string[], path = "/ws" } = {}) {
    this.socket = new WebSocket(url.replace("http", "ws") + path, protocols, { headers: { authorization: `Bearer ${token}` } });
    this.socket.on("message", (data) => this.said.push(JSON.parse(String(data)) as JsonObject));
    this.socket.on("close", (code) => {
      this.code = code;
    });
    this.socket.on("error", () => {}); // some are refused, and that is what is looked at
  }

  static async open(serving: TestServer, options: ConstructorParameters<typeof Peer>[1] = {}): Promise<Peer> {
    const peer = new Peer(serving, options);
    await once(peer.socket, "open");
    return peer;
  }

  say(message: object | string): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  get types(): readonly string[] {
    return this.said.map((item) => String(item["type"] ?? item["kind"]).replace("aaep:agent.", ""));
  }
}

describe("a WebSocket", () => {
  it("carries request, answer and events, and takes the subprotocol where it is offered", async () => {
    await using serving = await serveTestProducer();
    const peer = await Peer.open(serving, { protocols: [SUBPROTOCOL, "other"] });
    expect(peer.socket.protocol).toBe(SUBPROTOCOL);
    peer.say(testRequest({ supports_confirmation_reply: true }));
    await until(() => expect(peer.types).toEqual(["subscription.accepted"]));
    serving.feed.append(serving.make.started());
    serving.feed.append(serving.make.confirmation());
    await until(() => expect(peer.types.slice(1)).toEqual(["session.started", "awaiting.confirmation"]));
    peer.say({
      type: "confirmation.reply",
      reply_token: peer.said[2]?.["reply_token"],
      decision: "reject",
      subscription_id: peer.said[0]?.["subscription_id"],
      timestamp: "2026-07-01T00:00:00.000Z",
    });
    await until(() => expect(serving.replies).toHaveLength(1));
    peer.say({ type: "subscription.close", subscription_id: peer.said[0]?.["subscription_id"] });
    await until(() => expect(peer.code).toBe(CLOSE_CODES.clean));
    expect(serving.producer.size).toBe(0);
  });

  it("needs neither subprotocol nor handshake, at the prefix too", async () => {
    await using serving = await serveTestProducer();
    const peer = await Peer.open(serving, { path: "" });
    expect(peer.socket.protocol).toBe("");
    peer.say({ kind: "user_input", text: "hello" });
    await until(() => expect(peer.types).toEqual(["user_input.ack", "session.started"]));
    peer.say({ ...testRequest(), aaep_version: "99.99.99" });
    peer.say(testRequest({ event_filters: { include: [] } }));
    await until(() => expect(peer.types.slice(2)).toEqual(["subscription.rejected", "subscription.accepted"]));
    serving.feed.append(serving.make.tool());
    serving.feed.append(serving.make.confirmation());
    await until(() => expect(peer.types.slice(4)).toEqual(["awaiting.confirmation"]));
  });

  it("serves a peer that says nothing after a while, from where it connected", async () => {
    await using serving = await serveTestProducer();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const peer = await Peer.open(serving);
    serving.feed.append(serving.make.started());
    vi.advanceTimersByTime(999);
    expect([serving.producer.size, peer.types]).toEqual([0, []]);
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    await until(() => expect(peer.types).toEqual(["session.started"]));
  });

  it("is closed with the code that says why", async () => {
    await using serving = await serveTestProducer();
    const rejected = await Peer.open(serving);
    rejected.say({ ...testRequest(), aaep_version: "99.99.99" });
    await until(() => expect(rejected.code).toBe(CLOSE_CODES.rejected));
    expect(rejected.types).toEqual(["subscription.rejected"]);
    const nobody = await Peer.open(serving, { token: "nobody" });
    await until(() => expect(nobody.code).toBe(CLOSE_CODES.authentication));
    expect(nobody.said).toMatchObject([{ reason_code: "authentication_required" }]);
    const stranger = await Peer.open(serving, { token: "stranger" });
    await until(() => expect(stranger.code).toBe(CLOSE_CODES.authorisation));
    expect(stranger.said).toMatchObject([{ reason_code: "authorization_denied" }]);
    const binary = await Peer.open(serving);
    binary.socket.send(Buffer.from("{}"));
    await until(() => expect(binary.code).toBe(CLOSE_CODES.violation));
    const babbling = await Peer.open(serving);
    for (let count = 0; count < 20; count++) babbling.say("nonsense");
    await until(() => expect(babbling.code).toBe(CLOSE_CODES.violation));
    const last = await Peer.open(serving);
    last.say(testRequest());
    await until(() => expect(last.said).toHaveLength(1));
    serving.producer.close();
    await until(() => expect(last.code).toBe(CLOSE_CODES.clean));
    expect(last.types.at(-1)).toBe("subscription.close");
  });

  it("is not opened at other addresses, nor for pages of other origins", async () => {
    const authorise = () => {
      throw new EarshotError({ code: "HOST_REFUSED", message: "Not from there." });
    };
    await using serving = await serveTestProducer({}, { authorise });
    const refused = new Peer(serving);
    const [, response] = await once(refused.socket, "unexpected-response");
    expect(response.statusCode).toBe(403);
    const lost = new Peer(serving, { path: "/elsewhere" });
    const [, other] = await once(lost.socket, "unexpected-response");
    expect(other.statusCode).toBe(404);
  });

  it("of a peer that reads nothing does not hold up the others", async () => {
    await using serving = await serveTestProducer();
    const stuck = await Peer.open(serving);
    stuck.say(testRequest());
    await until(() => expect(stuck.said).toHaveLength(1));
    stuck.socket.pause();
    const reader = await Peer.open(serving);
    reader.say(testRequest());
    await until(() => expect(reader.said).toHaveLength(1));
    const long = "x".repeat(10_000);
    for (let count = 0; count < 1500; count++) serving.feed.append(serving.make.make("tool.invoked", { tool: "t", summary_normal: long }));
    await until(() => expect(reader.said).toHaveLength(1501));
    stuck.socket.resume();
    await until(() => expect(stuck.said).toHaveLength(1501));
    expect(stuck.said.slice(1)).toEqual(reader.said.slice(1));
    reader.socket.terminate();
    await until(() => expect(serving.producer.size).toBe(1));
  });
});
