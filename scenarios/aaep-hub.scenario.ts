import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { localSocketPath } from "@earshot/aaep/local-socket";
import type { JsonObject } from "@earshot/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AaepChannel } from "../packages/hub/src/aaep/testing/aaep-channel.ts";
import {
  AaepClient,
  type AaepClientHeaders,
  type AaepStream,
  confirmationReplyOf,
  subscriptionRequestOf,
} from "../packages/hub/src/aaep/testing/aaep-client.ts";
import { becomeAdmin, callJson, unlockWithPin } from "../packages/hub/src/access/testing/test-device.ts";
import { producerIdOf } from "../packages/hub/src/home.ts";
import { freePort, type HubProcess, startHub } from "./hub/hub-process.ts";

const home = mkdtempSync(join(tmpdir(), "earshot-aaep-"));
const here = { platform: process.platform, runtimeDir: home, home: homedir(), temp: tmpdir(), uid: -1 };
const socket = localSocketPath(producerIdOf({ folder: home }), here);
const REPLIES = { supports_confirmation_reply: true, supports_clarification_reply: true, languages: ["en"] };
let port: number;
let hub: HubProcess;
let viewer: AaepClient;
let approver: AaepClient;
let other: AaepClient;
let approverToken: string;
let producer: AaepClientHeaders;
let count = 0;

beforeAll(async () => {
  port = await freePort();
  hub = await startHub({ home, port });
  producer = { authorization: `Bearer ${readFileSync(join(home, "producer.token"), "utf8").trim()}` };
  const admin = await becomeAdmin(hub.url, hub.viewer());
  const create = async (name: string) =>
    String((await callJson(hub.url, "/api/tokens", { name, role: "approver", owner: "tests" }, admin))["token"]);
  approverToken = await create("Ana's phone");
  viewer = new AaepClient(hub.url, hub.viewer());
  approver = new AaepClient(hub.url, { authorization: `Bearer ${approverToken}` });
  other = new AaepClient(hub.url, { authorization: `Bearer ${await create("Ben's phone")}` });
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
});

const say = (type: string, session: string, more: object = {}) => {
  count += 1;
  const event = {
    "@context": "https://aaep-protocol.org/context/v1",
    type: `aaep:agent.${type}`,
    event_id: `evt_s${count}`,
    session_id: session,
    timestamp: new Date().toISOString(),
    producer: { agent_id: "query-doctor" },
    ...more,
  };
  return callJson(hub.url, "/aaep/v1/events", event, producer);
};
const begin = (session: string) => say("session.started", session, { summary_normal: "Begins." });
const confirm = (session: string, more: object = {}) =>
  say("awaiting.confirmation", session, {
    urgency: "critical",
    action: "Drop the table.",
    consequence: "It is gone.",
    reply_token: "rpl_1",
    timeout_seconds: 600,
    default_decision: "reject",
    risk_level: "high",
    irreversible: true,
    ...more,
  });
const answered = (request: unknown) => callJson(hub.url, `/v1/answers/${String(request)}?wait=20000`, undefined, producer);
const asks = (session: string) => (event: JsonObject) => event["reply_token"] !== undefined && event["session_id"] === session;
const resolves = (session: string) => (event: JsonObject) => event["extensions"] !== undefined && event["session_id"] === session;

