import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { EarshotError } from "@earshot/protocol";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readBytes } from "./read-body.ts";

const until = (holds: () => void) => vi.waitFor(holds, { timeout: 20_000, interval: 5 });
const told: string[] = [];
/** Emits `data` whenever a part of a body arrives. */
const arrivals = new EventEmitter();
const server = createServer((request, response) => {
  request.on("data", () => arrivals.emit("data"));
  readBytes(request, 10, request.url === "/hasty" ? 100 : undefined).then(
    (body) => {
      told.push(body.toString());
      response.end("taken");
    },
    (error: unknown) => {
      told.push(EarshotError.is(error) ? error.problem.code : String(error));
      response.end("refused");
    },
  );
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A connection, its received data, and the start of a body of this length. */
function open() {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let heard = "";
  socket.on("data", (chunk) => {
    heard += String(chunk);
  });
  const post = (length: number, body: string, path = "/") =>
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${body}`);
  const hears = (text: string) => until(() => expect(heard.split("\r\n\r\n").at(-1)).toContain(text));
  return { socket, post, hears };
}

describe("a body", () => {
  it("is read whole, however it arrives, also when it is empty", async () => {
    const { socket, post, hears } = open();
    const arrived = once(arrivals, "data");
    post(7, "one");
    await arrived;
    socket.write(" two");
    await hears("taken");
    post(0, "");
    await until(() => expect(told).toEqual(["one two", ""]));
    socket.destroy();
  });

  it("that is too long is refused, and its sender hears so and may go on", async () => {
    const { socket, post, hears } = open();
    post(3000, "x".repeat(1000));
    await hears("refused");
    socket.write("x".repeat(2000));
    post(3, "one");
    await hears("taken");
    expect(told.slice(2)).toEqual(["TOO_LARGE", "one"]);
    socket.destroy();
  });

  it("that never comes to an end is cut off, also when it was refused for its length", async () => {
    for (const [body, hears] of [
      ["x".repeat(1000), "refused"],
      ["x", ""],
    ] as const) {
      const one = open();
      const closed = once(one.socket, "close");
      one.post(3000, body, "/hasty");
      await one.hears(hears);
      await closed;
    }
    expect(told.slice(4)).toEqual(["TOO_LARGE", "BODY_TIMEOUT"]);
  });

  it("that is cut off is given up", async () => {
    const { socket, post } = open();
    const arrived = once(arrivals, "data");
    post(7, "one");
    await arrived;
    socket.destroy();
    await until(() => expect(told.slice(6)).toEqual(["BODY_TIMEOUT"]));
  });
});
