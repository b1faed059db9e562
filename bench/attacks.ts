import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startHub } from "./ingest/child.ts";
import { Connection } from "./ingest/connection.ts";
import { AopTalk, EventSource } from "./ingest/events.ts";
import { median, number, percentile, printLoad } from "./ingest/figures.ts";

/**
 * Measures how long a producer with a credential waits for its answers while the hub is attacked, beside the same without an attack in
 * the same run. Aim: a p99 at most five times as long.
 */
const { values } = parseArgs({ options: { rounds: { type: "string", default: "3" }, posts: { type: "string", default: "300" } } });
const [rounds, posts] = [Number(values.rounds), Number(values.posts)];
const AT_MOST = 5;

interface Attack extends Disposable {
  readonly name: string;
}

const folder = mkdtempSync(join(tmpdir(), "earshot-bench-attacks-"));
const home = join(folder, "home");
printLoad();
try {
  await using hub = await startHub(home);
  const { port } = hub;
  const token = readFileSync(join(home, "producer.token"), "utf8").trim();
  const talk = new AopTalk(new EventSource());
  await measureP99();
  const attacks: Readonly<Record<string, () => Promise<Attack>>> = {
    "256 bodies of 1 MiB that are only begun": () => flood(256, `${headOf(1024 * 1024)}{`),
    "5,000 connections that never finish a head": () => flood(5000, "GET / HTTP/1.1\r\nHost: "),
    "200 KB of unfinished assignments, again and again": () =>
      repeat(`{"spec":"aop/1.0","type":"x","payload":"${"password=1".repeat(20_000)}("}`),
    "1 MB that is slow to mask, again and again": () =>
      repeat(`{"spec":"aop/1.0","type":"x","payload":"${"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.".repeat(27_000)}"}`),
    "1 MB of a command that is slow to read, in a hook": () =>
      repeat(JSON.stringify({ tool_name: "Bash", tool_input: { command: `echo ${"$(".repeat(400_000)}` }, session_id: "s" }), hookHead),
    "16 bodies of 16 MiB on the socket of hooks that are only begun": () =>
      flood(16, `${headOf(16 * 1024 * 1024)}${"{".padEnd(200_000)}`, join(home, "run", "hub.sock")),
    "a pipe in the spool": () => plantPipe(),
  };
  console.log(`\np99 of ${posts} posts of a producer, median of ${rounds} rounds, with and without an attack in turn:`);
  for (const [name, begin] of Object.entries(attacks)) {
    const ratios: number[] = [];
    let during = 0;
    for (let round = 0; round < rounds; round++) {
      const before = await measureP99();
      using _attack = await begin();
      during = await measureP99();
      ratios.push(during / before);
    }
    const ratio = median(ratios);
    console.log(
      `  ${name.padEnd(52)} ${number(during, 1)} ms, ${number(ratio, 2)} times   aimed at: at most ${AT_MOST}${ratio > AT_MOST ? "  ← above the aim" : ""}`,
    );
  }

  async function measureP99(): Promise<number> {
    const connection = await Connection.open(port);
    const times: number[] = [];
    for (let count = 0; count < posts; count++) {
      const body = talk.say({});
      const head = `POST /events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
      const began = performance.now();
      const { status } = await new Promise<{ readonly status: number }>((resolve, reject) =>
        connection.send(Buffer.concat([Buffer.from(head), body]), resolve, reject),
      );
      if (status !== 200) throw new Error(`The hub answered ${status}.`);
      times.push(performance.now() - began);
      await pause(2);
    }
    connection.close();
    return percentile(Float64Array.from(times).sort(), 0.99);
  }

  function headOf(length: number): string {
    return `POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  }

  function hookHead(length: number): string {
    return `POST /hooks/claude?as=lines&hook=PreToolUse&wait=0 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  }

  async function flood(count: number, text: string, path?: string): Promise<Attack> {
    const sockets: Socket[] = [];
    for (let index = 0; index < count; index++) {
      const socket = (path === undefined ? connect(port, "127.0.0.1") : connect(path)).on("error", () => {});
      socket.write(text);
      sockets.push(socket);
      if (index % 100 === 0) await pause(5);
    }
    await pause(200);
    return {
      name: "flood",
      [Symbol.dispose]: () => {
        for (const socket of sockets) socket.destroy();
      },
    };
  }

  async function repeat(body: string, head: (length: number) => string = headOf): Promise<Attack> {
    let isOver = false;
    const connection = await Connection.open(port);
    const bytes = Buffer.from(head(body.length) + body);
    const again = () => {
      if (!isOver) connection.send(bytes, again, () => {});
    };
    again();
    return {
      name: "repeat",
      [Symbol.dispose]: () => {
        isOver = true;
        connection.close();
      },
    };
  }

  async function plantPipe(): Promise<Attack> {
    const spool = join(home, "spool", "hooks");
    mkdirSync(spool, { recursive: true });
    const path = join(spool, "000000001-00000000.jsonl");
    spawnSync("mkfifo", [path]);
    await pause(1500); // it is looked at every second
    return { name: "pipe", [Symbol.dispose]: () => rmSync(path, { force: true }) };
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
