import type { EntryRow } from "./rows.ts";

/** An entry that was judged and is on its way to the file. */
export interface Underway {
  readonly row: EntryRow;
  readonly sourceKey: number;
  readonly identity: string | null;
  readonly said: Uint8Array | null;
  readonly name: string | undefined;
}

/** The entries of one draft, in order of position, and how they are found. */
interface DraftEntries {
  readonly draft: number;
  readonly entries: Underway[];
  readonly byIdentity: Map<string, Underway>;
  readonly bySession: Map<number, Underway[]>;
  readonly byName: Map<string, Underway[]>;
}

const NONE: readonly Underway[] = [];

/**
 * The entries that are on their way to the file, draft by draft: at most a few at a time. What belongs to a draft is thrown away with it,
 * a moment after it was made. In maps that live on, V8 would keep all that ever was in them until it collects the tables that they
 * have outgrown: every entry of a busy hub would grow old, and be looked at again and again.
 */
export class UnderwayEntries {
  /** The oldest first. */
  #drafts: DraftEntries[] = [];

  add(draft: number, underway: Underway): void {
    const { row, identity, name, sourceKey } = underway;
    const own = this.#of(draft);
    own.entries.push(underway);
    if (identity !== null) own.byIdentity.set(identity, underway);
    addTo(own.bySession, row.session, underway);
    if (name !== undefined) addTo(own.byName, labelOf(sourceKey, name), underway);
  }

  /** Those of a draft, and of those before it: they are not on their way any more. */
  take(draft: number): readonly Underway[] {
    let taken: readonly Underway[] = NONE;
    for (let first = this.#drafts[0]; first !== undefined && first.draft <= draft; first = this.#drafts[0]) {
      this.#drafts.shift();
      taken = join(taken, first.entries);
    }
    return taken;
  }

  clear(): void {
    this.#drafts = [];
  }

  /** The newest. */
  byIdentity(identity: string): Underway | undefined {
    for (let index = this.#drafts.length - 1; index >= 0; index--) {
      const found = this.#drafts[index]?.byIdentity.get(identity);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** In order of position. */
  ofSession(session: number): readonly Underway[] {
    let found = NONE;
    for (const { bySession } of this.#drafts) found = join(found, bySession.get(session));
    return found;
  }

  /** In order of position. */
  named(sourceKey: number, name: string): readonly Underway[] {
    const label = labelOf(sourceKey, name);
    let found = NONE;
    for (const { byName } of this.#drafts) found = join(found, byName.get(label));
    return found;
  }

  at(position: number): Underway | undefined {
    for (const { entries } of this.#drafts) {
      if ((entries.at(-1)?.row.position ?? 0) >= position) return entries.find(({ row }) => row.position === position);
    }
    return undefined;
  }

  #of(draft: number): DraftEntries {
    const last = this.#drafts.at(-1);
    if (last?.draft === draft) return last;
    const own = { draft, entries: [], byIdentity: new Map(), bySession: new Map(), byName: new Map() };
    this.#drafts.push(own);
    return own;
  }
}

/** What a name is known by: it is its source's own. */
export function labelOf(sourceKey: number, name: string): string {
  return `${sourceKey} ${name}`;
}

function addTo<Key>(lists: Map<Key, Underway[]>, key: Key, underway: Underway): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [underway]);
  else list.push(underway);
}

function join(some: readonly Underway[], more: readonly Underway[] = NONE): readonly Underway[] {
  if (more.length === 0) return some;
  return some.length === 0 ? more : [...some, ...more];
}
