import { PassThrough } from "node:stream";
import { isObject, type JsonObject } from "@earshot/protocol";
import { describe, expect, it, vi } from "vitest";
import { ANA, createTestProducer, EventMaker, testRequest } from "../producer/testing/test-producer.ts";
import { LineParser } from "../wire/framings.ts";
import { serveStdio } from "./stdio-binding.ts";

const until = (holds: () => void) => vi.waitFor(holds, { timeout: 20_000, interval: 5 });

function open() {
  const make = new EventMaker();
  const kit = createTestProducer({
    other: (message) => {
      if (message["kind"] !== "user_input") return undefined;
      kit.feed.append(make.started());
      return { control: { kind: "user_input.ack" } };
    },
  });
  const input = new PassThrough();
  const output = new PassThrough();
  const onEnd = vi.fn();
  const stop = serveStdio({ producer: kit.producer, principal: ANA, input, output, onEnd });
  const lines = new LineParser();
  const said: JsonObject[] = [];
  output.on("data", (bytes: Buffer) => said.push(...lines.read(bytes.toString()).map((line) => JSON.parse(line) as JsonObject)));
  const say = (message: object) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return { ...kit, make, input, output, said, say, stop, onEnd };
}

describe("JSON-RPC over standard streams", () => {
  it("answers requests with results, also those that are rejected", async () => {
    const { say, said, feed, make } = open();
    say({ id: 1, method: "aaep.subscribe", params: { ...testRequest(), aaep_version: "99.99.99" } });
    say({ id: 2, method: "aaep.subscribe", params: testRequest({ supports_confirmation_reply: true }) });
    await until(() => expect(said).toHaveLength(2));
    expect(said).toMatchObject([
      { jsonrpc: "2.0", id: 1, result: { type: "subscription.rejected", reason_code: "version_unsupported" } },
      { jsonrpc: "2.0", id: 2, result: { type: "subscription.accepted" } },
    ]);
    feed.append(make.started());
    await until(() => expect(said[2]).toMatchObject({ method: "aaep.event", params: { type: "aaep:agent.session.started" } }));
    expect(said[2]).not.toHaveProperty("id");
  });

  it("renegotiates, takes replies, closes and answers pings", async () => {
    const { say, said, replies, producer } = open();
    say({ id: "a", method: "aaep.subscribe", params: testRequest({ supports_confirmation_reply: true }) });
    await until(() => expect(said).toHaveLength(1));
    const accepted = said[0]?.["result"];
    const subscription_id = isObject(accepted) ? accepted["subscription_id"] : undefined;
    say({ id: "b", method: "aaep.renegotiate", params: { type: "subscription.renegotiate", subscription_id, capabilities: {} } });
    say({ id: "c", method: "aaep.ping" });
    await until(() =>
      expect(said.slice(1)).toMatchObject([
        { id: "b", result: { subscription_id } },
        { id: "c", result: {} },
      ]),
    );
    const timestamp = "2026-07-01T00:00:00.000Z";
    say({
      method: "aaep.reply",
      params: { type: "confirmation.reply", reply_token: "rpl_1", decision: "accept", subscription_id, timestamp },
    });
    await until(() => expect(replies).toHaveLength(1));
    say({ method: "aaep.close", params: { type: "subscription.close", subscription_id } });
    await until(() => expect(producer.size).toBe(0));
    expect(said).toHaveLength(3);
  });

  it("carries what is no message of the protocol, both ways", async () => {
    const { say, said } = open();
    say({ method: "aaep.message", params: { kind: "user_input", text: "hello" } });
    await until(() => expect(said).toHaveLength(2));
    expect(said).toMatchObject([{ method: "aaep.message", params: { kind: "user_input.ack" } }, { method: "aaep.event" }]);
  });

  it("answers calls that make no sense with errors", async () => {
    const { say, said, input } = open();
    input.write("nonsense\n");
    say({ id: 1, method: "aaep.unknown" });
    say({ id: 2, method: "aaep.subscribe", params: { type: "subscription.close" } });
    say({ id: 3, method: "aaep.message", params: { kind: "unknown" } });
    say({ method: "aaep.unknown" });
    await until(() => expect(said).toHaveLength(4));
    expect(said.map(({ error }) => isObject(error) && error["code"])).toEqual([-32_700, -32_601, -32_602, -32_602]);
  });

  it("ends when the other side goes, and says goodbye when the producer stops", async () => {
    const gone = open();
    gone.say({ id: 1, method: "aaep.subscribe", params: testRequest() });
    await until(() => expect(gone.said).toHaveLength(1));
    gone.input.end();
    await until(() => expect(gone.onEnd).toHaveBeenCalledTimes(1));
    expect(gone.producer.size).toBe(0);
    const stopping = open();
    stopping.say({ id: 1, method: "aaep.subscribe", params: testRequest() });
    await until(() => expect(stopping.said).toHaveLength(1));
    stopping.producer.close();
    await until(() => expect(stopping.said.at(-1)).toMatchObject({ method: "aaep.close", params: { reason_code: "producer_shutdown" } }));
    expect(stopping.onEnd).toHaveBeenCalledTimes(1);
  });
});
