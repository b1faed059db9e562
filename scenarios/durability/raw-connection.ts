import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A connection on which a test writes arbitrary bytes. */
export interface RawConnection extends Disposable {
  readonly socket: Socket;
  write(bytes: string | Buffer): void;
  /** Everything received so far. */
  readonly heard: string;
  /** Fulfills with everything received once it contains the text or the connection is closed. */
  until(text: string): Promise<string>;
  /** Fulfills with everything received when the connection is closed. */
  closed(): Promise<string>;
}

export async function openRaw(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  let heard = "";
  let isClosed = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const one of [...waiting]) one();
  };
  socket.on("data", (chunk: Buffer) => {
    heard += chunk.toString("latin1");
    wake();
  });
  socket.on("error", () => {}); // a reset is one way of closing, and that is listened to
  socket.on("close", () => {
    isClosed = true;
    wake();
  });
  const wait = (isEnough: () => boolean) =>
    new Promise<string>((resolve) => {
      const look = () => {
        if (!isClosed && !isEnough()) return;
        waiting.delete(look);
        resolve(heard);
      };
      waiting.add(look);
      look();
    });
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    get heard() {
      return heard;
    },
    until: (text) => wait(() => heard.includes(text)),
    closed: () => wait(() => false),
    [Symbol.dispose]: () => socket.destroy(),
  };
}

/** The head of a request that posts events, with additional or replaced lines. */
export function postHead(port: number, lines: readonly string[], url = "/v1/events"): string {
  const usual = [`Host: 127.0.0.1:${port}`, "Content-Type: application/json"];
  const isGiven = (line: string) => lines.some((one) => one.split(":", 1)[0] === line.split(":", 1)[0]);
  return [`POST ${url} HTTP/1.1`, ...usual.filter((line) => !isGiven(line)), ...lines, "", ""].join("\r\n");
}
