import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EARSHOT } from "../../../../tools/built-command.ts";
import { type OwnHub, ownHub } from "../inbox/testing/own-hub.ts";
import { main } from "../main.ts";

let own: OwnHub;
beforeAll(async () => {
  own = await ownHub();
});
afterAll(() => own[Symbol.asyncDispose]());

async function run(...words: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  let [out, err] = ["", ""];
  const terminal = { out: false, err: false, colour: false, width: 0 };
  const code = await main(["demo", ...words], {
    stdin: Readable.from([]),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    terminal,
  });
  return { code, out, err };
}

it("explains itself in lines that fit", async () => {
  const { code, out } = await run("--help");
  expect(code).toBe(0);
  expect(out).toMatch(/^Usage: earshot demo /);
  expect(out.split("\n").filter((line) => line.length > 130)).toEqual([]);
});

it.each(["0", "-1", "fast", "", "1e9", "NaN"])("does not play at a speed of %j", async (speed) => {
  expect(await run(`--speed=${speed}`)).toEqual({ code: 2, out: "", err: expect.stringContaining("from 0.1 to 1000") });
});

it("plays nothing where no hub runs", async () => {
  const { EARSHOT_HOME, EARSHOT_URL } = process.env;
  Object.assign(process.env, { EARSHOT_HOME: resolve(own.home, "nowhere"), EARSHOT_URL: "" });
  try {
    expect(await run()).toEqual({ code: 2, out: "", err: expect.stringContaining("earshot start") });
  } finally {
    restore({ EARSHOT_HOME, EARSHOT_URL });
  }
});

it("plays as fast as it is told to, says what goes on and where to look, and waits for a person", async () => {
  const { child, shown } = startDemo("--speed", "1000");
  const request = await askedBy(shown);
  await own.decide(`/api/requests/${request.id}/answer`, { digest: request.digest, answer: "allow" });
  expect((await once(child, "close"))[0]).toBe(0);
  const lines = shown().trimEnd().split("\n");
  expect(lines[0]).toBe(
    `Playing into the hub at ${own.hub.url}. Watch it at ${own.hub.url}/ui/, or in another terminal with earshot tail.`,
  );
  expect(lines.slice(1, -1).filter((line) => !/^\d+:\d\d {2}\S.*\.$/.test(line))).toEqual([]);
  expect(lines.at(-1)).toMatch(/^The demo is over\./);
});

it("can be broken off: what was told stays, and nothing is waited for any more", async () => {
  const { child, shown } = startDemo("--speed", "1000");
  const { id } = await askedBy(shown);
  child.kill("SIGINT");
  expect((await once(child, "close"))[0]).toBe(0);
  expect(shown()).toMatch(/\nStopped\. The events that were sent stay in the ledger\.\n$/);
  expect(await own.read(`/api/requests/${id}`)).toMatchObject({ state: "open" });
});

interface Asked {
  readonly id: string;
  readonly digest: string;
}

function startDemo(...words: readonly string[]) {
  const env = { ...process.env, EARSHOT_HOME: own.home, EARSHOT_URL: "" };
  const child = spawn(process.execPath, [EARSHOT, "demo", ...words], { env, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { child, shown: () => text };
}

/** The request the story waits for. */
async function askedBy(shown: () => string): Promise<Asked> {
  for (;;) {
    const { requests } = (await own.read("/api/requests?state=open")) as unknown as { readonly requests: readonly Asked[] };
    const [request] = requests;
    if (request !== undefined && shown().includes("waits for you")) return request;
    await new Promise((done) => setTimeout(done, 50));
  }
}

function restore(before: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
}
