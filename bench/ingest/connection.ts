import { connect, type Socket } from "node:net";

export interface Answer {
  readonly status: number;
  readonly body: string;
}

const READ_BYTES = 256 * 1024;

/**
 * A keep-alive connection that sends prepared bytes and passes on each answer. Not an HTTP client: on two cores the generator must cost
 * little, or a slow client would look like a slow hub.
 */
export class Connection {
  readonly #socket: Socket;
  #rest = "";
  #waiting: ((answer: Answer) => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const buffer = Buffer.allocUnsafe(READ_BYTES);
      const callback = (count: number, bytes: Uint8Array): boolean => {
        connection.#read((bytes as Buffer).toString("latin1", 0, count));
        return true;
      };
      const socket = connect({ host: "127.0.0.1", port, noDelay: true, onread: { buffer, callback } }, () => resolve(connection));
      const connection = new Connection(socket);
      socket.once("error", (error) => {
        reject(error);
        connection.#fail(error);
      });
      socket.once("close", () => connection.#fail(new Error(`The server on port ${port} closed the connection.`)));
    });
  }

  /** One request at a time; calls `answered` with its answer. */
  send(request: Buffer, answered: (answer: Answer) => void, failed: (error: Error) => void): void {
    this.#waiting = answered;
    this.#failed = failed;
    this.#socket.write(request);
  }

  close(): void {
    this.#failed = undefined;
    this.#socket.destroy();
  }

  #read(text: string): void {
    const said = this.#rest === "" ? text : this.#rest + text;
    const end = said.indexOf("\r\n\r\n");
    if (end < 0) {
      this.#rest = said;
      return;
    }
    const head = said.slice(0, end);
    const length = /\r\ncontent-length: (\d+)/i.exec(head);
    if (length === null) {
      this.#fail(new Error(`An answer without a length: ${head}`));
      return;
    }
    if (said.length < end + 4 + Number(length[1])) {
      this.#rest = said;
      return;
    }
    this.#rest = "";
    this.#waiting?.({ status: Number(head.slice(9, 12)), body: said.slice(end + 4) });
  }

  #fail(error: Error): void {
    this.#failed?.(error);
    this.#failed = undefined;
  }
}

export interface RequestOptions {
  readonly port: number;
  readonly path: string;
  readonly type?: string;
}

/** Complete requests with head and body in one buffer, prepared before measuring. */
export function toRequests(bodies: readonly Buffer[], { port, path, type = "application/json" }: RequestOptions): readonly Buffer[] {
  const start = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: ${type}\r\nContent-Length: `;
  return bodies.map((body) => Buffer.concat([Buffer.from(`${start}${body.length}\r\n\r\n`), body]));
}
