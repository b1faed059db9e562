import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { AaepChannel } from "../aaep/testing/aaep-channel.ts";
import { confirmationReplyOf, subscriptionRequestOf } from "../aaep/testing/aaep-client.ts";
import { TICKET_MS } from "../access/credentials.ts";
import { becomeAdmin, callJson as call, unlockWithPin } from "../access/testing/test-device.ts";
import { hubHomeOf, readProducerTokenFile, readViewerToken } from "../home.ts";
import { startHub } from "../hub.ts";
import type { RunningHubHandle } from "../hub-options.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { confirmationNow } from "../requests/testing/asked-now.ts";

const folder = temporaryTestFolder();
const home = hubHomeOf({ EARSHOT_HOME: folder.file("home") });
let hub: RunningHubHandle;
const bearer = (token: string | undefined) => ({ authorization: `Bearer ${token}` });

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() }); // before the hub takes hold of its clock
  hub = await startHub({ home, version: "0.0.0", port: 0 });
  await becomeAdmin(hub.url, bearer(readViewerToken(home)));
});
afterAll(async () => {
  vi.useRealTimers();
  await hub.close();
  folder[Symbol.dispose]();
});

let asked = 0;
async function askSomething(): Promise<string> {
  const event = confirmationNow(`sess_${asked++}`);
  const { request } = await call(hub.url, "/v1/events", event, bearer(readProducerTokenFile(home)));
  return String(request);
}

/** An AAEP subscriber that may reply, and its reply to the next request. */
async function subscribe(headers: Readonly<Record<string, string>>) {
  const channel = await AaepChannel.webSocket(hub.url, headers);
  channel.say(subscriptionRequestOf({ supports_confirmation_reply: true }, "test"));
  const { subscription_id: id } = await channel.find(({ type }) => type === "subscription.accepted");
  const request = await askSomething();
  const { reply_token: token } = await channel.find((one) => one["reply_token"] !== undefined);
  const isClosed = () => channel.until(({ closed }) => closed !== undefined);
  return { request, reply: () => channel.say(confirmationReplyOf(token, String(id))), isClosed };
}

async function stateOf(request: string): Promise<unknown> {
  return (await call(hub.url, `/api/requests/${request}`, undefined, bearer(readViewerToken(home))))["state"];
}

describe("held: a stream outlives the credential that opened it", () => {
  it("and decides over AAEP after the ticket of the PIN has expired", async () => {
    const { request, reply, isClosed } = await subscribe(await unlockWithPin(hub.url, bearer(readViewerToken(home))));
    vi.setSystemTime(Date.now() + TICKET_MS);
    reply();
    await isClosed();
    expect(await stateOf(request)).toBe("open");
  });

  it("and decides over AAEP after its token was revoked", async () => {
    const admin = await unlockWithPin(hub.url, bearer(readViewerToken(home)));
    const { token, id } = await call(hub.url, "/api/tokens", { name: "reader", role: "approver", owner: "Ana" }, admin);
    const { request, reply, isClosed } = await subscribe(bearer(String(token)));
    const revoked = await fetch(`${hub.url}/api/tokens/${String(id)}`, { method: "DELETE", headers: admin });
    expect(revoked.status).toBe(200);
    reply();
    await isClosed();
    expect(await stateOf(request)).toBe("open");
  });

  it("and goes on reading events after the ticket has expired", async () => {
    const response = await fetch(`${hub.url}/api/live?after=now`, { headers: await unlockWithPin(hub.url, bearer(readViewerToken(home))) });
    vi.setSystemTime(Date.now() + TICKET_MS);
    expect(await response.text()).toContain("position"); // it ends
  });
});
