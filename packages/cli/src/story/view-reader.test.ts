import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { CommandIo } from "@earshot/terminal/io";
import { describe, expect, it } from "vitest";
import { ViewReader } from "./view-reader.ts";

/** A server that answers each request with the next page and records requests. */
async function openPages(...answers: readonly object[]) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answers[asked.length - 1] ?? { items: [] }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  let said = "";
  const io: CommandIo = {
    stdin: Readable.from([]),
    out: () => {},
    err: (text) => {
      said += text;
    },
    terminal: { out: false, err: false, colour: false, width: 0 },
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    views: new ViewReader({ url, headers: {} }, io),
    asked,
    said: () => said,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

describe("reading what happened", () => {
  it("goes on after each page, and says where to begin only once", async () => {
    await using hub = await openPages({ items: [1, 2], next: "a" }, { items: [], next: "b" }, { items: [3], next: "c" });
    expect(await hub.views.collect("/x", { limit: 3, from: 7, agent: "me & you", status: undefined })).toEqual({
      items: [1, 2, 3],
      next: "c",
    });
    expect(hub.asked).toEqual([
      "/x?from=7&agent=me+%26+you&limit=3",
      "/x?agent=me+%26+you&after=a&limit=1",
      "/x?agent=me+%26+you&after=b&limit=1",
    ]);
  });

  it("asks for no page larger than the hub gives, and ends with the last one", async () => {
    await using hub = await openPages({ items: [1], next: "a" }, { items: [2] });
    expect(await hub.views.collect("/x", { limit: 500 })).toEqual({ items: [1, 2] });
    expect(hub.asked).toEqual(["/x?limit=200", "/x?after=a&limit=200"]);
  });

  it("says once, beside the answer, that the newest is not in it yet", async () => {
    await using hub = await openPages({ items: [], next: "a", behind: 1200 }, { items: [], behind: 1100 });
    await hub.views.collect("/x", { limit: 1 });
    expect(hub.said()).toBe("earshot: the hub is still catching up: the newest 1,200 events are not in this yet\n");
  });
});
