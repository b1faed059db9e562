import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readPlaylist } from "./read-playlist.ts";
import type { PlaylistEntry } from "./recorded.ts";

const AOP = (sequence: number) =>
  `{"spec":"aop/1.0","session_id":"s","agent_id":"a","sequence":${sequence},"timestamp":"2026-01-01T00:00:0${sequence}.000Z","type":"x.y","payload":{}}`;

async function all(text: string): Promise<readonly PlaylistEntry[]> {
  const read: PlaylistEntry[] = [];
  for await (const part of readPlaylist(Readable.from([Buffer.from(text)]))) read.push(...part);
  return read;
}

describe("the list of what is to be played", () => {
  it("has events and messages in their order, and says what cannot be played", async () => {
    const reply = '{"type":"confirmation.reply","reply_token":"rpl_1","decision":"accept","subscription_id":"sub_1"}';
    const response = '{"aep_version":"0.1","id":"r","request_event_id":"e","time":"2026-01-01T00:00:00Z","control":{"behavior":"allow"}}';
    const read = await all([AOP(1), "nonsense", "[1]", reply, response, `{"kind":"event","data":${AOP(2)}}`, '{"x":1}'].join("\n"));
    expect(read.map((one) => ("damaged" in one ? one.damaged : `${one.line} ${one.protocol} ${one.kind} ${one.session}`))).toEqual([
      "1 aop event s",
      "it is no JSON",
      "it is JSON, but no object",
      "4 aaep message ",
      "5 aep message ",
      "6 aop event s",
      expect.stringMatching(/^7 /),
    ]);
    expect(read.flatMap((one) => ("text" in one ? [one.atMs] : []))).toEqual([
      1767225601000,
      undefined,
      1767225600000,
      1767225602000,
      undefined,
    ]);
    expect(read[5]).toMatchObject({ text: AOP(2) });
  });

  it("puts an array over several lines on one line each", async () => {
    const read = await all(`[\n${AOP(1).replace(",", ",\n")},\n${AOP(2)}\n]`);
    expect(read).toHaveLength(2);
    for (const one of read) expect("text" in one && one.text).not.toContain("\n");
  });

  it("reads no further than it is asked to", async () => {
    let taken = 0;
    const source = Readable.from(
      (function* () {
        for (;;) {
          taken++;
          yield Buffer.from(`${AOP(1)}\n${AOP(2)}\n`);
        }
      })(),
      { highWaterMark: 1 },
    );
    let parts = 0;
    for await (const part of readPlaylist(source)) {
      expect(part.length).toBeGreaterThan(0);
      if (++parts === 3) break;
    }
    expect(taken).toBeLessThan(12);
  });

  it("gives what was read before it tells that the rest cannot be", async () => {
    const source = Readable.from(
      (async function* () {
        yield Buffer.from(`${AOP(1)}\n${AOP(2)}\n`);
        await new Promise((resolve) => setImmediate(resolve));
        throw Object.assign(new Error("gone"), { code: "EIO" });
      })(),
    );
    const read: PlaylistEntry[] = [];
    const reading = (async () => {
      for await (const part of readPlaylist(source)) read.push(...part);
    })();
    await expect(reading).rejects.toMatchObject({ problem: { code: "FILE_UNREADABLE" } });
    expect(read).toHaveLength(2);
  });
});
