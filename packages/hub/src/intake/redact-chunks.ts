// TEMPORARY placeholder: overwrite this file.
import type { JsonObject, Reading } from "@earshot/protocol";
import type { RedactionMark } from "../ledger/ledger.ts";
export type ChunkCarries = object;
export function openChunkCarries(): ChunkCarries {
  return {};
}
export function redactChunkEvent(
  _c: ChunkCarries,
  _r: Reading,
  _t: string,
): { text: string; value: JsonObject; marks: readonly RedactionMark[] } | undefined {
  return undefined;
}
