import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A connection on which a test writes whatever bytes it likes. */
export interface RawConnection extends Disposable {
  readonly socket: Socket;
  write(bytes: string | Buffer): void;
  /** Everything that was answered so far. */
  readonly heard: string;
  /** Fulfils when the answer holds the text, or the other side has closed; with everything answered until then. */
  until(text: string): Promise<string>;
  /** Fulfils when the other side has closed, with everything it said. */
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

/** The head of a request that posts events; more lines may be given, or replace the usual ones. */
export function postHead(port: number, lines: readonly string[], url = "/v1/events"): string {
  const usual = [`Host: 127.0.0.1:${port}`, "Content-Type: application/json"];
  const isGiven = (line: string) => lines.some((one) => one.split(":", 1)[0] === line.split(":", 1)[0]);
  return [`POST ${url} HTTP/1.1`, ...usual.filter((line) => !isGiven(line)), ...lines, "", ""].join("\r\n");
}
