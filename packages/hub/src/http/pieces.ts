import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

/** A reader that takes nothing for this long is left. */
const STALLED_MS = 30_000;

/**
 * Answers with a body that is made piece by piece. A piece is made when the one before it has been taken by the connection,
 * so that a slow reader costs one piece of memory, and none is made for a reader that has gone. When making one fails
 * after the first was sent, the connection is cut: half of an answer must not look like a whole one.
 */
export function sendPieces(reply: FastifyReply, pieces: AsyncIterable<string>, stalledMs: number = STALLED_MS): FastifyReply {
  // Who asks for the headers alone must not make us read everything.
  if (reply.request.method === "HEAD") return reply.send("");
  const stream = Readable.from(guarded(), { objectMode: false, highWaterMark: 1 });
  return reply.send(stream);

  async function* guarded(): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      if (piece === "") continue;
      const timer = setTimeout(() => stream.destroy(new Error("The reader took nothing for too long.")), stalledMs);
      try {
        yield Buffer.from(piece);
      } finally {
        clearTimeout(timer);
      }
    }
  }
}
