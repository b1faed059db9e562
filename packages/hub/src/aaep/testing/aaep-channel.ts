import { connect, type Socket } from "node:net";
import type { JsonObject } from "@earshot/protocol";
import { WebSocket } from "ws";
import type { AaepClientHeaders } from "./aaep-client.ts";

/** A duplex channel to a producer, recording everything received. */
export class AaepChannel implements AsyncDisposable {
  readonly heard: JsonObject[] = [];
  /** The close code; undefined while open. */
  closed: number | undefined;
  readonly #send: (text: string) => void;
  readonly #close: () => void;
  readonly #waiting = new Set<() => void>();

  private constructor(send: (text: string) => void, close: () => void) {
    this.#send = send;
    this.#close = close;
  }

  static async webSocket(url: string, headers: AaepClientHeaders, protocols: readonly string[] = ["aaep.v1"]): Promise<AaepChannel> {
    const socket = new WebSocket(`${url.replace("http", "ws")}/aaep/v1/ws`, [...protocols], { headers });
    const channel = new AaepChannel(
      (text) => socket.send(text),
      () => socket.close(),
    );
    socket.on("message", (data) => channel.#handle(String(data)));
    socket.on("close", (code) => channel.#end(code));
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    return channel;
  }

  static async socket(path: string): Promise<AaepChannel> {
    const socket: Socket = connect(path);
    const channel = new AaepChannel(
      (text) => {
        const length = Buffer.alloc(4);
        length.writeUInt32BE(Buffer.byteLength(text));
        socket.write(Buffer.concat([length, Buffer.from(text)]));
      },
      () => socket.end(),
    );
    let rest: Buffer = Buffer.alloc(0);
    socket.on("data", (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes]);
      while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE()) {
        const end = 4 + rest.readUInt32BE();
        channel.#handle(rest.subarray(4, end).toString());
        rest = rest.subarray(end);
      }
    });
    socket.on("close", () => channel.#end(0));
    await new Promise((resolve, reject) => socket.once("connect", () => resolve(undefined)).once("error", reject));
    return channel;
  }

  get events(): readonly JsonObject[] {
    return this.heard.filter((one) => "event_id" in one && "session_id" in one);
  }

  say(message: object): void {
    this.#send(JSON.stringify(message));
  }

  async until(holds: (channel: AaepChannel) => boolean, timeoutMs = 20_000): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!holds(this)) {
      if (performance.now() > deadline) throw new Error(`Not within ${timeoutMs} ms. There came: ${JSON.stringify(this.heard)}`);
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          this.#waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, 100);
        this.#waiting.add(done);
      });
    }
  }

  async find(is: (message: JsonObject) => boolean): Promise<JsonObject> {
    await this.until(({ heard }) => heard.some(is));
    const found = this.heard.find(is);
    if (found === undefined) throw new Error("It was there.");
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#close();
    await this.until(({ closed }) => closed !== undefined);
  }

  #handle(text: string): void {
    this.heard.push(JSON.parse(text) as JsonObject);
    for (const wake of [...this.#waiting]) wake();
  }

  #end(code: number): void {
    this.closed = code;
    for (const wake of [...this.#waiting]) wake();
  }
}
