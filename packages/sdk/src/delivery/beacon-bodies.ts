import type { EventReceiver } from "./receiver.ts";

/** Beacons carry 64 KiB, and a character may take three bytes. */
const CHARACTERS = 20_000;

export interface BeaconBody {
  readonly text: string;
  readonly lines: number;
}

/** One body for a hub if it fits; one per line for a collector. */
export function* toBeaconBodies(lines: readonly string[], { kind }: EventReceiver): Generator<BeaconBody> {
  let first = 0;
  let size = 0;
  for (let index = 0; index <= lines.length; index++) {
    const length = lines[index]?.length ?? 0;
    const isFull = index === lines.length || kind === "collector" || size + length > CHARACTERS;
    if (index > first && isFull) {
      yield { text: `${lines.slice(first, index).join("\n")}\n`, lines: index - first };
      first = index;
      size = 0;
    }
    size += length + 1;
  }
}
