import { EarshotError, isObject, type JsonObject, readJson } from "@earshot/protocol";
import type { FastifyRequest } from "fastify";

const LONGEST_BYTES = 16 * 1024;
const PATIENCE_MS = 10_000;

/** The body of a small request to the hub itself: one JSON object, read as strictly as an event. */
export async function readJsonBody(request: FastifyRequest, longestBytes = LONGEST_BYTES): Promise<JsonObject> {
  const read = readJson((await readBytes(request, longestBytes)).toString("utf8"));
  if (!read.ok) throw new EarshotError(read.problem);
  if (!isObject(read.value)) throw new EarshotError({ code: "NOT_AN_OBJECT", message: "The body is a JSON object." });
  return read.value;
}

/** The whole of a body. */
export async function readBytes({ raw }: FastifyRequest, longestBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => raw.destroy(new Error("The body did not arrive in time.")), PATIENCE_MS);
  try {
    for await (const chunk of raw as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > longestBytes) throw new EarshotError({ code: "TOO_LARGE", message: `The body is longer than ${longestBytes} bytes.` });
      chunks.push(chunk);
    }
  } catch (error) {
    if (EarshotError.is(error)) throw error;
    throw new EarshotError({ code: "BODY_TIMEOUT", message: "The body did not arrive." }, { cause: error });
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
}
