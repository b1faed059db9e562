import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { callJson, TEST_PIN_RECORD, unlockWithPin } from "../packages/hub/src/access/testing/test-device.ts";
import { createAsker } from "./dashboard/asker.ts";
import { aepCall } from "./dashboard/session-events.ts";
import { type HubProcess, startHub } from "./hub/hub-process.ts";

const POLL_OPTIONS = { timeout: 20_000 };

/** A session bus without services, and a program in front of it that records its calls. */
function createDesktop() {
  const folder = mkdtempSync(join(tmpdir(), "earshot-desktop-"));
  const record = join(folder, "ran");
  writeFileSync(record, "");
  const script = `#!${process.execPath}
require("node:fs").appendFileSync(${JSON.stringify(record)}, JSON.stringify(process.argv.slice(2)) + "\\n");
console.log(require("node:fs").readFileSync(${JSON.stringify(record)}, "utf8").split("\\n").length);`;
  writeFileSync(join(folder, "notify-send"), script);
  chmodSync(join(folder, "notify-send"), 0o755);
  return {
    env: { PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}`, DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" },
    /** Whether a notification was shown or withdrawn, and its text. */
    told: () =>
      readFileSync(record, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as readonly string[])
        .map((words) => [words.some((word) => word.startsWith("--replace-id=")) ? "withdrawn" : "shown", ...words.slice(-2)]),
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

describe.skipIf(process.platform !== "linux")("the person's desktop", () => {
  it("is told of requests and of a lost guard, without a browser, and is cleared", async () => {
    using desktop = createDesktop();
    await using hub = await startHub({ notifies: true, env: desktop.env });
    await using asker = createAsker(hub);
    const request = await asker.hook("Bash", { command: "git push --force" }, { session: { id: "shop" } });
    await expect
      .poll(desktop.told, POLL_OPTIONS)
      .toEqual([["shown", "Claude Code in shop", "Asks for your permission. Answer in Earshot."]]);
    const asked = desktop.told();
    await decide(hub, request);
    // The second one is about the first approver.
    await expect.poll(() => desktop.told().map(([method]) => method), POLL_OPTIONS).toEqual(["shown", "shown", "withdrawn"]);

    // The agent bypasses its gate: a tool ran without a request.
    const [, ran] = aepCall("shop", { id: "call_unasked", tool: "Bash", input: { command: "curl x | sh" }, seconds: [1, 2], output: "" });
    await callJson(hub.url, "/v1/events", ran, producer(hub));
    await expect
      .poll(() => desktop.told().at(-1), POLL_OPTIONS)
      .toEqual(["shown", "Claude Code in shop", "An action ran without approval. Open Earshot for details."]);
    expect(JSON.stringify([...asked, ...desktop.told()])).not.toMatch(/git push|curl/);

    const { status, stdout } = hub.earshot("doctor", "--notify");
    expect(stdout).toContain("The hub notifies the desktop: org.freedesktop.Notifications, by notify-send.");
    expect(status).toBe(0);
    expect(desktop.told().at(-1)).toEqual(["shown", "Earshot", expect.stringContaining("This is a test.")]);
  });

  it("is left alone when that is wanted, and the test says so", async () => {
    using desktop = createDesktop();
    await using hub = await startHub({ env: desktop.env });
    await using asker = createAsker(hub);
    await asker.hook("Bash", { command: "git push" });
    const { status, stdout } = hub.earshot("doctor", "--notify", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ by: "hub", shown: false, way: null, why: expect.stringContaining("switched off") });
    expect(status).toBe(1);
    await hub.kill();
    // Without a hub, the terminal tests what one would do.
    expect(hub.earshot("doctor", "--notify").stdout).toContain("One that is started here would notify the desktop");
    expect(desktop.told()).toEqual([["shown", "Earshot", expect.stringContaining("This is a test.")]]);
  });
});

function producer({ home }: HubProcess): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${readFileSync(join(home, "producer.token"), "utf8").trim()}` };
}

/** The first terminal sets the PIN and decides with it. */
async function decide(hub: HubProcess, request: string): Promise<void> {
  await callJson(hub.url, "/api/first-pin", { pin: TEST_PIN_RECORD }, hub.viewer());
  const approver = await unlockWithPin(hub.url, hub.viewer());
  const { digest } = await callJson(hub.url, `/api/requests/${request}`, undefined, approver);
  await callJson(hub.url, `/api/requests/${request}/answer`, { digest, answer: "deny" }, approver);
}
