import { STATUS_CODES } from "node:http";
import type { Answer } from "./answer.ts";
import { ANSWER_HEADERS } from "./app.ts";

const HEADERS = Object.entries(ANSWER_HEADERS)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join("");

/** An answer in HTTP/1.1, as the router and `node:http` would write it. The latter's `Keep-Alive` tells how long it waits. */
export function writePlainAnswer(
  { status, headers, body }: Answer,
  keepAliveMs: number | "close",
): { readonly text: string; readonly isAscii: boolean } {
  const bytes = Buffer.byteLength(body);
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (const name in headers) text += `${name}: ${headers[name]}\r\n`;
  text += `${HEADERS}content-length: ${bytes}\r\nDate: ${dateNow()}\r\n`;
  text +=
    keepAliveMs === "close" ? "Connection: close\r\n\r\n" : `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n\r\n`;
  return { text: text + body, isAscii: bytes === body.length };
}

let second = 0;
let date = "";

/** Made anew once in a second. */
function dateNow(): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    date = new Date(now * 1000).toUTCString();
  }
  return date;
}
