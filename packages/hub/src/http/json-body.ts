import { readBytes } from "@earshot/aaep/node";
import { EarshotError, isObject, type JsonObject, readJson } from "@earshot/protocol";
import type { FastifyRequest } from "fastify";

const LONGEST_BYTES = 16 * 1024;

/** The body of a small request to the hub itself: one JSON object, read as strictly as an event. */
export async function readJsonBody(request: FastifyRequest, longestBytes = LONGEST_BYTES): Promise<JsonObject> {
  const read = readJson((await readBytes(request.raw, longestBytes)).toString("utf8"));
  if (!read.ok) throw new EarshotError(read.problem);
  if (!isObject(read.value)) throw new EarshotError({ code: "NOT_AN_OBJECT", message: "The body is a JSON object." });
  return read.value;
}
