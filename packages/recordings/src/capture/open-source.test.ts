import { describe, expect, it } from "vitest";
import { findAddress } from "./open-source.ts";
import { answerJson, openHttpPeer } from "./testing/http-peer.ts";

const nobody = async () => ({});

describe("what an address is", () => {
  it.each([
    ["aop", { "/health": answerJson({ ok: true, subscribers: 0 }), "/": answerJson({ name: "collector", spec: "aop/1.0" }) }],
    ["aop", { "/health": answerJson({ ok: true }) }],
    // Agents may have a health route as well.
    ["aaep", { "/health": answerJson({ ok: true }), "/.well-known/aaep-manifest.json": answerJson({ aaep_version: "1.0.0" }) }],
    ["aaep", { "/health": (response: { end(text: string): void }) => response.end("fine") }],
    ["aaep", {}],
  ])("is found out by looking: %s", async (kind, routes) => {
    await using peer = await openHttpPeer(routes);
    const found = await findAddress(peer.url, undefined, nobody);
    expect(found.kind).toBe(kind);
  });

  it("is not a hub's, whose events are exported", async () => {
    await using peer = await openHttpPeer({ "/health": answerJson({ ok: true }), "/": answerJson({ name: "Earshot", spec: "aop/1.0" }) });
    await expect(findAddress(peer.url, undefined, nobody)).rejects.toThrow("is a hub");
    expect(await findAddress(peer.url, "aop", nobody)).toEqual({ kind: "aop", base: peer.url });
  });

  it.each([
    ["http://127.0.0.1:9/aaep/v1", "aaep"],
    ["http://127.0.0.1:9/events", "aaep"],
    ["http://127.0.0.1:9/stream", "aop"],
    ["http://127.0.0.1:9/collector/sessions/", "aop"],
    ["ws://127.0.0.1:9", "aaep"],
    ["unix:/tmp/x.sock", "aaep"],
  ])("is told by its path, without asking: %s", async (url, kind) => {
    expect(await findAddress(url, undefined, nobody)).toMatchObject({ kind });
  });

  it("is what it is said to be", async () => {
    expect(await findAddress("http://127.0.0.1:9/", "aop", nobody)).toEqual({ kind: "aop", base: "http://127.0.0.1:9" });
    await expect(findAddress("ws://127.0.0.1:9", "aop", nobody)).rejects.toThrow("--as aop needs an address with http");
    await expect(findAddress("http://[", undefined, nobody)).rejects.toThrow("is no address");
    await expect(findAddress("ftp://x", undefined, nobody)).rejects.toThrow("reached by");
  });
});
