import { AUTHORISED } from "./live-hub.ts";

export interface ReceivedSse {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

/** Parses server-sent events by the standard and records what a page would see. */
export class SseClient implements Disposable {
  readonly messages: ReceivedSse[] = [];
  readonly comments: string[] = [];
  lastId = "";
  ended = false;
  readonly #abort = new AbortController();

  static async connect(url: string, headers: Readonly<Record<string, string>> = {}): Promise<SseClient> {
    const client = new SseClient();
    const response = await fetch(url, { headers: { ...AUTHORISED, ...headers }, signal: client.#abort.signal });
    if (response.status !== 200 || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
    void client.#read(response.body);
    return client;
  }

  get positions(): readonly number[] {
    return this.messages.filter(({ event }) => event === "message").map(({ id }) => Number(id));
  }

  close(): void {
    this.#abort.abort();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for await (const chunk of body) {
        const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) this.#take(block.split("\n"));
      }
    } catch {
      // The test has closed the connection.
    }
    this.ended = true;
  }

  #take(lines: readonly string[]): void {
    let event = "message";
    const data: string[] = [];
    for (const line of lines) {
      const [name = "", value = ""] = line.split(/: ?(.*)/s);
      if (name === "") this.comments.push(value);
      if (name === "event") event = value;
      if (name === "id") this.lastId = value;
      if (name === "data") data.push(value);
    }
    if (data.length > 0) this.messages.push({ event, id: this.lastId, data: data.join("\n") });
  }
}
