import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { EarshotError, isObject, type JsonObject } from "@earshot/protocol";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ANA, createTestProducer, EventMaker, testRequest } from "../producer/testing/test-producer.ts";
import { encodeLengthPrefixed, LengthPrefixedParser } from "../wire/framings.ts";
import { localSocketPath } from "./local-socket.ts";
import { SocketBinding } from "./socket-binding.ts";

const until = (holds: () => void) => vi.waitFor(holds, { timeout: 20_000, interval: 5 });
const folders: string[] = [];
const bindings: SocketBinding[] = [];
afterEach(async () => {
  for (const binding of bindings.splice(0)) await binding.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), "aaep-"));
  folders.push(folder);
  return join(folder, "aaep", "agent.sock");
}

/** A token in the first message, as the hub requires. */
function authorise(first: JsonObject) {
  const extensions = first["extensions"];
  const own = isObject(extensions) ? extensions["earshot"] : undefined;
  if (!isObject(own) || own["token"] !== "good") throw new EarshotError({ code: "NOT_AUTHORISED", message: "Say who you are." });
  return ANA;
}

async function listen(path: string) {
  const kit = createTestProducer();
  const binding = new SocketBinding({ producer: kit.producer, authorise, path });
  bindings.push(binding);
  await binding.listen();
  return { ...kit, binding, make: new EventMaker() };
}

class Peer {
  readonly said: JsonObject[] = [];
  readonly socket: Socket;
  isClosed = false;

  constructor(path: string) {
    const parser = new LengthPrefixedParser();
    this.socket = connect(path);
    this.socket.on("data", (bytes) => this.said.push(...parser.read(bytes).map((text) => JSON.parse(text) as JsonObject)));
    this.socket.on("close", () => {
      this.isClosed = true;
    });
    this.socket.on("error", () => {}); // looked at by its end
  }

  say(message: object): void {
    this.socket.write(encodeLengthPrefixed(JSON.stringify(message)));
  }
}

const greeting = { ...testRequest({ supports_confirmation_reply: true }), extensions: { earshot: { token: "good" } } };

describe.skipIf(process.platform === "win32")("a local socket", () => {
  it("carries request, answer, events and replies, all to this user alone", async () => {
    const path = place();
    const kit = await listen(path);
    expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    const peer = new Peer(path);
    peer.say(greeting);
    await until(() => expect(peer.said).toMatchObject([{ type: "subscription.accepted" }]));
    kit.feed.append(kit.make.started());
    kit.feed.append(kit.make.confirmation());
    await until(() => expect(peer.said).toHaveLength(3));
    const { subscription_id } = peer.said[0] ?? {};
    peer.say({ type: "confirmation.reply", reply_token: "rpl_1", decision: "accept", subscription_id, timestamp: "2026-07-01T00:00:00Z" });
    await until(() => expect(kit.replies).toHaveLength(1));
    peer.say({ type: "subscription.close", subscription_id });
    await until(() => expect(peer.isClosed).toBe(true));
    expect(kit.producer.size).toBe(0);
  });

  it("gives nothing to anybody who does not say who it is", async () => {
    const path = place();
    const kit = await listen(path);
    const peer = new Peer(path);
    peer.say(testRequest());
    peer.say(greeting);
    await until(() => expect(peer.isClosed).toBe(true));
    expect(peer.said).toMatchObject([{ type: "subscription.rejected", reason_code: "authentication_required" }]);
    expect(kit.producer.size).toBe(0);
  });

  it("hangs up on what is no message", async () => {
    const path = place();
    await listen(path);
    const peer = new Peer(path);
    peer.socket.write("GET / HTTP/1.1\r\n\r\n");
    await until(() => expect(peer.isClosed).toBe(true));
  });

  it("takes the place of a socket that nobody listens at, and of nothing else", async () => {
    const path = place();
    mkdirSync(dirname(path));
    writeFileSync(path, "mine");
    await expect(listen(path)).rejects.toThrow("no socket");
    rmSync(path);
    const first = await listen(path);
    await expect(listen(path)).rejects.toThrow("Another producer");
    await first.binding.close();
    const second = await listen(path);
    expect(lstatSync(path).isSocket()).toBe(true);
    second.producer.close();
    await until(() => expect(existsSync(path)).toBe(false));
  });

  it("closes a folder that others could enter before it listens there", async () => {
    const path = place();
    mkdirSync(dirname(path));
    chmodSync(dirname(path), 0o777);
    await listen(path);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  });
});

describe("the place of a producer", () => {
  const here = { platform: "linux", runtimeDir: "/run/user/7", home: "/home/ana", temp: "/tmp", uid: 7 } as const;
  it.each([
    [here, "/run/user/7/aaep/my-agent.sock"],
    [{ ...here, runtimeDir: undefined }, "/tmp/aaep-7/my-agent.sock"],
    [{ ...here, platform: "darwin" as const }, "/home/ana/Library/Application Support/AAEP/my-agent.sock"],
    [{ ...here, platform: "win32" as const }, "\\\\.\\pipe\\aaep\\my-agent"],
  ])("is where the protocol says", (where, path) => {
    expect(localSocketPath("my-agent", where)).toBe(path);
  });

  it("stays in its folder whatever the producer is called", () => {
    for (const name of ["../../etc/passwd", "..", "", "a/b", "x".repeat(500)]) {
      expect(localSocketPath(name, here)).toMatch(/^\/run\/user\/7\/aaep\/[A-Za-z0-9._-]{1,70}\.sock$/);
      expect(localSocketPath(name, here)).not.toContain("/../");
    }
  });
});
