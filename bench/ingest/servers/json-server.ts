import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Said {
  readonly text: string;
  /** Undefined when the body was not parsed. */
  readonly type: string | undefined;
}

/** Handles a posted body and calls `answer` when it is done. */
export type Take = (said: Said, answer: (more?: Readonly<Record<string, unknown>>) => void) => void;

/** A bare JSON server on `node:http` that prints its address. It parses each body unless told otherwise. */
export function serveJson(take: Take, { parses = true } = {}): void {
  const server = createServer({ noDelay: true, keepAliveTimeout: 72_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString();
      const type = parses ? (JSON.parse(text) as { readonly type?: string }).type : undefined;
      take({ text, type }, (more) => {
        const answer = JSON.stringify({ ok: true, type, ...more });
        response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) });
        response.end(answer);
      });
    });
  });
  server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}
