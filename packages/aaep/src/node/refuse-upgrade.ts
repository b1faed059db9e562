import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { PROBLEMS, type Problem } from "@earshot/protocol";

/** Before the upgrade, a problem is answered as over HTTP. */
export function refuseUpgrade(socket: Duplex, problem: Problem): void {
  const { status, help } = PROBLEMS[problem.code];
  const body = JSON.stringify({ error: problem.message, ...problem, hint: problem.hint ?? help });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "cache-control: no-store",
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}
