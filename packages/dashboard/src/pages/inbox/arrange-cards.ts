/** One card: a request, or several that are the same and are decided together. */
export interface Place {
  /** The first request's id. Stays while the card is shown. */
  readonly key: string;
  readonly ids: readonly string[];
}

export interface Arranging<Item> {
  readonly idOf: (item: Item) => string;
  /** Requests of one kind are decided together; undefined where one stands alone. */
  readonly kindOf: (item: Item) => string | undefined;
  /**
   * The last card that must not move, because pointer or focus is in it: it and all before it stay as they are. -1: none.
   * Infinity: pointer or focus is in what follows the cards, so that none may come or go.
   */
  readonly held: number;
}

/**
 * Where cards stand: in the order in which they were asked. What has ended goes, and what is new comes, but only where that moves
 * nothing under pointer or focus; a card that is held also gets no further request: a button does what it said when it was looked at.
 */
export function arrangeCards<Item>(before: readonly Place[], open: readonly Item[], arranging: Arranging<Item>): readonly Place[] {
  const { idOf, kindOf, held } = arranging;
  if (held >= before.length) return before;
  const kept = before.slice(0, held + 1);
  const known = new Set(kept.flatMap(({ ids }) => ids));
  const groups = new Map<string, string[]>();
  for (const item of open) {
    const id = idOf(item);
    if (known.has(id)) continue;
    const kind = kindOf(item) ?? `alone ${id}`;
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [id]);
    else group.push(id);
  }
  const next = [...kept, ...[...groups.values()].map((ids) => ({ key: ids[0] ?? "", ids }))];
  return isSame(before, next) ? before : next;
}

function isSame(one: readonly Place[], other: readonly Place[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ ids }, index) => {
      const others = other[index]?.ids ?? [];
      return ids.length === others.length && ids.every((id, at) => id === others[at]);
    })
  );
}
