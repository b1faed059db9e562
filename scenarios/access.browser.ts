import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPinVerifier } from "../packages/hub/src/access/pin-key.ts";
import { callJson } from "../packages/hub/src/access/testing/test-device.ts";
import { launchChromium } from "../tools/chromium.ts";
import { openCarelessServer, openStrangePage, tryEverything } from "./access/strange-page.ts";
import { aopEvent, type HubProcess, startHub } from "./hub/hub-process.ts";

const PIN = "lantern 90210";
/** The name that the browser suggests for itself, and its role. */
const FIRST = "Chrome on Linux: admin";

async function startLink(hub: HubProcess): Promise<string> {
  return String((await callJson(hub.url, "/api/start-code", {}, hub.viewer()))["link"]);
}

/** Opens the start link as a person does and becomes the first approver. */
async function becomeFirst(hub: HubProcess, page: Page): Promise<void> {
  await page.goto(await startLink(hub));
  await page.getByRole("button", { name: "Make this browser an approver" }).click();
  await page.getByRole("heading", { name: /^(Overview|No events yet)$/ }).waitFor();
}

/** The identity that the page shows. */
async function expectToBe(page: Page, who: string): Promise<void> {
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByText(`You are ${who}.`).waitFor();
}

/** The page's stored key, and whether it can be exported. */
function keyOf(page: Page): Promise<{ readonly extractable: boolean; readonly exported: string; readonly cookie: string }> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open("earshot", 1);
      opening.onsuccess = () => resolve(opening.result);
    });
    const { key } = await new Promise<{ key: CryptoKey }>((resolve) => {
      const asked = database.transaction("own").objectStore("own").get("device");
      asked.onsuccess = () => resolve(asked.result as { key: CryptoKey });
    });
    const exported = await crypto.subtle.exportKey("jwk", key).then(
      () => "exported",
      () => "refused",
    );
    return { extractable: key.extractable, exported, cookie: document.cookie };
  });
}

