import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aopEvent, startHub } from "./hub/hub-process.ts";

/** Stopping a hub while events arrive. */
function temporary(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "earshot-home-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

describe("a hub that is asked to stop", () => {
  it("answers and stores what is under way, refuses the rest cleanly, and loses nothing acknowledged", async () => {
    using home = temporary();
    const acknowledged = new Map<string, number>();
    const answers: Record<string, number> = {};
    let log = "";
    {
      await using hub = await startHub({ home: home.path });
      let isOver = false;
      const speak = async (session: string) => {
        for (let sequence = 1; !isOver; sequence++) {
          const answer = await hub.post("/v1/events", aopEvent({ session, sequence })).catch(() => undefined);
          const status = answer?.status ?? "no connection";
          answers[status] = (answers[status] ?? 0) + 1;
          if (answer === undefined) return;
          const body = (await answer.json()) as { readonly position?: number; readonly code?: string };
          if (answer.status === 200) acknowledged.set(`${session} ${sequence}`, body.position ?? 0);
          else expect([answer.status, body.code, answer.headers.get("retry-after")]).toEqual([503, "LEDGER_UNAVAILABLE", "1"]);
          if (answer.status !== 200) return;
        }
      };
      const speakers = Array.from({ length: 16 }, (_, index) => speak(`session-${index}`));
      while (acknowledged.size < 200) await new Promise((resolve) => setTimeout(resolve, 5));
      await hub.kill("SIGTERM");
      isOver = true;
      await Promise.all(speakers);
      expect(hub.child.exitCode).toBe(0);
      log = hub.log();
    }
    expect(Object.keys(answers).filter((answer) => !["200", "503", "no connection"].includes(answer))).toEqual([]);
    const last = Math.max(...acknowledged.values());
    const stoppedAt = Number(/stopped at position (\d+)\./.exec(log)?.[1]);
    expect(stoppedAt).toBeGreaterThanOrEqual(last);
    await using again = await startHub({ home: home.path });
    expect(((await (await again.get("/api/status")).json()) as { readonly head: number }).head).toBe(stoppedAt);
    // Sent again, each is recognized at its acknowledged position.
    const lines = [...acknowledged.keys()].map((name) => {
      const [session = "", sequence] = name.split(" ");
      return aopEvent({ session, sequence: Number(sequence) });
    });
    const answer = await again.post("/v1/events?verdicts=all", lines.join("\n"), "application/x-ndjson");
    const { duplicates, verdicts } = (await answer.json()) as { duplicates: number; verdicts: readonly { position: number }[] };
    expect(duplicates).toBe(acknowledged.size);
    expect(verdicts.map(({ position }) => position)).toEqual([...acknowledged.values()]);
  });

  it("ends a stream between two events and tells its sender how far it came", async () => {
    using home = temporary();
    await using hub = await startHub({ home: home.path });
    const sending = request(`${hub.url}/v1/events`, { method: "POST", headers: { "content-type": "application/x-ndjson" } });
    const answered = once(sending, "response");
    sending.write(`${aopEvent({ session: "s", sequence: 1 })}\n`);
    for (let head = 0; head < 1; ) {
      ({ head } = (await (await hub.get("/api/status")).json()) as { readonly head: number });
    }
    const ended = hub.kill("SIGTERM");
    while (!hub.log().includes("stopping")) await new Promise((resolve) => setTimeout(resolve, 5));
    sending.write(`${aopEvent({ session: "s", sequence: 2 })}\n`);
    const [response] = (await answered) as [import("node:http").IncomingMessage];
    let text = "";
    for await (const chunk of response) text += String(chunk);
    expect(response.statusCode).toBe(503);
    expect(JSON.parse(text)).toMatchObject({ code: "LEDGER_UNAVAILABLE", stored: 1, last: 1 });
    sending.destroy();
    await ended;
    expect(hub.log()).toContain("stopped at position 1.");
  });
});
