import { connect, type Socket } from "node:net";

/** The shared read buffer of all listeners of a process: each consumes it before the next read, so it stays in the processor's cache. */
const READ = Buffer.allocUnsafe(256 * 1024);

/** One listener at `/api/live` without an SSE client, because many share a process. */
export interface Listening {
  /** Fulfilled by the hub's first frame. */
  readonly joined: Promise<void>;
  close(): void;
}

export interface ListenOptions {
  readonly port: number;
  readonly token: string;
  /** Receives the stream without the response head. */
  readonly handle: (bytes: Buffer) => void;
  readonly closed?: () => void;
}

export function listenLive({ port, token, handle: hear, closed }: ListenOptions): Listening {
  let socket: Socket | undefined;
  const joined = new Promise<void>((resolve, reject) => {
    let begun = false;
    const callback = (count: number, buffer: Uint8Array): boolean => {
      const bytes = (buffer as Buffer).subarray(0, count);
      if (begun) hear(bytes);
      else if (bytes.toString("latin1", 9, 12) === "200") {
        begun = true;
        resolve();
      } else reject(new Error(`/api/live: ${bytes.toString("latin1", 0, 200)}`));
      return true;
    };
    socket = connect({ host: "127.0.0.1", port, onread: { buffer: READ, callback } }, () => {
      socket?.write(
        `GET /api/live HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nAccept: text/event-stream\r\n\r\n`,
      );
    });
    socket.once("error", reject);
    socket.once("close", () => closed?.());
  });
  return { joined, close: () => socket?.destroy() };
}

/** Splits a stream into the data of its events. */
export function frameReader(heard: (data: string) => void): (bytes: Buffer) => void {
  let rest = "";
  return (bytes) => {
    const frames = (rest + bytes.toString("latin1")).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      const at = frame.indexOf("\ndata: ");
      if (at >= 0) heard(frame.slice(at + 7));
    }
  };
}
