import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { becomeAdmin, callJson as call } from "../packages/hub/src/access/testing/test-device.ts";
import { confirmationNow, hookEventNow } from "../packages/hub/src/requests/testing/asked-now.ts";
import { verify } from "./durability/kills.ts";
import { freePort, type HubProcess, startHub } from "./hub/hub-process.ts";

type Headers = Readonly<Record<string, string>>;
type Body = Readonly<Record<string, unknown>>;

const CONFIRMATIONS = 800;
const HOOKS = 200;
const PER_SESSION = 50;
const AT_ONCE = 16;

const home = mkdtempSync(join(tmpdir(), "earshot-many-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function forEach<Item>(items: readonly Item[], work: (item: Item, index: number) => Promise<void>): Promise<void> {
  const next = items.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, item] of next) await work(item, index);
    }),
  );
}

interface Asked {
  readonly event: Body;
  readonly isHook: boolean;
  readonly word: string;
  id: string;
}

describe("1,000 open requests", () => {
  it("outlive a hub that is killed, and each is answered once, as its asker hears", async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    let hub: HubProcess = await startHub({ home, port });
    try {
      const admin = await becomeAdmin(url, hub.viewer());
      const { token } = await call(url, "/api/tokens", { name: "Ana's phone", role: "approver", owner: "tests" }, admin);
      const approver: Headers = { authorization: `Bearer ${String(token)}` };
      const producer: Headers = { authorization: `Bearer ${readFileSync(join(home, "producer.token"), "utf8").trim()}` };
      const asked: Asked[] = [
        ...Array.from({ length: CONFIRMATIONS }, (_, index) => ({
          event: confirmationNow(`sess_${Math.floor(index / PER_SESSION)}`),
          isHook: false,
          word: index % 2 === 0 ? "accept" : "reject",
          id: "",
        })),
        ...Array.from({ length: HOOKS }, (_, index) => ({
          event: hookEventNow(`deploy ${index}`, { session: { id: `session-${Math.floor(index / PER_SESSION)}` } }),
          isHook: true,
          word: index % 2 === 0 ? "allow" : "deny",
          id: "",
        })),
      ];
      const put = async (one: Asked) => {
        const path = one.isHook ? "/aep/v1/hooks?asks=1&dialog=1&wait=0" : "/v1/events";
        one.id = String((await call(url, path, one.event, producer))["request"]);
      };
      await forEach(asked, put);
      expect(new Set(asked.map(({ id }) => id)).size).toBe(asked.length);

      await hub.kill("SIGKILL");
      hub = await startHub({ home, port });
      const { open } = await call(url, "/api/requests?limit=1", undefined, hub.viewer());
      expect(open).toBe(asked.length);
      // A hook sends its event again and gets the same request; a producer that is notified waits.
      await forEach(
        asked.filter(({ isHook }) => isHook),
        async (one) => {
          const { id } = one;
          await put(one);
          expect(one.id).toBe(id);
        },
      );
      await forEach(asked, async ({ id, word, isHook, event }) => {
        if (isHook) await call(url, "/aep/v1/hooks?asks=1&dialog=1&wait=0", event, producer); // it is still there
        const { digest } = await call(url, `/api/requests/${id}`, undefined, hub.viewer());
        const answered = await call(url, `/api/requests/${id}/answer`, { digest, answer: word }, approver);
        expect(answered).toMatchObject({ state: "answered-by-person", decision: { by: "Ana's phone", answer: { word } } });
        const heard = await call(url, isHook ? `/aep/v1/hooks/${id}?wait=0` : `/v1/answers/${id}`, undefined, producer);
        expect(heard).toMatchObject(isHook ? { response: { control: { behavior: word } } } : { waits: false, answer: { word } });
      });
      expect(await call(url, "/api/requests?limit=1", undefined, hub.viewer())).toMatchObject({ open: 0 });
      expect(await verify(hub)).toMatchObject({ ok: true });
      await hub.kill("SIGTERM");
      using db = new DatabaseSync(join(home, "ledger.db"), { readOnly: true });
      const rows = db.prepare("SELECT state, count(*) AS many FROM request GROUP BY state").all();
      expect(rows).toMatchObject([{ state: "answered-by-person", many: asked.length }]);
      const [decisions] = db.prepare("SELECT count(*) AS many FROM entry WHERE kind = 2 AND type = 'decision'").all();
      expect(decisions).toMatchObject({ many: asked.length });
    } finally {
      await hub.kill("SIGKILL");
    }
  });
});
