import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { provePinToHub as provePinInCommand } from "../../../cli/src/own-hub.ts";
import { becomeAdmin, callJson, provePinInTest, TEST_KEY, TEST_PIN, TestDevice } from "../access/testing/test-device.ts";
import { hubHomeOf, readViewerToken } from "../home.ts";
import { startHub } from "../hub.ts";
import type { RunningHubHandle } from "../hub-options.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";

const folder = temporaryTestFolder();
const home = hubHomeOf({ EARSHOT_HOME: folder.file("home") });
let hub: RunningHubHandle;
const viewer = () => ({ authorization: `Bearer ${readViewerToken(home)}` });

beforeAll(async () => {
  hub = await startHub({ home, version: "0.0.0", port: 0 });
  await becomeAdmin(hub.url, viewer());
});
afterAll(async () => {
  await hub.close();
  folder[Symbol.dispose]();
});

/** A relay at the address of a forged address.json that forwards everything and records it. */
async function openRelay(change: (body: string) => string = (body) => body) {
  const seen: { readonly path: string; readonly body: string }[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    seen.push({ path: request.url ?? "", body });
    const { authorization = "" } = request.headers;
    const sent = { method: request.method ?? "GET", headers: { authorization, "content-type": "application/json" } };
    const answer = await fetch(`${hub.url}${request.url}`, body === "" ? sent : { ...sent, body });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(change(await answer.text()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    [Symbol.dispose]: () => void server.close(),
  };
}

describe("held: a program of the same account wants the PIN or what it opens", () => {
  it("by standing between a command and the hub", async () => {
    using relay = await openRelay();
    const proof = await provePinInCommand({ url: relay.url, headers: viewer() }, TEST_PIN, "unlock");
    expect(JSON.stringify(relay.seen) + JSON.stringify(proof)).not.toContain(TEST_PIN);
    for (const url of [relay.url, hub.url]) await expect(callJson(url, "/api/unlock", proof, viewer())).rejects.toThrow("PIN_WRONG");
    await callJson(hub.url, "/api/unlock", await provePinInTest(hub.url), viewer());
  });

  it("by asking for a proof that is cheap to guess from", async () => {
    using relay = await openRelay((body) => body.replace(/"cost":\d+/, '"cost":2'));
    await expect(provePinInCommand({ url: relay.url, headers: viewer() }, TEST_PIN, "unlock")).rejects.toThrow("unsafe");
  });

  it("by sending a proof a second time", async () => {
    const proof = await provePinInTest(hub.url);
    await callJson(hub.url, "/api/unlock", proof, viewer());
    await expect(callJson(hub.url, "/api/unlock", proof, viewer())).rejects.toThrow("CODE_REFUSED");
  });

  it("by using a proof that admits a device to admit another one, or to unlock", async () => {
    const claimOne = async () => {
      const { code } = await callJson(hub.url, "/api/pairings", { role: "approver" }, viewer());
      return String((await callJson(hub.url, "/api/pair/claim", { code, key: new TestDevice().key, name: "Phone" }))["claim"]);
    };
    const [mine, theirs] = [await claimOne(), await claimOne()];
    const proof = await provePinInTest(hub.url, TEST_PIN, `admit ${theirs}`);
    await expect(callJson(hub.url, "/api/pair/admit", { claim: mine, ...proof })).rejects.toThrow("PIN_WRONG");
    await expect(callJson(hub.url, "/api/unlock", proof, viewer())).rejects.toThrow("PIN_WRONG");
    await callJson(hub.url, "/api/pair/admit", { claim: theirs, ...proof });
  });

  it("by reading it from what the hub keeps, or by sending it as it is", async () => {
    const stored = JSON.stringify(await import("node:fs").then(({ readFileSync }) => readFileSync(home.access, "utf8")));
    expect(stored).not.toContain(TEST_PIN);
    expect(stored).toContain(TEST_KEY.publicKey);
    await expect(callJson(hub.url, "/api/unlock", { pin: TEST_PIN }, viewer())).rejects.toThrow("WRONG_QUERY");
  });
});
