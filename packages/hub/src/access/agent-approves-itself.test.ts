import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hubHomeOf } from "../home.ts";
import { startHub } from "../hub.ts";
import type { RunningHubHandle } from "../hub-options.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { ticketText } from "./device-key.ts";
import type { AccessState } from "./store.ts";
import { becomeAdmin, provePinInTest, TEST_PIN_RECORD, TestDevice } from "./testing/test-device.ts";

/**
 * An agent's shell runs under the person's account: it reads the files, runs the commands and calls the port. It must not become an
 * approver of a running hub. (docs/security.md describes attacks on a stopped hub's files.)
 */
const folder = temporaryTestFolder();
const home = hubHomeOf({ EARSHOT_HOME: folder.file("home") });
let hub: RunningHubHandle;
const file = (path: string) => readFileSync(path, "utf8").trim();
const state = () => JSON.parse(file(home.access)) as AccessState;
const viewer = () => ({ authorization: `Bearer ${file(home.viewerToken)}` });
const producer = () => ({ authorization: `Bearer ${file(home.producerToken)}` });

beforeAll(async () => {
  hub = await startHub({ home, version: "0.0.0", port: 0 });
  await becomeAdmin(hub.url, viewer());
});
afterAll(async () => {
  await hub.close();
  folder[Symbol.dispose]();
});

type Answer = Readonly<Record<string, unknown>>;

