import { readFileSync, statSync } from "node:fs";
import { verifyManifest } from "@earshot/aaep";
import { localSocketPath } from "@earshot/aaep/local-socket";
import type { JsonObject } from "@earshot/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { AaepChannel } from "../aaep/testing/aaep-channel.ts";
import { AaepClient, type AaepClientHeaders, confirmationReplyOf, subscriptionRequestOf } from "../aaep/testing/aaep-client.ts";
import { callJson } from "../access/testing/test-device.ts";
import { hubHomeOf, producerIdOf } from "../home.ts";
import { startHub } from "../hub.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { openAaepHub } from "./testing/aaep-hub.ts";

const own = await openAaepHub();
const { admin, home, hub, producer, say, confirm, answered } = own;
afterAll(own.close);

const path = localSocketPath(producerIdOf(home));
const fileText = (name: string) => readFileSync(name, "utf8").trim();
const tokens: Record<string, string> = {
  viewer: fileText(home.viewerToken),
  producer: fileText(home.producerToken),
  approver: (await own.addApprover("Ana's phone")).token,
};
const bearer = (name: string): AaepClientHeaders => ({ authorization: `Bearer ${tokens[name] ?? ""}` });
const shown = (token: string | undefined) => (token === undefined ? {} : { extensions: { earshot: { token } } });
const REPLIES = { supports_confirmation_reply: true, supports_clarification_reply: true };

const CHANNELS: Readonly<Record<string, (role: string) => Promise<AaepChannel>>> = {
  WebSocket: (role) => AaepChannel.webSocket(hub.url, bearer(role)),
  socket: () => AaepChannel.socket(path),
};

describe.each(Object.keys(CHANNELS))("a subscriber over %s", (name) => {
  const open = (role: string) => CHANNELS[name]?.(role) as Promise<AaepChannel>;
  const request = (role: string, capabilities: object = {}, id = "test") => ({
    ...subscriptionRequestOf(capabilities, id),
    ...shown(name === "socket" ? tokens[role] : undefined),
  });

  it("shakes hands, renegotiates, answers and closes", async () => {
    await using channel = await open("approver");
    channel.say(request("approver", { ...REPLIES, max_events_per_second: 7 }));
    const accepted = await channel.find(({ type }) => type === "subscription.accepted");
    expect(accepted).toMatchObject({ honored_capabilities: { max_events_per_second: 7, supports_confirmation_reply: true } });
    const id = String(accepted["subscription_id"]);
    channel.say({ type: "subscription.renegotiate", subscription_id: id, capabilities: { max_events_per_second: 3 } });
    await channel.find((one) => (one["honored_capabilities"] as JsonObject | undefined)?.["max_events_per_second"] === 3);
    const session = `sess_${name}asks`;
    await say("session.started", session, { summary_normal: "Begins." });
    const { request: asked } = await confirm(session);
    const { reply_token: token } = await channel.find((one) => one["reply_token"] !== undefined && one["session_id"] === session);
    channel.say(confirmationReplyOf(token, id));
    expect(await answered(asked)).toMatchObject({ answer: { word: "accept" } });
    await channel.find((one) => one["summary_normal"] === "Allowed by Ana's phone.");
    channel.say({ type: "subscription.close", subscription_id: id });
    await say("session.completed", session, { summary_normal: "Done." });
    await channel.until(({ closed }) => closed !== undefined);
    expect(channel.events.some(({ type }) => type === "aaep:agent.session.completed")).toBe(false);
  });

  it("that only reads hears everything and decides nothing", async () => {
    await using channel = await open("viewer");
    channel.say(request("viewer", REPLIES));
    const { subscription_id: id } = await channel.find(({ type }) => type === "subscription.accepted");
    const session = `sess_${name}viewer`;
    const { request: asked } = await confirm(session);
    const { reply_token: token } = await channel.find((one) => one["reply_token"] !== undefined && one["session_id"] === session);
    channel.say(confirmationReplyOf(token, String(id)));
    channel.say({ type: "earshot:session.stop", session_id: session });
    await say("state.changed", session, { from_state: "idle", to_state: "awaiting_input" });
    await channel.find((one) => one["to_state"] === "awaiting_input" && one["session_id"] === session);
    expect(await callJson(hub.url, `/v1/answers/${String(asked)}?wait=0`, undefined, producer)).toMatchObject({ waits: true });
  });

  it("has several subscriptions, each on its own terms", async () => {
    await using channel = await open("viewer");
    channel.say(request("viewer", { event_filters: { include: ["aaep:agent.tool.*"] } }, "tools"));
    await channel.until(({ heard }) => heard.length === 1);
    channel.say(request("viewer", { event_filters: { include: ["aaep:agent.progress.*"] } }, "progress"));
    await channel.until(({ heard }) => heard.filter(({ type }) => type === "subscription.accepted").length === 2);
    const session = `sess_${name}several`;
    await say("session.started", session, { summary_normal: "Begins." });
    await say("tool.invoked", session, { tool: "read", summary_normal: "Reads." });
    await say("progress.updated", session, { progress: { percent: 10 } });
    await say("session.errored", session, { urgency: "critical", error_category: "unknown", summary_normal: "Broke." });
    const types = () =>
      channel.events.filter((one) => one["session_id"] === session).map(({ type }) => String(type).replace("aaep:agent.", ""));
    await channel.until(() => types().filter((type) => type === "session.errored").length === 2);
    expect(types().sort()).toEqual(["progress.updated", "session.errored", "session.errored", "tool.invoked"]);
  });

  it.each(["nobody", "producer"])("is turned away as %s, in the protocol's own words", async (role) => {
    await using channel = await (name === "socket" ? open(role) : AaepChannel.webSocket(hub.url, role === "nobody" ? {} : bearer(role)));
    if (name === "socket") channel.say(request(role));
    await channel.until(({ closed }) => closed !== undefined);
    const reason = role === "nobody" ? "authentication_required" : "authorization_denied";
    expect(channel.heard).toMatchObject([{ type: "subscription.rejected", reason_code: reason }]);
    if (name === "WebSocket") expect(channel.closed).toBe(role === "nobody" ? 4002 : 4003);
  });

  it("loses the connection with its credential", async () => {
    const { token, id } = await callJson(hub.url, "/api/tokens", { name: `leaver ${name}`, role: "viewer", owner: "tests" }, admin);
    tokens["leaver"] = String(token);
    await using channel = await open("leaver");
    channel.say(request("leaver"));
    await channel.find(({ type }) => type === "subscription.accepted");
    await fetch(`${hub.url}/api/tokens/${String(id)}`, { method: "DELETE", headers: admin });
    await channel.until(({ closed }) => closed !== undefined);
  });
});

