import { openHub } from "../hub-client.ts";
import type { Io } from "../io.ts";
import { cardLines } from "./card-lines.ts";
import { findRequest } from "./find-request.ts";

/** Prints the whole card of a request, which a unique beginning of its id names. */
export async function showRequest(id: string, io: Io, { json = false } = {}): Promise<void> {
  const view = await findRequest(await openHub(process.env), id);
  if (json) io.out(`${JSON.stringify(view, null, 2)}\n`);
  else for (const line of cardLines(view, { now: Date.now() })) io.out(`${line}\n`);
}