async function call(method: string, path: string, headers: Readonly<Record<string, string>>, body?: unknown): Promise<Answer> {
  const sent =
    body === undefined
      ? { method, headers }
      : { method, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
  const response = await fetch(hub.url + path, sent);
  return { status: response.status, ...((await response.json()) as Answer) };
}

/** Offers itself an admission, as far as possible without an approver. */
async function claimOwn(device = new TestDevice()) {
  const { id, code } = await call("POST", "/api/pairings", viewer(), { role: "approver" });
  const { claim, match } = await call("POST", "/api/pair/claim", {}, { code, key: device.key, name: "Ana's phone" });
  return { id: String(id), claim: String(claim), match: String(match), device };
}

async function ticket(device: TestDevice, id: string, { origin = hub.url, challenge = "" } = {}): Promise<Answer> {
  const given = challenge === "" ? String((await call("GET", "/api/ticket", {}))["challenge"]) : challenge;
  return call("POST", "/api/ticket", {}, { device: id, challenge: given, signature: device.sign(ticketText(origin, id, given)) });
}

/** Each returns what it obtained, none of which may be usable for deciding. */
const TRIES: Readonly<Record<string, () => Promise<unknown>>> = {
  "shows what the hooks hold": async () => file(home.producerToken),
  "shows what the commands hold": async () => file(home.viewerToken),
  "shows the public key of the PIN": async () => state().pin?.key,
  "shows the id of an approver's browser": async () => state().devices[0]?.id,
  "shows the name of the PIN's own credential": async () => "pin",
  "makes itself a token": () => call("POST", "/api/tokens", viewer(), { name: "me", role: "approver", owner: "me" }),
  "makes itself a token as a producer": () => call("POST", "/api/tokens", producer(), { name: "me", role: "approver", owner: "me" }),
  "asks for a start link": () => call("POST", "/api/start-code", viewer(), {}),
  "sets the first PIN again": () => call("POST", "/api/first-pin", viewer(), { pin: TEST_PIN_RECORD }),
  "sets the PIN as an admin does": async () => [
    await call("POST", "/api/pin", viewer(), { pin: TEST_PIN_RECORD }),
    await call("POST", "/api/pin", producer(), { pin: TEST_PIN_RECORD }),
  ],
  "opens a start link that it made up": () =>
    call("POST", "/api/pair/start", {}, { code: "AAAAAAAAAAAAAAAAAAAAAA", key: new TestDevice().key, name: "me", pin: TEST_PIN_RECORD }),
  "admits itself and confirms as a viewer": async () => {
    const { id, match } = await claimOwn();
    return call("POST", `/api/pairings/${id}/confirm`, viewer(), { match });
  },
  "admits itself and confirms as a producer": async () => {
    const { id, match } = await claimOwn();
    return call("POST", `/api/pairings/${id}/confirm`, producer(), { match });
  },
  "admits itself and uses the key at once": async () => {
    const { id, claim, device } = await claimOwn();
    return [await ticket(device, id), await ticket(device, claim), claim];
  },
  "offers itself to be admin": () => call("POST", "/api/pairings", viewer(), { role: "admin" }),
  "signs with its own key for an approver's browser": () => ticket(new TestDevice(), state().devices[0]?.id ?? ""),
  "signs for another address": () => ticket(new TestDevice(), state().devices[0]?.id ?? "", { origin: "http://localhost:1" }),
  "signs a challenge that it made up": () => ticket(new TestDevice(), state().devices[0]?.id ?? "", { challenge: "abc.def.ghi" }),
  "pretends to be the hub's own page": () =>
    call("GET", "/api/pairings", { origin: hub.url, "sec-fetch-site": "same-origin", ...viewer() }),
  "puts what it has into the address": () => call("GET", `/k/${file(home.viewerToken)}/api/pairings`, {}),
  "writes itself into the file of a running hub": async () => {
    const own = new TestDevice();
    const before = file(home.access);
    const { devices, ...rest } = state();
    const [first] = devices;
    writeFileSync(home.access, JSON.stringify({ ...rest, devices: [...devices, { ...first, id: "mine", key: own.key }] }));
    const got = await ticket(own, "mine");
    writeFileSync(home.access, before);
    return got;
  },
  "removes every approver and asks for a start link": async () => {
    const asked = await call("POST", "/api/reset-approver", viewer(), {});
    return [
      asked,
      await call("POST", "/api/start-code", viewer(), {}),
      await call("POST", "/api/first-pin", viewer(), { pin: TEST_PIN_RECORD }),
    ];
  },
  "hides the alarm of that": () => call("POST", `/api/alarms/${state().alarms.at(-1)?.id}/seen`, viewer(), {}),
  "guesses at the PIN": async () => {
    const guesses = ["000000", "123456", "password", "earshot", "letmein", "aaaaaa", ""];
    const all: Answer[] = [];
    for (const pin of guesses) all.push(await call("POST", "/api/unlock", viewer(), await provePinInTest(hub.url, pin)));
    return all;
  },
  "admits itself and guesses at the PIN": async () => {
    const { claim } = await claimOwn();
    return call("POST", "/api/pair/admit", {}, { claim, ...(await provePinInTest(hub.url, "000000", `admit ${claim}`)) });
  },
  "gives what is stored of the PIN as the PIN": async () =>
    call("POST", "/api/unlock", viewer(), await provePinInTest(hub.url, String(state().pin?.key))),
  "guesses at the code of a link": () =>
    call("POST", "/api/pair/claim", {}, { code: "AAAAAAAAAAAAAAAAAAAAAA", key: new TestDevice().key, name: "me" }),
};

/** Every text in an answer could be a credential. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe("an agent does not become its own approver when it", () => {
  it.each(Object.keys(TRIES))("%s", async (name) => {
    const got = await TRIES[name]?.();
    for (const text of textsIn(got).filter((one) => /^[\w.-]+$/.test(one))) {
      const { status } = await call("GET", "/api/pairings", { authorization: `Bearer ${text}` });
      expect([text, status === 401 || status === 403]).toEqual([text, true]);
    }
    expect(state().devices.map(({ name: device }) => device)).toEqual(["a browser"]);
    expect(state().tokens).toEqual([]);
  });

  it("has left alarms: of the removal it asked for, and of its guesses", () => {
    expect(state().alarms.map(({ message }) => message)).toEqual([
      expect.stringContaining("became the first approver"),
      expect.stringContaining("remove every approver"),
      expect.stringContaining("PIN was wrong"),
    ]);
  });
});
