/**
 * The last entries under their names, as plain JSON: two generations, the older of which is forgotten as a whole when
 * the younger one is full. It holds the last `capacity` entries for certain and at most twice as many, every step takes
 * constant time on average, and unlike a ring or a Map it survives being written and read back.
 */
export interface Recent<Entry> {
  young: Record<string, Entry>;
  old: Record<string, Entry>;
  /** How many entries `young` has. */
  count: number;
  /** Whether there ever was an older generation: most sessions are short, and need not look there. */
  aged: boolean;
}

export function createRecent<Entry>(): Recent<Entry> {
  return { young: createTable(), old: {}, count: 0, aged: false };
}

/**
 * A record for names that were never seen before. Without a prototype it is a hash table from the start; a plain object
 * becomes one only after the engine has made a hidden class for each of its first names.
 */
export function createTable<Entry>(): Record<string, Entry> {
  return Object.create(null) as Record<string, Entry>;
}

export function recall<Entry>(recent: Recent<Entry>, key: string): Entry | undefined {
  return recent.young[key] ?? (recent.aged ? recent.old[key] : undefined);
}

/** Keeps an entry under a key that is not kept yet. Says how many others had to be forgotten for it. */
export function keep<Entry>(recent: Recent<Entry>, key: string, entry: Entry, capacity: number): number {
  const forgot = recent.count >= capacity ? age(recent, capacity) : 0;
  recent.young[key] = entry;
  recent.count++;
  return forgot;
}

/** Begins a new generation when the younger one is full. Says how many entries were forgotten with the older one. */
export function age<Entry>(recent: Recent<Entry>, capacity: number): number {
  if (recent.count < capacity) return 0;
  const forgot = Object.keys(recent.old).length;
  recent.old = recent.young;
  recent.young = createTable();
  recent.count = 0;
  recent.aged = true;
  return forgot;
}

export function drop<Entry>(recent: Recent<Entry>, key: string): void {
  if (recent.young[key] === undefined) {
    delete recent.old[key];
    return;
  }
  delete recent.young[key];
  recent.count--;
}

export function* entriesOf<Entry>(recent: Recent<Entry>): Generator<[string, Entry]> {
  yield* Object.entries(recent.old);
  yield* Object.entries(recent.young);
}

export function sizeOf<Entry>(recent: Recent<Entry>): number {
  return recent.count + (recent.aged ? Object.keys(recent.old).length : 0);
}
