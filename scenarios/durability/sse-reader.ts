import { connect, type Socket } from "node:net";

export interface ReaderOptions {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Called with every event's position and data. */
  readonly onEvent: (position: number, data: string) => void;
}

/** A listener of `/api/live` that can stop reading. Uses a plain socket, because an HTTP client would read ahead. */
export class SseReader {
  /** The last read position, from which to resume. */
  last: number;
  /** The resume position in the hub's farewell, if it sent one. */
  farewell: number | undefined;
  readonly #options: ReaderOptions;
  #socket: Socket | undefined;
  #rest = "";
  #isInBody = false;

  constructor(options: ReaderOptions, after: number) {
    this.#options = options;
    this.last = after;
  }

  /** Connects or reconnects from the last position. With `reads: false` it never reads a byte. */
  async open({ reads }: { readonly reads: boolean }): Promise<void> {
    const { port, headers } = this.#options;
    const socket = connect({ port, host: "127.0.0.1" });
    this.#socket = socket;
    this.#rest = "";
    this.#isInBody = false;
    socket.on("error", () => {}); // a connection that breaks is closed next
    await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
    const lines = Object.entries({ host: `127.0.0.1:${port}`, "last-event-id": String(this.last), ...headers });
    socket.write(`GET /api/live HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
    if (reads) this.read();
  }

  /** Starts reading. */
  read(): void {
    this.#socket?.on("data", (chunk: Buffer) => this.#take(chunk.toString("utf8")));
  }

  /** Fulfills when everything up to the position was read; reconnects as often as the hub closes. */
  async readUpTo(position: number): Promise<void> {
    for (;;) {
      const ended = await new Promise<boolean>((resolve) => {
        const look = () => this.last >= position && finish(false);
        const finish = (value: boolean) => {
          clearInterval(timer);
          resolve(value);
        };
        const timer = setInterval(look, 5);
        if (this.#socket?.destroyed !== false) finish(true);
        else this.#socket.once("close", () => finish(this.last < position));
      });
      if (!ended) return;
      await this.open({ reads: true });
    }
  }

  close(): void {
    this.#socket?.destroy();
  }

  #take(text: string): void {
    let rest = this.#rest + text;
    if (!this.#isInBody) {
      const end = rest.indexOf("\r\n\r\n");
      if (end < 0) {
        this.#rest = rest;
        return;
      }
      if (!rest.startsWith("HTTP/1.1 200")) throw new Error(`A listener was answered ${rest.slice(0, 300)}`);
      this.#isInBody = true;
      rest = rest.slice(end + 4);
    }
    const frames = rest.split("\n\n");
    this.#rest = frames.pop() ?? "";
    for (const frame of frames) this.#handle(frame);
  }

  #handle(frame: string): void {
    const id = /^id: (\d+)$/m.exec(frame)?.[1];
    const data = /^data: (.*)$/m.exec(frame)?.[1];
    if (id === undefined || data === undefined) return;
    const kind = /^event: (.*)$/m.exec(frame)?.[1];
    if (kind === "closed") this.farewell = Number(id);
    this.last = Number(id);
    if (kind === undefined) this.#options.onEvent(this.last, data);
  }
}
