import { hashText } from "@earshot/protocol/hash-text";

/** The id of a merged event, derived from its content: equal content has equal ids. */
export function mergedEventId(content: string): string {
  let id = "evt_";
  for (let seed = 1; seed <= 4; seed++) id += (hashText(content, seed) >>> 0).toString(16).padStart(8, "0");
  return id;
}
