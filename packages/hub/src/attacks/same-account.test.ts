import { createHmac } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { derivePinKey } from "../access/pin-key.ts";
import type { AccessState } from "../access/store.ts";
import {
  becomeAdmin,
  callJson,
  prepareAdmin,
  TEST_PIN,
  TEST_PIN_RECORD,
  TestDevice,
  unlockWithPin,
} from "../access/testing/test-device.ts";
import { hubHomeOf, readProducerTokenFile, readViewerToken } from "../home.ts";
import { validEventText } from "../http/testing/valid-event.ts";
import { startHub } from "../hub.ts";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";

function openHome() {
  const folder = temporaryTestFolder();
  const home = hubHomeOf({ EARSHOT_HOME: folder.file("home") });
  const state = () => JSON.parse(readFileSync(home.access, "utf8")) as AccessState;
  return {
    home,
    start: () => startHub({ home, version: "0.0.0", port: 0 }),
    viewer: () => ({ authorization: `Bearer ${readViewerToken(home)}` }),
    state,
    messages: () =>
      state()
        .alarms.map(({ message }) => message)
        .join("\n"),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

describe("not held: a program of the same account", () => {
  it("reads everything that the hub has recorded, with viewer.token", async () => {
    using place = openHome();
    await using hub = await place.start();
    await callJson(hub.url, "/v1/events", JSON.parse(validEventText("aop", { session_id: "x" })) as object);
    expect(await (await fetch(`${hub.url}/api/export?session=x`, { headers: place.viewer() })).text()).toContain('"session_id":"x"');
  });

  it("speaks and asks as the user's own agents, with producer.token", async () => {
    using place = openHome();
    await using hub = await place.start();
    const headers = { authorization: `Bearer ${readProducerTokenFile(place.home)}` };
    await callJson(hub.url, "/v1/events", JSON.parse(validEventText("aop")) as object, headers);
    expect((await hub.ledger.read({ after: 0, limit: 10 })).entries.at(-1)).toMatchObject({ source: "producer", verified: true });
  });

  it("guesses at the PIN without pauses, from what access.json keeps of it", async () => {
    using place = openHome();
    await prepareAdmin(place.home);
    const { pin } = place.state();
    for (const guess of ["000000", TEST_PIN]) {
      const { publicKey } = await derivePinKey(guess, pin ?? { salt: "", cost: 0 });
      expect(publicKey === pin?.key).toBe(guess === TEST_PIN);
    }
  });
});

describe("leaves an alarm: a program of the same account", () => {
  it("becomes the first approver, before the person has opened the start link", async () => {
    using place = openHome();
    await using hub = await place.start();
    await callJson(hub.url, "/api/first-pin", { pin: TEST_PIN_RECORD }, place.viewer());
    expect(place.messages()).toContain("became the first approver");
    expect(await callJson(hub.url, "/api/pairings", undefined, await unlockWithPin(hub.url, place.viewer()))).toEqual({ pairings: [] });
  });

  it("makes itself an approver while no hub is running, and forges the seal with hook.key", async () => {
    using place = openHome();
    await using first = await place.start();
    await becomeAdmin(first.url, place.viewer());
    await first.close();
    const own = new TestDevice();
    const device = { id: "mine", name: "Mine", role: "admin" as const, key: own.key, admittedBy: "me", createdAt: "" };
    const text = JSON.stringify({ ...place.state(), devices: [device] });
    const key = readFileSync(place.home.hookKey, "utf8").trim();
    writeFileSync(place.home.access, text);
    writeFileSync(place.home.accessSeal, createHmac("sha256", key).update(`earshot access ${text}`).digest("base64url"));
    await using hub = await place.start();
    expect(place.messages()).toContain("not those that the ledger names");
    expect(await callJson(hub.url, "/api/pairings", undefined, await own.authorise(hub.url, "mine"))).toEqual({ pairings: [] });
  });
});
