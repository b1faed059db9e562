import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { becomeAdmin, unlockWithPin } from "../packages/hub/src/access/testing/test-device.ts";
import { confirmationNow } from "../packages/hub/src/requests/testing/asked-now.ts";
import { pause, verify } from "./durability/kills.ts";
import { mountSmallDisk, NO_MOUNT, type SmallDisk } from "./durability/small-disk.ts";
import { aopEvent, type HubProcess, startHub } from "./hub/hub-process.ts";

type Headers = Readonly<Record<string, string>>;
type Body = Readonly<Record<string, unknown>>;

/** A hub on its own file system, which is filled while a request is open. */
const disk: SmallDisk | undefined = mountSmallDisk(24);
if (disk === undefined) process.stderr.write(`${NO_MOUNT}\n`);
afterAll(() => disk?.[Symbol.dispose]());

const ASKED = 40;

describe.skipIf(disk === undefined)("a disk that is full while something waits for an answer", () => {
  const { path = "" } = disk ?? {};
  let home = "";
  let hub: HubProcess;
  let approver: Headers;
  let producer: Headers;
  let ids: readonly string[];
  let homes = 0;

  beforeEach(async () => {
    disk?.empty();
    home = join(path, `home-${homes++}`);
    hub = await startHub({ home });
    approver = await becomeAdmin(hub.url, hub.viewer());
    producer = { authorization: `Bearer ${readFileSync(join(home, "producer.token"), "utf8").trim()}` };
    const events = Array.from({ length: ASKED }, () => confirmationNow("sess_1"));
    ids = await Promise.all(events.map(async (event) => String((await send("/v1/events", producer, event)).body["request"])));
  });
  afterEach(async () => {
    await hub.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  });

  async function send(to: string, headers: Headers, body?: object): Promise<{ readonly status: number; readonly body: Body }> {
    const post = { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
    const response = await fetch(hub.url + to, body === undefined ? { headers } : post);
    return { status: response.status, body: (await response.json()) as Body };
  }

  let sequence = 0;
  const say = async () => (await hub.post("/v1/events", aopEvent({ session: "filler", sequence: ++sequence }))).status;

  /** Leaves less space than events need. */
  async function fillUp(leaveBytes = 3 << 20): Promise<void> {
    disk?.fill(leaveBytes);
    for (let status = 200; status !== 507; ) {
      status = await say();
      expect([200, 507]).toContain(status);
    }
  }

  async function answer(id: string): Promise<number> {
    const { body } = await send(`/api/requests/${id}`, hub.viewer());
    return (await send(`/api/requests/${id}/answer`, approver, { digest: body["digest"], answer: "reject" })).status;
  }

  it("leaves every one of them to be answered and heard, takes no events meanwhile, and goes on when there is room", async () => {
    await fillUp();
    for (const id of ids) {
      expect(await answer(id)).toBe(200);
      expect((await send(`/v1/answers/${id}`, producer)).body).toMatchObject({ waits: false, answer: { word: "reject" } });
    }
    // There is space left, but not for this.
    expect(await say()).toBe(507);
    expect(await send("/v1/events", producer, confirmationNow("sess_2"))).toMatchObject({ status: 507, body: { code: "STORAGE_FULL" } });
    expect(await send("/api/pause", approver, { forMs: 60_000, reason: "The disk is full." })).toMatchObject({ status: 200 });
    disk?.empty();
    while ((await say()) !== 200) await pause(50);
    expect(await verify(hub)).toMatchObject({ ok: true });
  });

  it("also when the hub is killed on the way and starts again on the full disk", async () => {
    await fillUp();
    const [first = "", ...rest] = ids;
    expect(await answer(first)).toBe(200);
    await hub.kill("SIGKILL");
    hub = await startHub({ home });
    approver = await unlockWithPin(hub.url, hub.viewer());
    expect(await say()).toBe(507);
    for (const id of rest) expect(await answer(id)).toBe(200);
    disk?.empty();
    while ((await say()) !== 200) await pause(50);
    const { body } = await send("/api/requests?state=answered-by-person&limit=200", hub.viewer());
    expect(body["requests"]).toHaveLength(ASKED);
    expect(await verify(hub)).toMatchObject({ ok: true });
  });

  it("leaves them unanswered when other programs fill it to the end", async () => {
    await fillUp(0);
    const statuses: number[] = [];
    for (const id of ids) statuses.push(await answer(id));
    expect(statuses).toContain(507);
  });
});
