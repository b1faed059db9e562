import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { EarshotError, PROBLEMS, type Problem } from "@earshot/protocol";
import { VERSION } from "@earshot/terminal/version";
import { closeServer, listenAt, refuseStrangers } from "../listen-at.ts";
import { AopRows } from "./aop-rows.ts";
import { AopStreams } from "./aop-streams.ts";
import type { Stage, StagePorts } from "./receiver.ts";
import type { Playable } from "./recorded.ts";

export interface AopStagePorts extends StagePorts {
  /** The AOP events of the recording from its beginning, as they are played. */
  readonly again: () => AsyncIterable<Playable>;
}

const LOOK_EVERY_MS = 5;
/** Maximum size of one response, in characters. */
const MAX_CHARACTERS = 64 << 20;
const ENDPOINTS = {
  "GET /stream": "AOP events live (SSE)",
  "GET /sessions": "sessions",
  "GET /sessions/:id": "one session with its events",
  "GET /sessions/:id/export": "one session as JSON lines",
  "GET /health": "whether it is up",
};
const READS_ONLY = "This is a replay of a recording: there is nothing to post, and nothing to remove.";

/**
 * Serves a recording as an AOP collector: its stream, and its sessions as far as they were played. The recording is the store: a
 * session's events are read from it again.
 */
export class AopStage implements Stage {
  readonly counts = { stored: 0, known: 0, refused: 0, flagged: 0 };
  readonly repliesIgnored = 0;
  readonly #ports: AopStagePorts;
  readonly #rows = new AopRows();
  readonly #streams: AopStreams;
  readonly #server: Server;
  #origin = "";

  private constructor(ports: AopStagePorts) {
    this.#ports = ports;
    this.#streams = new AopStreams(() => this.#played());
    this.#server = createServer((request, response) => void this.#handle(request, response));
  }

  static async open(ports: AopStagePorts): Promise<AopStage> {
    const stage = new AopStage(ports);
    stage.#origin = await listenAt(stage.#server, ports.serving);
    return stage;
  }

  get name(): string {
    return `the listeners at ${this.url}/stream`;
  }

  get url(): string {
    return this.#origin;
  }

  get listeners(): number {
    return this.#streams.size;
  }

  takes({ protocol, kind }: Playable): boolean {
    return protocol === "aop" && kind === "event";
  }

  add(recorded: Playable): void {
    this.counts.stored++;
    this.#rows.hear(recorded);
    this.#streams.tell(recorded.text, this.counts.stored);
  }

  /** Playback waits for slow listeners, and until there is a listener if one is required: a recording has no deadline. */
  get isFull(): boolean {
    return this.#streams.isBehind || (this.#streams.size === 0 && this.#ports.serving.waitFor > 0);
  }

  async flush(): Promise<void> {
    if (this.isFull && this.listeners === 0) this.#ports.onAlone();
    while (this.isFull && !this.#ports.signal.aborted) await pause(LOOK_EVERY_MS);
  }

  async settle(): Promise<void> {
    while (this.#streams.isBehind && !this.#ports.signal.aborted) await pause(LOOK_EVERY_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#streams.close();
    await closeServer(this.#server);
  }

  /** Reads the events played so far again. */
  async *#played(): AsyncGenerator<Playable> {
    const upTo = this.counts.stored;
    let heard = 0;
    if (upTo === 0) return;
    for await (const recorded of this.#ports.again()) {
      yield recorded;
      if (++heard >= upTo) return;
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { host, origins } = this.#ports.serving;
      refuseStrangers(request, { host, origins, who: "This replay" });
      if (request.method !== "GET" && request.method !== "HEAD")
        throw new EarshotError({ code: "METHOD_NOT_ALLOWED", message: READS_ONLY });
      await this.#answer(request, response);
    } catch (error) {
      const problem = EarshotError.is(error) ? error.problem : ({ code: "INTERNAL", message: "The recording cannot be read." } as const);
      if (response.headersSent) response.destroy();
      else refuse(response, problem);
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ""] = (request.url ?? "").split("?", 1);
    const [, id = "", exported] = /^\/sessions\/([^/]+)(\/export)?$/.exec(path) ?? [];
    if (path === "/") send(response, { name: "Earshot replay", version: VERSION, spec: "aop/1.0", endpoints: ENDPOINTS });
    else if (path === "/health") send(response, { ok: true, version: VERSION, subscribers: this.listeners });
    else if (path === "/stream") await this.#streams.open(request, response);
    else if (path === "/sessions") send(response, { sessions: this.#rows.list() });
    else if (id === "") throw new EarshotError({ code: "NOT_FOUND", message: "There is nothing at this address." });
    else await this.#session(decoded(id), exported !== undefined, response);
  }

  async #session(id: string, isExported: boolean, response: ServerResponse): Promise<void> {
    const session = this.#rows.get(id);
    if (session === undefined && !isExported) throw new EarshotError({ code: "NOT_FOUND", message: "No such session was played so far." });
    const events = session === undefined ? [] : await this.#eventsOf(id);
    if (!isExported) return send(response, { session, events: events.map(({ value }) => value), alerts: [] });
    response.writeHead(200, {
      "content-type": "application/x-ndjson",
      "content-disposition": `attachment; filename="session-${id.replaceAll(/[^A-Za-z0-9_.-]/g, "_")}.jsonl"`,
    });
    response.end(events.map(({ text }) => text).join("\n"));
  }

  /** Ordered by sequence, as in a collector. */
  async #eventsOf(id: string): Promise<readonly Playable[]> {
    const events: Playable[] = [];
    let characters = 0;
    for await (const recorded of this.#played()) {
      if (recorded.session !== id) continue;
      characters += recorded.text.length;
      if (characters > MAX_CHARACTERS) throw new EarshotError({ code: "TOO_LARGE", message: "The session is too long for one answer." });
      events.push(recorded);
    }
    return events.sort((a, b) => Number(a.value["sequence"]) - Number(b.value["sequence"]) || 0);
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // no session has such an id
  }
}

function send(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(body));
}

/** Clients of a collector read the member `error`. */
function refuse(response: ServerResponse, problem: Problem): void {
  send(response, { error: problem.message, ...problem }, PROBLEMS[problem.code].status);
}
