/**
 * The last entries by name, as plain JSON in two generations: when the younger one is full, the older one is dropped as a whole. It holds
 * the last `capacity` entries for certain and at most twice as many. Every operation takes amortized constant time. Unlike a ring or a
 * Map, it survives serialization.
 */
export interface RecentEntries<Entry> {
  young: Record<string, Entry>;
  old: Record<string, Entry>;
  /** Number of entries in `young`. */
  count: number;
  /** Whether an older generation ever existed: most sessions are short and skip that lookup. */
  aged: boolean;
}

export function createRecent<Entry>(): RecentEntries<Entry> {
  return { young: createTable(), old: {}, count: 0, aged: false };
}

/**
 * A record for arbitrary new names. Without a prototype it is a hash table from the start; the engine turns a plain object into one only
 * after creating a hidden class for each of its first names.
 */
export function createTable<Entry>(): Record<string, Entry> {
  return Object.create(null) as Record<string, Entry>;
}

export function recallEntry<Entry>(recent: RecentEntries<Entry>, key: string): Entry | undefined {
  return recent.young[key] ?? (recent.aged ? recent.old[key] : undefined);
}

/** Stores an entry under a new key. Returns the number of entries dropped for it. */
export function keepEntry<Entry>(recent: RecentEntries<Entry>, key: string, entry: Entry, capacity: number): number {
  const forgot = recent.count >= capacity ? ageEntries(recent, capacity) : 0;
  recent.young[key] = entry;
  recent.count++;
  return forgot;
}

/** Starts a new generation if the younger one is full. Returns the number of entries dropped with the older one. */
export function ageEntries<Entry>(recent: RecentEntries<Entry>, capacity: number): number {
  if (recent.count < capacity) return 0;
  const forgot = Object.keys(recent.old).length;
  recent.old = recent.young;
  recent.young = createTable();
  recent.count = 0;
  recent.aged = true;
  return forgot;
}

export function dropEntry<Entry>(recent: RecentEntries<Entry>, key: string): void {
  if (recent.young[key] === undefined) {
    delete recent.old[key];
    return;
  }
  delete recent.young[key];
  recent.count--;
}

export function* entriesOf<Entry>(recent: RecentEntries<Entry>): Generator<[string, Entry]> {
  yield* Object.entries(recent.old);
  yield* Object.entries(recent.young);
}

export function sizeOf<Entry>(recent: RecentEntries<Entry>): number {
  return recent.count + (recent.aged ? Object.keys(recent.old).length : 0);
}
