import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Said {
  readonly text: string;
  /** As far as the JSON is read. */
  readonly type: string | undefined;
}

/** Answers what was posted, once whatever is done with it is done. */
export type Take = (said: Said, answer: (more?: Readonly<Record<string, unknown>>) => void) => void;

/** A bare server of JSON on `node:http`, and prints its address: takes a body, parses it unless told otherwise, answers with JSON. */
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
