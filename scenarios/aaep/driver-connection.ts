import type { JsonObject } from "@earshot/protocol";

/** One connection of the driver. */
export interface DriverConnection extends AsyncDisposable {
  /** Throws when the producer answers with an error, which fails the running scenario. */
  send(message: JsonObject): Promise<void>;
  /** The next item; undefined on timeout. */
  next(ms: number): Promise<JsonObject | undefined>;
}

/** `GET B/events`, opened once without waiting, and `POST B/messages`. Only lines that begin with `data: ` are read. */
export function connectHttp(base: string): DriverConnection {
  const items = new Items();
  const abort = new AbortController();
  void read();

  async function read(): Promise<void> {
    try {
      const response = await fetch(`${base}/events`, { headers: { accept: "text/event-stream" }, signal: abort.signal });
      const decoder = new TextDecoder();
      let rest = "";
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) if (line.startsWith("data: ")) items.push(JSON.parse(line.slice(6)) as JsonObject);
      }
    } catch {
      // End of the drive: missing items show as silence.
    }
  }

  return {
    async send(message) {
      const response = await fetch(`${base}/messages`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(message),
      });
      await response.text();
      if (response.status >= 400)
        throw new Error(`The producer answers ${String(message["type"] ?? message["kind"])} with ${response.status}.`);
    },
    next: (ms) => items.next(ms),
    async [Symbol.asyncDispose]() {
      abort.abort();
    },
  };
}

/** As `connectHttp`, over one WebSocket without a subprotocol. */
export async function connectWebSocket(url: string): Promise<DriverConnection> {
  const items = new Items();
  const socket = new WebSocket(url);
  socket.addEventListener("message", ({ data }) => items.push(JSON.parse(String(data)) as JsonObject));
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error(`${url} does not take the connection.`)));
  });
  return {
    async send(message) {
      socket.send(JSON.stringify(message));
    },
    next: (ms) => items.next(ms),
    async [Symbol.asyncDispose]() {
      socket.close();
    },
  };
}

class Items {
  readonly #items: JsonObject[] = [];
  #wake: (() => void) | undefined;

  push(item: JsonObject): void {
    this.#items.push(item);
    this.#wake?.();
  }

  async next(ms: number): Promise<JsonObject | undefined> {
    if (this.#items.length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#items.shift();
  }
}
