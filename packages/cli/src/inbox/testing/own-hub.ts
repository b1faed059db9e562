import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { EARSHOT } from "../../../../../tools/built-command.ts";
import { callJson as call, prepareAdmin, TEST_PIN, unlockWithPin } from "../../../../hub/src/access/testing/test-device.ts";
import { hubHomeOf } from "../../../../hub/src/home.ts";
import { startHub } from "../../../../hub/src/hub.ts";
import type { RunningHubHandle } from "../../../../hub/src/hub-options.ts";
import { temporaryTestFolder } from "../../../../hub/src/ledger/testing/temporary-folder.ts";
import { earshotInTerminal, type Pty } from "./pty.ts";

type Headers = Readonly<Record<string, string>>;
type Body = Readonly<Record<string, unknown>>;

export const PIN = TEST_PIN;

/** A hub with a PIN, an agent that asks it, and the user's terminal. */
export interface OwnHub extends AsyncDisposable {
  readonly hub: RunningHubHandle;
  readonly home: string;
  readonly policy: string;
  readonly producer: Headers;
  readonly viewer: Headers;
  /** A hook asks about a command; returns the request's id. */
  ask(input?: object, more?: object, query?: string): Promise<string>;
  /** The agent's answer. */
  heard(id: string): Promise<Body>;
  /** Sends events as a producer. */
  say(...events: readonly object[]): Promise<void>;
  read(path: string): Promise<Body>;
  /** Another approver. */
  decide(path: string, body: object): Promise<Body>;
  asApprover(path: string): Promise<Body>;
  /** Runs a command at a terminal. */
  terminal(...words: readonly string[]): Pty;
  /** The same, entering the PIN when asked. */
  run(words: readonly string[], ...typed: readonly string[]): Promise<{ readonly code: number; readonly shown: string }>;
  /** Runs a command without a terminal, like an agent's shell. */
  plain(
    words: readonly string[],
    input?: string,
  ): Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }>;
}

export async function ownHub(): Promise<OwnHub> {
  const folder = temporaryTestFolder();
  const home = hubHomeOf({ EARSHOT_HOME: folder.file("home") });
  await prepareAdmin(home);
  const hub = await startHub({ home, version: "0.0.0", port: 0 });
  const file = (path: string) => ({ authorization: `Bearer ${readFileSync(path, "utf8").trim()}` });
  const [producer, viewer] = [file(home.producerToken), file(home.viewerToken)];
  const approver = () => unlockWithPin(hub.url, viewer);
  let count = 0;
  const waiting = new Map<string, Promise<Body>>();
  const closing = new AbortController();
  /** Polls like a waiting hook. */
  const wait = async (id: string): Promise<Body> => {
    while (!closing.signal.aborted) {
      const answer = await call(hub.url, `/aep/v1/hooks/${id}?wait=1000`, undefined, producer).catch(() => undefined);
      if (answer?.["waits"] === false) return answer["response"] as Body;
    }
    return {};
  };
  const terminal = (...words: readonly string[]) => earshotInTerminal(words, { home: home.folder });
  return {
    hub,
    home: home.folder,
    policy: home.policy,
    producer,
    viewer,
    async ask(input = { command: "npm test" }, more = {}, query = "asks=1&dialog=1") {
      count++;
      const event = {
        aep_version: "0.1",
        id: `evt_${count}`,
        type: "action.requested",
        time: new Date().toISOString(),
        agent: { slug: "claude" },
        session: { id: "session-1" },
        workspace: { cwd: "/home/ana/shop" },
        action: { type: "tool_call", id: `call_${count}`, input },
        tool: { name: "Bash", type: "native" },
        ...more,
      };
      const asked = await call(hub.url, `/aep/v1/hooks?${query}&wait=1`, event, producer);
      const id = String(asked["request"]);
      waiting.set(id, asked["waits"] === true ? wait(id) : Promise.resolve(asked["response"] as Body));
      return id;
    },
    heard: (id) => waiting.get(id) ?? Promise.reject(new Error("Nobody asked that.")),
    async say(...events) {
      for (const event of events) await call(hub.url, "/v1/events", event, producer);
    },
    read: (path) => call(hub.url, path, undefined, viewer),
    decide: async (path, body) => call(hub.url, path, body, await approver()),
    asApprover: async (path) => call(hub.url, path, undefined, await approver()),
    terminal,
    async run(words, ...typed) {
      await using pty = terminal(...words);
      for (const text of typed) {
        await pty.waitFor(/: $/);
        pty.type(`${text}\r`);
      }
      return { code: await pty.ended, shown: pty.shown() };
    },
    async plain(words, input = "") {
      const env = { ...process.env, EARSHOT_HOME: home.folder, EARSHOT_URL: hub.url, EARSHOT_PIN: PIN };
      const child = spawn(process.execPath, [EARSHOT, ...words], { env, stdio: ["pipe", "pipe", "pipe"] });
      let [stdout, stderr] = ["", ""];
      child.stdout.on("data", (chunk: Buffer) => {
        stdout += chunk.toString();
      });
      child.stderr.on("data", (chunk: Buffer) => {
        stderr += chunk.toString();
      });
      child.stdin.end(input);
      const [status] = (await once(child, "close")) as [number | null];
      return { status, stdout, stderr };
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await hub.close();
      await Promise.all(waiting.values());
      folder[Symbol.dispose]();
    },
  };
}