describe("in a browser", () => {
  let browser: Browser;
  let contexts: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
  });
  const open = async () => {
    const context = await browser.newContext();
    contexts = [...contexts, context];
    return context.newPage();
  };

  it("the start link makes the first approver, once; a reload keeps it, and its key cannot be taken out", async () => {
    await using hub = await startHub();
    const page = await open();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await becomeFirst(hub, page);
    expect(page.url()).toBe(`${hub.url}/ui/`);
    await page.reload();
    await expectToBe(page, FIRST);
    expect(await keyOf(page)).toEqual({ extractable: false, exported: "refused", cookie: "" });
    expect(errors).toEqual([]);
    await expect(startLink(hub)).rejects.toThrow("APPROVER_EXISTS");
  });

  it("a link that was used or is made up makes nobody", async () => {
    await using hub = await startHub();
    const [page, late] = [await open(), await open()];
    const link = await startLink(hub);
    await late.goto(link);
    await late.getByRole("button", { name: "Make this browser an approver" }).waitFor();
    await becomeFirst(hub, page);
    await late.getByRole("button", { name: "Make this browser an approver" }).click();
    await late.getByRole("alert").getByText("approver already").waitFor();
    const made = await open();
    await made.goto(`${hub.url}/ui/#pair=AAAAAAAAAAAAAAAAAAAAAA`);
    await made.getByRole("button", { name: "Ask to be admitted" }).click();
    await made.getByRole("alert").getByText("wrong").waitFor();
  });

  it("a second browser is admitted by the number it shows, a third by the PIN, and revoking ends what they have open", async () => {
    await using hub = await startHub();
    const [first, second, third] = [await open(), await open(), await open()];
    await becomeFirst(hub, first);
    await expectToBe(first, FIRST);
    const offer = await callJson(hub.url, "/api/pairings", { role: "approver" }, hub.viewer());
    await second.goto(String(offer["link"]));
    await second.getByLabel("Name of this device").fill("Second browser");
    await second.getByRole("button", { name: "Ask to be admitted" }).click();
    const match = await second.getByText(/^\d{3} \d{3}$/).textContent();
    const number = first.getByLabel("The number that Second browser shows");
    await number.fill("000 000");
    await first.getByRole("button", { name: "Admit Second browser" }).click();
    await first.getByRole("alert").getByText("not the number").waitFor();
    await number.fill(match ?? "");
    await first.getByRole("button", { name: "Admit Second browser" }).click();
    await expectToBe(second, "Second browser: approver");

    // The first browser became approver without a PIN. As the only admin it cannot be revoked, and it sets the PIN when one is needed.
    await first.getByRole("button", { name: /^Revoke Chrome on Linux/ }).click();
    await first.getByRole("button", { name: /^Really revoke Chrome on Linux/ }).click();
    await first.getByText("This is the only browser that administers this hub").waitFor();
    await first.getByLabel("New PIN").fill(PIN);
    await first.getByLabel("The same PIN again").fill(PIN);
    await first.getByRole("button", { name: "Set the PIN" }).click();
    await first.getByText("A PIN is set.").waitFor();

    await third.goto(`${hub.url}/ui/`);
    await third.getByText("open the link that it prints").waitFor();
    await third.goto(String((await callJson(hub.url, "/api/pairings", { role: "viewer" }, hub.viewer()))["link"]));
    await third.reload();
    await third.getByLabel("Name of this device").fill("Third browser");
    await third.getByRole("button", { name: "Ask to be admitted" }).click();
    await third.getByLabel("Or the PIN").fill(PIN);
    await third.getByRole("button", { name: "Admit with the PIN" }).click();
    await expectToBe(third, "Third browser: viewer");
    await third.getByText("Only approvers can see the other devices.").waitFor();

    for (const [page, name] of [
      [second, "Second browser"],
      [third, "Third browser"],
    ] as const) {
      await first.getByRole("button", { name: `Revoke ${name}` }).click();
      await first.getByRole("button", { name: `Really revoke ${name}?` }).click();
      await page.getByText("This browser is no longer paired.").waitFor();
      await page.reload();
      await page.getByRole("heading", { name: "Admit this browser" }).waitFor();
    }
  });

  it("a page of another port, opened in the same browser, can neither read nor decide nor say anything", async () => {
    await using hub = await startHub();
    await hub.post("/v1/events", aopEvent({ session: "secret", sequence: 1 }));
    await using stranger = await openStrangePage();
    const admitted = await open();
    await becomeFirst(hub, admitted);
    const { id } = await callJson(hub.url, "/api/pairings", { role: "approver" }, hub.viewer());
    const state = async () => ({
      head: ((await (await hub.get("/api/status")).json()) as { readonly head: number }).head,
      access: readFileSync(join(hub.home, "access.json"), "utf8"),
      pairing: await (await hub.get(`/api/pairings/${String(id)}`)).json(),
    });
    const before = await state();
    const event = aopEvent({ session: "forged", sequence: 1 });
    const tries = {
      hub: hub.url,
      event,
      reads: [
        "/",
        "/health",
        "/ui/",
        "/api/me",
        "/api/live?after=0",
        "/stream?after=0",
        "/sessions",
        "/sessions/secret",
        "/api/tokens",
        "/openapi.json",
      ],
      writes: [
        { path: "/v1/events", body: event },
        { path: "/events", body: event },
        { path: "/api/tokens", body: '{"name":"x","role":"admin","owner":"x"}' },
        { path: `/api/pairings/${String(id)}/confirm`, body: '{"match":"000000"}' },
        { path: "/api/pair/claim", body: '{"code":"x"}' },
        { path: "/api/reset-approver", body: "{}" },
        { path: "/sessions/secret", body: "{}" },
      ],
    };
    // Another port of the same host is the same site; another host name is not.
    for (const url of [stranger.url, stranger.url.replace("127.0.0.1", "localhost")]) {
      const page = await admitted.context().newPage();
      await page.goto(url);
      const loot = await page.evaluate(tryEverything, tries);
      expect(Object.keys(loot).length).toBeGreaterThan(100);
      expect(Object.entries(loot).filter(([, got]) => got !== "nothing")).toEqual([]);
      expect(await state()).toEqual(before);
    }
    // Negative control: the same attempts succeed against an unprotected server.
    await using careless = await openCarelessServer();
    const page = await admitted.context().newPage();
    await page.goto(stranger.url);
    const found = await page.evaluate(tryEverything, { ...tries, hub: careless.url });
    const kinds = new Set(Object.entries(found).flatMap(([name, got]) => (got === "nothing" ? [] : [name.split(" ", 1)[0]])));
    expect([...kinds].sort()).toEqual(["EventSource", "delete", "fetch", "post", "script"]);
    expect(careless.heard.filter((heard) => heard.startsWith("POST text/plain")).length).toBeGreaterThan(tries.writes.length * 3);
    expect(stranger.heard.filter(({ cookie, authorization }) => cookie !== undefined || authorization !== undefined)).toEqual([]);
    // The admitted page still works.
    await admitted.reload();
    await expectToBe(admitted, FIRST);
  });

  it("a link on another site leads to the page, and to nothing else", async () => {
    await using hub = await startHub();
    await using stranger = await openStrangePage();
    const page = await open();
    await page.goto(stranger.url);
    const follow = (path: string) =>
      page.evaluate((to) => {
        const link = document.createElement("a");
        link.href = to;
        link.textContent = "link";
        document.body.replaceChildren(link);
      }, hub.url + path);
    await follow("/api/me");
    await page.getByText("link").click();
    await page.getByText("HOST_REFUSED").waitFor();
    await page.goto(stranger.url);
    await follow("/ui/#pair=AAAAAAAAAAAAAAAAAAAAAA");
    await page.getByText("link").click();
    await page.getByRole("button", { name: "Ask to be admitted" }).waitFor();
  });
});

