import { connect, type Socket } from "node:net";

const READ_BYTES = 256 * 1024;

export interface StreamOptions {
  readonly port: number;
  readonly path: string;
  readonly token: string;
  /** The data of one frame, and whether it had an id. */
  readonly heard: (data: string, hasId: boolean) => void;
  readonly closed: () => void;
}

/** One event stream, without an SSE client: hundreds of them share a process. Resolves when the server has answered. */
export function openStream({ port, path, token, heard, closed }: StreamOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let begun = false;
    let rest = "";
    const callback = (count: number, buffer: Uint8Array): boolean => {
      const text = (buffer as Buffer).toString("latin1", 0, count);
      if (!begun && text.slice(9, 12) !== "200") {
        reject(new Error(`${path}: ${text.slice(0, 200)}`));
        return false;
      }
      if (!begun) resolve(socket);
      begun = true;
      const frames = (rest + text).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) {
        const at = frame.indexOf("data: ");
        if (at < 0) continue;
        const data = frame.slice(at + 6);
        heard(/[\u0080-\u00ff]/.test(data) ? Buffer.from(data, "latin1").toString() : data, frame.lastIndexOf("id: ", at) >= 0);
      }
      return true;
    };
    const socket = connect({ host: "127.0.0.1", port, noDelay: true, onread: { buffer: Buffer.allocUnsafe(READ_BYTES), callback } }, () => {
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nAccept: text/event-stream\r\n\r\n`,
      );
    });
    socket.once("error", reject);
    socket.once("close", closed);
  });
}
