import type { Encoding, Frame } from "./frames.ts";
import type { ReadyFilter } from "./live-filter.ts";

/** The listeners with one filter and one encoding: at the same position, the same bytes do for all of them. */
export interface Group {
  readonly key: string;
  readonly filter: ReadyFilter;
  readonly encoding: Encoding;
  members: number;
}

export class Groups {
  readonly #groups = new Map<string, Group>();

  enter(filter: ReadyFilter, encoding: Encoding): Group {
    const key = `${encoding.name} ${filter.key}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { key, filter, encoding, members: 0 };
      this.#groups.set(key, group);
    }
    group.members += 1;
    return group;
  }

  leave(group: Group): void {
    group.members -= 1;
    if (group.members === 0) this.#groups.delete(group.key);
  }
}

export const NOTHING: Buffer = Buffer.alloc(0);

export function encodeFor(group: Group, frames: readonly Frame[]): Buffer {
  const matching = frames.filter(({ entry }) => group.filter.matches(entry));
  return matching.length === 0 ? NOTHING : group.encoding.encode(matching);
}