describe("a credential", () => {
  it("is written nowhere but where it belongs: not in a file, not in the output, not in a report of a crash", async () => {
    const home = mkdtempSync(join(tmpdir(), "earshot-crash-"));
    const reports = ["--report-on-signal", "--report-uncaught-exception", "--report-on-fatalerror", `--report-directory=${home}`];
    await using hub = await startHub({ home, nodeArguments: reports });
    const link = await startLink(hub);
    const planted: string[] = [link.split("=")[1] ?? "", PIN];
    const { TestDevice } = await import("../packages/hub/src/access/testing/test-device.ts");
    const device = new TestDevice();
    const first = await callJson(hub.url, "/api/pair/start", {
      code: planted[0],
      key: device.key,
      name: "b",
      pin: await createPinVerifier(PIN),
    });
    const admin = await device.authorise(hub.url, (first["device"] as { readonly id: string }).id);
    planted.push(admin["authorization"]?.slice(7) ?? "");
    for (const wish of [
      { name: "in addresses", role: "viewer", inAddress: true },
      { name: "speaker", role: "producer" },
    ]) {
      planted.push(String((await callJson(hub.url, "/api/tokens", wish, admin))["token"]));
    }
    const offer = await callJson(hub.url, "/api/pairings", {}, hub.viewer());
    planted.push(String(offer["code"]));
    const [, , , inAddress = "", speaker = ""] = planted;
    const answers = [
      await hub.get(`/k/${inAddress}/sessions`, {}),
      await hub.get(`/k/${inAddress}/nowhere?token=${inAddress}`, {}),
      await hub.get(`/k/${inAddress}/sessions?limit=wrong`, {}),
      await hub.get(`/k/${inAddress}x/sessions`, {}),
      await hub.get(`/k/${inAddress}/%ff`, {}),
      await hub.get("/api/me", { authorization: `Bearer ${inAddress}` }),
      await fetch(`${hub.url}/v1/events`, {
        method: "POST",
        headers: { authorization: `Bearer ${speaker}`, "content-type": "application/json" },
        body: aopEvent({ session: "s", sequence: 1, payload: { goal: `Bearer ${speaker}` } }),
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 401, 400, 401, 200]);
    const told = (await Promise.all(answers.map((answer) => answer.text()))).join("\n");
    hub.child.kill("SIGUSR2");
    await expect.poll(() => reportIn(hub.home)).toMatchObject({ header: {} });
    await hub.kill("SIGABRT");
    const files = readdirSync(hub.home, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), "latin1")] as const);
    rmSync(home, { recursive: true });
    expect(files.map(([name]) => name)).toEqual(
      expect.arrayContaining(["access.json", "hub.log", "ledger.db", expect.stringMatching(/^report\..*json$/)]),
    );
    const places = [...files, ["answers", told], ["output", hub.log()]] as const;
    const found = places.flatMap(([place, text]) =>
      planted.filter((secret) => text.includes(secret)).map((secret) => `${secret} in ${place}`),
    );
    expect(found).toEqual([]);
  });
});

/** Node's diagnostic report, once it is complete. */
function reportIn(home: string): unknown {
  const name = readdirSync(home).find((one) => /^report\..*json$/.test(one));
  try {
    return name === undefined ? undefined : JSON.parse(readFileSync(join(home, name), "utf8"));
  } catch {
    return undefined; // it is being written
  }
}
