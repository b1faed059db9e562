import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { EarshotError } from "@earshot/protocol/problem";
import { describe, expect, it } from "vitest";
import { followRequests, type RequestListEvent } from "./follow-requests.ts";
import { sampleRequest } from "./testing/sample-request.ts";

/** A hub that gives these answers in order and then stops. */
async function hubThatSays(answers: readonly (object | "gone")[]) {
  let next = 0;
  const server = createServer((_request, response) => {
    const answer = answers[next++] ?? "gone";
    if (answer === "gone") response.destroy();
    else response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => void server.close() };
}

const NEWS = { number: 6, at: "", what: "asked", request: "req_x", session: null, text: "" };
const EMPTY = { requests: [], next: null, open: 0 };

describe("following what waits", () => {
  it("tells all that wait, then the news; waits for a hub that goes away and lists again when it is back", async () => {
    const view = sampleRequest();
    await using hub = await hubThatSays([
      { news: [], next: 5, missed: false },
      { ...EMPTY, requests: [view] },
      { news: [NEWS], next: 6, missed: false },
      view,
      "gone",
      { news: [], next: 9, missed: false },
      EMPTY,
      { news: [], next: 12, missed: true },
      { ...EMPTY, requests: [view] },
    ]);
    const told: string[] = [];
    const stop = new AbortController();
    const happenings: RequestListEvent[] = [];
    const following = followRequests({
      open: async () => ({ url: hub.url, headers: {} }),
      signal: stop.signal,
      wait: async (ms) => void told.push(`waits ${ms}`),
      onGone: () => told.push("gone"),
      onBack: () => told.push("back"),
    });
    for await (const happening of following) {
      happenings.push(happening);
      if (happenings.length === 4) stop.abort();
    }
    expect(happenings.map(({ kind }) => kind)).toEqual(["list", "news", "list", "list"]);
    expect(told).toEqual(["gone", "waits 250", "back"]);
  });

  it("throws what waiting cannot mend, and that there is no hub at all", async () => {
    const signal = new AbortController().signal;
    const quiet = { wait: async () => {}, onGone: () => {}, onBack: () => {}, signal };
    const none = followRequests({
      ...quiet,
      open: () => Promise.reject(new EarshotError({ code: "HUB_NOT_FOUND", message: "No hub answers." })),
    });
    await expect(none.next()).rejects.toThrow("No hub answers");
    let count = 0;
    await using hub = await hubThatSays([{ news: [], next: 1, missed: false }, EMPTY]);
    const refused = followRequests({
      ...quiet,
      open: async () => {
        if (count++ > 0) throw new EarshotError({ code: "NOT_AUTHORISED", message: "Not any more." });
        return { url: hub.url, headers: {} };
      },
    });
    expect((await refused.next()).value).toMatchObject({ kind: "list" });
    await expect(refused.next()).rejects.toThrow("Not any more");
  });
});
