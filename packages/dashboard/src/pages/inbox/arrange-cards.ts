/** One card: a request, or several equal requests that are decided together. */
export interface CardPlace {
  /** Id of the first request. Constant while the card is shown. */
  readonly key: string;
  readonly ids: readonly string[];
}

export interface ArrangeOptions<Item> {
  readonly idOf: (item: Item) => string;
  /** Requests of the same kind are decided together; undefined for a request that stays separate. */
  readonly kindOf: (item: Item) => string | undefined;
  /**
   * Index of the last card that must not move because it contains the pointer or the focus: this card and all before it stay as they are.
   * -1: none. Infinity: pointer or focus is where a card that comes or goes would move it, and no card may be added or removed.
   */
  readonly held: number;
  /** The open card, while it is being read: it keeps its requests, wherever it stands. */
  readonly read?: CardPlace | undefined;
}

/**
 * Arranges the cards in the order of the items. Ended requests are removed and new ones added only if nothing under the pointer or
 * focus moves. A held card receives no further requests: a button must keep the meaning that it had when it was read.
 */
export function arrangeCards<Item>(
  before: readonly CardPlace[],
  open: readonly Item[],
  arranging: ArrangeOptions<Item>,
): readonly CardPlace[] {
  const { idOf, kindOf, held, read } = arranging;
  if (held >= before.length) return before;
  const kept = before.slice(0, held + 1);
  const known = new Set(kept.flatMap(({ ids }) => ids));
  const readAt = read === undefined ? -1 : before.indexOf(read);
  const isReadApart = readAt > held;
  const groups = new Map<string, string[]>();
  for (const item of open) {
    const id = idOf(item);
    if (known.has(id)) continue;
    const kind = isReadApart && read?.ids.includes(id) ? READ : (kindOf(item) ?? `alone ${id}`);
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [id]);
    else group.push(id);
  }
  const next = [...kept, ...[...groups].map(([kind, ids]) => (kind === READ && read !== undefined ? read : { key: ids[0] ?? "", ids }))];
  // All of its requests have ended: it stays about where it was.
  if (isReadApart && read !== undefined && !groups.has(READ)) next.splice(readAt, 0, read);
  return isSame(before, next) ? before : next;
}

const READ = "read";

function isSame(one: readonly CardPlace[], other: readonly CardPlace[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ ids }, index) => {
      const others = other[index]?.ids ?? [];
      return ids.length === others.length && ids.every((id, at) => id === others[at]);
    })
  );
}