it("a WebSocket of nobody's is answered", async () => {
  const headers = {
    connection: "upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  await expect(AaepChannel.webSocket(`${hub.url}/elsewhere`, headers)).rejects.toThrow("404");
});

it("the socket is the user's alone", () => {
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("a hub that stops tells its subscribers, waits for nobody, and knows them when it is back", async () => {
  using own = temporaryTestFolder();
  const ownHome = hubHomeOf({ EARSHOT_HOME: own.file("home") });
  const first = await startHub({ home: ownHome, version: "0.0.0", port: 0 });
  const headers = { authorization: `Bearer ${readFileSync(ownHome.viewerToken, "utf8").trim()}` };
  const client = new AaepClient(first.url, headers);
  const id = await client.subscribe({ max_events_per_second: 9 });
  const stream = await client.open(id);
  const channels = [await AaepChannel.webSocket(first.url, headers), await AaepChannel.socket(localSocketPath(producerIdOf(ownHome)))];
  for (const one of channels) one.say({ ...subscriptionRequestOf(), extensions: { earshot: { token: headers.authorization.slice(7) } } });
  for (const one of channels) await one.find(({ type }) => type === "subscription.accepted");
  await first.close();
  await stream.until(({ isOver }) => isOver);
  expect(stream.frames.at(-1)?.data).toMatchObject({ type: "subscription.close", subscription_id: id });
  for (const one of channels) await one.until(({ closed }) => closed !== undefined);
  await using second = await startHub({ home: ownHome, version: "0.0.0", port: 0 });
  const again = new AaepClient(second.url, headers);
  await using resumed = await again.open(id);
  expect(resumed.status).toBe(200);
  const renegotiate = { type: "subscription.renegotiate", subscription_id: id, capabilities: { preferred_verbosity: "terse" } };
  expect((await again.post("/replies", renegotiate)).body).toMatchObject({
    honored_capabilities: { max_events_per_second: 9, preferred_verbosity: "terse" },
  });
});

it("the manifest is signed on request, by a permanent key", async () => {
  await using channel = await AaepChannel.webSocket(hub.url, bearer("viewer"));
  channel.say(subscriptionRequestOf({ accept_signed_manifests_only: true }));
  const { signed_manifest: signed } = await channel.find(({ type }) => type === "subscription.accepted");
  const manifest = await callJson(hub.url, "/.well-known/aaep-manifest.json");
  const { keys } = (manifest["extensions"] as { earshot: { keys: readonly { readonly kty: string }[] } }).earshot;
  const [key] = keys;
  expect(Object.keys(key ?? {})).not.toContain("d");
  const told = await fetch(`${hub.url}/.well-known/aaep-manifest.json`, { headers: { accept: "application/jose" } });
  expect([told.headers.get("content-type"), await told.text()]).toEqual(["application/jose", signed]);
  expect(await verifyManifest(String(signed), { keys, agentId: String(manifest["agent_id"]) })).toMatchObject({ ok: true });
  if (process.platform !== "win32") expect(statSync(home.manifestKey).mode & 0o777).toBe(0o600);
});
