import type { Encoding } from "./frames.ts";
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
