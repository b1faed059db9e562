import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { hubHomeOf, startHub } from "@earshot/hub";
import type { CommandIo } from "@earshot/terminal/io";
import type { ViewPorts } from "../view-reader.ts";

/** A whole hub in its own folder, and commands that read from it. */
export interface StoryHub extends AsyncDisposable {
  readonly url: string;
  readonly ports: ViewPorts;
  /** Sends events, waits for the views, and returns the last position. */
  say(...events: readonly object[]): Promise<number>;
  run(command: Command, ...argv: readonly string[]): Promise<CommandOutput>;
}

export interface CommandOutput {
  readonly code: number;
  readonly out: string;
  readonly lines: readonly string[];
}

type Command = (argv: readonly string[], io: CommandIo, ports: ViewPorts & { readonly signal: AbortSignal }) => Promise<number>;

export async function openStoryHub(): Promise<StoryHub> {
  const folder = mkdtempSync(join(tmpdir(), "earshot-telling-"));
  const home = hubHomeOf({ EARSHOT_HOME: folder });
  const hub = await startHub({ home, version: "0.0.0", port: 0 });
  const headers = { authorization: `Bearer ${readFileSync(home.viewerToken, "utf8").trim()}` };
  const ports = { open: async () => ({ url: hub.url, headers }), now: Date.now, signal: new AbortController().signal };
  return {
    url: hub.url,
    ports,
    async say(...events) {
      const body = events.map((event) => JSON.stringify(event)).join("\n");
      const response = await fetch(`${hub.url}/v1/events`, {
        method: "POST",
        headers: { "content-type": "application/x-ndjson" },
        body,
      });
      const { last, refused, problems } = (await response.json()) as { last: number; refused: number; problems: readonly unknown[] };
      if (refused > 0) throw new Error(`Refused: ${JSON.stringify(problems)}`);
      await (await fetch(`${hub.url}/api/sessions?limit=1&wait=${last}`, { headers })).json();
      return last;
    },
    async run(command, ...argv) {
      let out = "";
      const io: CommandIo = {
        stdin: Readable.from([]),
        out: (text) => {
          out += text;
        },
        err: () => {},
        terminal: { out: false, err: false, colour: false, width: 0 },
      };
      const code = await command(argv, io, ports);
      return { code, out, lines: out.split("\n").slice(0, -1) };
    },
    async [Symbol.asyncDispose]() {
      await hub.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Events of one AOP session, numbered as they come. */
export function aopSessionEvents(id: string, agent = "helper") {
  let sequence = 0;
  return (type: string, payload: object = {}, envelope: object = {}): object => {
    sequence++;
    const timestamp = new Date(Date.UTC(2026, 10, 15, 13, 0, sequence)).toISOString();
    return { spec: "aop/1.0", session_id: id, agent_id: agent, sequence, timestamp, type, payload, ...envelope };
  };
}