describe("assistive technology at a hub", () => {
  it("answers what an agent asks, and the agent hears it where it always did", async () => {
    const id = await approver.subscribe(REPLIES);
    await using stream = await approver.open(id);
    await begin("sess_answers");
    const { request } = await confirm("sess_answers");
    const { reply_token: token } = await stream.find(asks("sess_answers"));
    await approver.post("/replies", confirmationReplyOf(token, id));
    expect(await answered(request)).toMatchObject({ waits: false, state: "answered-by-person", answer: { word: "accept" } });
    expect(await stream.find(resolves("sess_answers"))).toMatchObject({ summary_normal: "Allowed by Ana's phone." });
  });

  it("is served a stream that keeps all rules of the protocol", async () => {
    const id = await approver.subscribe({ ...REPLIES, coalesce_boundaries: ["none", "word", "sentence", "paragraph", "completion"] });
    await using stream = await approver.open(id);
    const hints = { localization_hints: { primary_language: "en" }, aaep_version: "1.0.0" };
    const change = (from: string, to: string) =>
      say("state.changed", "sess_checked", { ...hints, from_state: from, to_state: to, urgency: "normal", summary_normal: `Now ${to}.` });
    const call = { tool: "drop_table", tool_call_id: "call_drop" };
    await say("session.started", "sess_checked", { ...hints, urgency: "normal", summary_normal: "Begins." });
    await change("idle", "thinking");
    await change("thinking", "awaiting_input");
    const { request } = await confirm("sess_checked", { ...hints, extra_context: call, summary_normal: "Drop it?" });
    const { reply_token: token } = await stream.find(asks("sess_checked"));
    await approver.post("/replies", confirmationReplyOf(token, id));
    await answered(request);
    await stream.find(resolves("sess_checked"));
    await change("awaiting_input", "calling_tool");
    await say("tool.invoked", "sess_checked", {
      ...hints,
      ...call,
      urgency: "normal",
      irreversible: true,
      risk_level: "high",
      summary_normal: "Drops.",
    });
    await say("tool.completed", "sess_checked", { ...hints, ...call, urgency: "normal", status: "success", summary_normal: "Dropped." });
    await change("calling_tool", "writing_output");
    const chunk = { ...hints, urgency: "normal", output_id: "out_1" };
    await say("output.streaming", "sess_checked", { ...chunk, chunk: "It is ", position: 0, complete: false, coalesce_hint: "word" });
    await say("output.streaming", "sess_checked", { ...chunk, chunk: "gone.", position: 6, complete: true, coalesce_hint: "completion" });
    await say("session.completed", "sess_checked", { ...hints, urgency: "normal", summary_normal: "Done." });
    await stream.find((event) => event["type"] === "aaep:agent.session.completed" && event["session_id"] === "sess_checked");
    const file = join(home, "served.jsonl");
    const served = stream.events.filter((event) => event["session_id"] === "sess_checked");
    writeFileSync(file, `${served.map((event) => JSON.stringify(event)).join("\n")}\n`);
    const { status, stdout } = hub.earshot("check", file, "--strict");
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.any(String) });
  });

  it("is answered first come, first served, over every transport and at the terminal; all hear the same end", async () => {
    const [first, second, seen] = [await approver.subscribe(REPLIES), await other.subscribe(REPLIES), await viewer.subscribe()];
    await using streams = new AsyncDisposableStack();
    const byStream = streams.use(await approver.open(first));
    const bySecond = streams.use(await other.open(second));
    const watching = streams.use(await viewer.open(seen));
    const bySocket = streams.use(await AaepChannel.socket(socket));
    bySocket.say({ ...subscriptionRequestOf(REPLIES), extensions: { earshot: { token: approverToken } } });
    const byWeb = streams.use(await AaepChannel.webSocket(hub.url, approver.headers));
    byWeb.say(subscriptionRequestOf(REPLIES));
    const ids = await Promise.all(
      [bySocket, byWeb].map(async (one) => String((await one.find(({ type }) => type === "subscription.accepted"))["subscription_id"])),
    );
    for (let round = 0; round < 5; round++) {
      const session = `sess_race${round}`;
      await begin(session);
      const { request } = await confirm(session);
      const tokens = await Promise.all([byStream, bySecond, watching, bySocket, byWeb].map((one) => one.find(asks(session))));
      expect(new Set(tokens.map(({ reply_token: token }) => token)).size).toBe(1);
      const token = tokens[0]?.["reply_token"];
      const terminal = hubAnswer(String(request), round % 2 === 0 ? "accept" : "reject");
      bySocket.say(confirmationReplyOf(token, ids[0] ?? "", "reject"));
      byWeb.say(confirmationReplyOf(token, ids[1] ?? "", "accept"));
      await Promise.all([
        approver.post("/replies", confirmationReplyOf(token, first, "accept")),
        other.post("/replies", confirmationReplyOf(token, second, "reject")),
        terminal,
      ]);
      const { answer } = (await answered(request)) as { readonly answer: { readonly word: string } };
      const ends = await Promise.all([byStream, bySecond, watching, bySocket, byWeb].map((one) => one.find(resolves(session))));
      expect(new Set(ends.map((end) => JSON.stringify(end))).size).toBe(1);
      expect(ends[0]).toMatchObject({ extensions: { earshot: { resolved: token, outcome: `${answer.word}ed` } } });
      expect(await callJson(hub.url, `/api/requests/${String(request)}`, undefined, hub.viewer())).toMatchObject({ decision: { answer } });
    }
  });

  it("learns nothing from an answer to a reply that does not count", async () => {
    const [id, seen] = [await approver.subscribe(REPLIES), await viewer.subscribe(REPLIES)];
    await using stream = await approver.open(id);
    const { request } = await confirm("sess_forged");
    const { reply_token: token } = await stream.find(asks("sess_forged"));
    const random = () => `rpl_${Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join("")}`;
    const answers = [
      ...(await Promise.all(Array.from({ length: 50 }, () => approver.post("/replies", confirmationReplyOf(random(), id))))),
      await approver.post("/replies", confirmationReplyOf("rpl_1", id)),
      await viewer.post("/replies", confirmationReplyOf(token, seen)),
      await approver.post("/replies", confirmationReplyOf(token, seen)),
      await approver.post("/replies", { ...confirmationReplyOf(token, id), timestamp: "2020-01-01T00:00:00.000Z" }),
    ];
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(new Set(["[204,{}]"]));
    expect(await callJson(hub.url, `/v1/answers/${String(request)}`, undefined, producer)).toMatchObject({ waits: true });
    expect(await approver.post("/replies", confirmationReplyOf(token, id, "reject"))).toMatchObject({ status: 204, body: {} });
    expect(await answered(request)).toMatchObject({ answer: { word: "reject" } });
  });

  it("hears everything once it is back, when the hub was killed meanwhile", async () => {
    const id = await viewer.subscribe({ event_filters: { include: ["aaep:agent.tool.*"] } });
    await begin("sess_killed");
    const tool = (number: number) =>
      say("tool.invoked", "sess_killed", { tool: `tool_${number}`, tool_call_id: `call_${number}`, summary_normal: "Runs." });
    const tools = ({ events }: AaepStream) =>
      events.filter(({ type }) => type === "aaep:agent.tool.invoked").map(({ tool: name }) => String(name));
    const heard: string[] = [];
    let last: string | undefined;
    for (let round = 0, next = 1; round < 3; round++) {
      const resume = last === undefined ? {} : { "last-event-id": last };
      const stream = await viewer.open(id, resume);
      expect(stream.status).toBe(200);
      const upTo = next + 20;
      for (; next < upTo; next++) await tool(next);
      // Killed midway: some replies were delivered, some not.
      await stream.until((one) => tools(one).length >= 5);
      await hub.kill("SIGKILL");
      await stream.until(({ isOver }) => isOver);
      heard.push(...tools(stream));
      last = stream.lastId ?? last;
      hub = await startHub({ home, port });
      for (const [own, client] of [["viewer", viewer]] as const) expect([own, client.headers]).toEqual(["viewer", hub.viewer()]);
    }
    const stream = await viewer.open(id, { "last-event-id": String(last) });
    await tool(61);
    await stream.until((one) => tools(one).includes("tool_61"));
    heard.push(...tools(stream));
    stream.close();
    const unique = [...new Set(heard)];
    expect(unique).toEqual(Array.from({ length: 61 }, (_, index) => `tool_${index + 1}`));
  });

  it("hears what was put together for it whole, when the hub was killed meanwhile", async () => {
    const id = await viewer.subscribe({ coalesce_boundaries: ["sentence", "completion"], max_events_per_second: 20 });
    await begin("sess_spoken");
    const texts = ({ events }: AaepStream) => events.filter(({ chunk }) => chunk !== undefined);
    const heard: JsonObject[] = [];
    let said = "";
    let last: string | undefined;
    const speak = async (chunk: string, complete = false) => {
      await say("output.streaming", "sess_spoken", { chunk, position: said.length, complete, output_id: "out_1" });
      said += chunk;
    };
    for (let round = 0; round < 3; round++) {
      const stream = await viewer.open(id, last === undefined ? {} : { "last-event-id": last });
      for (let count = 0; count < 20; count++) await speak(["Now ", "this ", "goes ", "on. "][count % 4] ?? "");
      // Cut in the middle of a sentence of one output.
      await stream.until((one) => texts(one).length >= 2);
      await hub.kill("SIGKILL");
      await stream.until(({ isOver }) => isOver);
      heard.push(...texts(stream));
      last = stream.lastId ?? last;
      hub = await startHub({ home, port });
    }
    const stream = await viewer.open(id, { "last-event-id": String(last) });
    await speak("End of the timeline.", true);
    await stream.until((one) => one.events.some(({ complete }) => complete === true));
    heard.push(...texts(stream));
    stream.close();
    const whole: string[] = [];
    for (const { chunk, position } of heard)
      for (const [index, sign] of [...String(chunk)].entries()) whole[Number(position) + index] = sign;
    expect(Array.from(whole, (sign) => sign ?? "·").join("")).toBe(said);
    // Parts may differ from the original ones, and repeats have the same id.
    expect(heard.some(({ chunk }) => String(chunk).includes("Now this goes "))).toBe(true);
    const byId = Map.groupBy(heard, ({ event_id }) => event_id);
    for (const same of byId.values()) expect(new Set(same.map((event) => JSON.stringify(event))).size).toBe(1);
  });

  it("that comes back with something too old is told how things stand, and goes on from there", async () => {
    const id = await approver.subscribe(REPLIES);
    await begin("sess_stands");
    await say("state.changed", "sess_stands", { from_state: "idle", to_state: "awaiting_input", summary_normal: "Needs you." });
    const { request } = await confirm("sess_stands");
    await using stream = await approver.open(id, { "last-event-id": "evt_fromanothertime" });
    expect(await stream.find((event) => event["session_id"] === "sess_stands" && event["from_state"] === "awaiting_input")).toMatchObject({
      to_state: "awaiting_input",
    });
    const { reply_token: token } = await stream.find(asks("sess_stands"));
    await approver.post("/replies", confirmationReplyOf(token, id, "reject"));
    expect(await answered(request)).toMatchObject({ answer: { word: "reject" } });
  });
});

it("the example of a subscriber checks its own outcome", () => {
  const words = ["examples/aaep-subscriber/main.ts"];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("everybody heard how it ended");
});

/** As `earshot allow` and `earshot deny` do: with a PIN ticket and the digest that was shown. */
async function hubAnswer(request: string, answer: "accept" | "reject"): Promise<void> {
  const headers = await unlockWithPin(hub.url, hub.viewer());
  const { digest } = await callJson(hub.url, `/api/requests/${request}`, undefined, headers);
  await callJson(hub.url, `/api/requests/${request}/answer`, { digest, answer }, headers).catch(() => {}); // somebody else was first
}
