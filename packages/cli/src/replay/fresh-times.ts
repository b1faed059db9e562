import { type ProtocolName, readTimestamp } from "@earshot/protocol";
import type { StringPath } from "./rewrite-strings.ts";

const PLACES: Readonly<Record<ProtocolName, readonly string[]>> = {
  aaep: ["timestamp"],
  aep: ["time", "decision/time"],
  aop: ["timestamp"],
};

export function isTimeAt(protocol: ProtocolName, path: StringPath): boolean {
  return PLACES[protocol].includes(path.join("/"));
}

/**
 * A time so many whole seconds later, written as it was: the same zone, the same fraction of a second. What is no time stays as
 * it is.
 */
export function shiftTimestamp(text: string, seconds: number): string {
  if (readTimestamp(text) === undefined) return text;
  const moved = new Date(Date.parse(`${text.slice(0, 17)}00Z`) + (Number(text.slice(17, 19)) + seconds) * 1000);
  const year = moved.getUTCFullYear();
  return year >= 0 && year <= 9999 ? moved.toISOString().slice(0, 19) + text.slice(19) : text;
}
