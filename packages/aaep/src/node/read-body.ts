import type { IncomingMessage } from "node:http";
import { EarshotError, type JsonObject } from "@earshot/protocol";
import { readObjectText } from "../producer/read-message.ts";

const LONGEST_BYTES = 256 * 1024;
const PATIENCE_MS = 10_000;

/** The body of a request: one JSON object in UTF-8. Throws an `EarshotError` otherwise. */
export async function readBody(request: IncomingMessage): Promise<JsonObject> {
  // A page of another origin can post any other content type without a preflight request.
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(request.headers["content-type"] ?? "")) {
    throw new EarshotError({ code: "CONTENT_TYPE", message: "The body is to be application/json." });
  }
  const bytes = await readBytes(request, LONGEST_BYTES);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new EarshotError({ code: "NOT_UTF8", message: "The body is not UTF-8." }, { cause: error });
  }
  const read = readObjectText(text);
  if (!read.ok) throw new EarshotError(read.problem);
  return read.value;
}

/** Reads a whole body within a time and size limit. Without an iterator, which would cost more than everything else. */
export function readBytes(request: IncomingMessage, longestBytes: number, patienceMs = PATIENCE_MS): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isOver = false;
    const timer = setTimeout(() => request.destroy(new Error("The body did not arrive in time.")), patienceMs);
    const isFirst = () => {
      if (isOver) return false; // every request is closed in the end
      isOver = true;
      return true;
    };
    const gone = (cause?: unknown) => {
      clearTimeout(timer);
      if (isFirst()) reject(new EarshotError({ code: "BODY_TIMEOUT", message: "The body did not arrive." }, { cause }));
    };
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= longestBytes) chunks.push(chunk);
      // The sender gets the answer; the rest of the body is discarded within the same time limit.
      else if (isFirst()) {
        chunks.length = 0;
        reject(new EarshotError({ code: "TOO_LARGE", message: `The body is longer than ${longestBytes} bytes.` }));
      }
    });
    request.on("end", () => {
      clearTimeout(timer);
      const [only = Buffer.alloc(0), ...more] = chunks.splice(0); // who waits for an answer does not hold them meanwhile
      if (isFirst()) resolve(more.length === 0 ? only : Buffer.concat([only, ...more]));
    });
    request.on("error", gone);
    request.on("close", () => gone());
    if (request.destroyed) gone();
  });
}

/** As `readBody`, for a request whose body is optional. */
export async function readOptionalBody(request: IncomingMessage): Promise<JsonObject> {
  const isEmpty = request.headers["content-length"] === "0" || request.headers["content-type"] === undefined;
  return isEmpty ? {} : await readBody(request);
}
