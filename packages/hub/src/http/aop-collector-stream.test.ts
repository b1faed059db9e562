import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gateFor } from "../access/testing/test-access.ts";
import type { SessionQuery } from "../ledger/ledger.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { aopEventOf, openViewsHere, openViewsLedger } from "../views/testing/open-ledger.ts";
import { registerAopCollector } from "./aop-collector.ts";
import { createApp } from "./app.ts";

/** Few and long, because storing an event costs more than its length. */
const EVENTS = 25_000;
const BATCH = 1000;

/** A hub with one huge session that counts how often the session is read. */
const TOKEN = "a-viewer-of-the-collector-in-tests";

async function openHugeSession() {
  const open = new AsyncDisposableStack();
  const folder = open.use(temporaryTestFolder());
  const speaker = open.use(openViewsLedger(folder.file("ledger.db")));
  const { ledger } = speaker;
  const views = open.use(await openViewsHere(speaker, folder.file("views.db")));
  for (let from = 1; from <= EVENTS; from += BATCH) {
    const content = "The second shop may be cheaper, but it delivers later. ".repeat(28);
    await speaker.say(Array.from({ length: BATCH }, (_, index) => aopEventOf("huge", from + index, "cognition.thought", { content })));
  }
  await views.caughtUp(await ledger.head());
  const pages = { read: 0 };
  const readSession = ledger.readSession.bind(ledger);
  ledger.readSession = (query: SessionQuery) => {
    pages.read++;
    return readSession(query);
  };
  const app = createApp({ gate: gateFor(TOKEN), onFailure: () => {} });
  registerAopCollector(app, { ledger, views });
  await app.listen({ host: "127.0.0.1", port: 0 });
  open.defer(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return { port, pages, ledger, views, close: () => open.disposeAsync() };
}

let hub: Awaited<ReturnType<typeof openHugeSession>>;
beforeAll(async () => {
  hub = await openHugeSession();
});
afterAll(() => hub.close());

async function ask(path: string): Promise<IncomingMessage> {
  const request = get({ host: "127.0.0.1", port: hub.port, path, headers: { authorization: `Bearer ${TOKEN}` } });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response;
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Memory in use. */
function heldBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Reads to the end without storing, passing each chunk to `look`. Returns the number of bytes. */
async function drain(path: string, look: (chunk: Buffer, bytes: number) => void): Promise<number> {
  let bytes = 0;
  for await (const chunk of await ask(path)) {
    bytes += (chunk as Buffer).length;
    look(chunk as Buffer, bytes);
  }
  return bytes;
}

describe("a session of 25,000 long events", () => {
  test.each(["/sessions/huge", "/sessions/huge/export"])("is never held whole: %s", async (path) => {
    const before = heldBytes();
    const held: number[] = [];
    const bytes = await drain(path, (_, so) => {
      if (so > (held.length + 1) * 5_000_000) held.push(heldBytes() - before);
    });
    expect(bytes).toBeGreaterThan(40_000_000);
    expect(held.length).toBeGreaterThan(7);
    expect(Math.max(...held)).toBeLessThan(bytes / 2);
  });

  test("is not read on for a reader that takes nothing, nor for one that has gone", async () => {
    hub.pages.read = 0;
    const response = await ask("/sessions/huge");
    response.pause();
    // Until the buffers between the two are full.
    let before = -1;
    while (before !== hub.pages.read) {
      before = hub.pages.read;
      await sleep(200);
    }
    expect(hub.pages.read).toBeLessThan(EVENTS / 100 / 2);
    response.destroy();
    await sleep(100);
    const left = hub.pages.read;
    await sleep(200);
    expect(hub.pages.read).toBe(left);
    expect(left - before).toBeLessThanOrEqual(2);
  });
});
