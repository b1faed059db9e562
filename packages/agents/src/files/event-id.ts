const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const RANDOM_DIGITS = 16;
/** Random bytes are drawn for many ids at once, because each draw is a system call. */
const pool = new Uint8Array(64 * RANDOM_DIGITS);
let used = pool.length;

/** Creates a unique id that sorts by time: a prefix and a ULID. */
export function createEventId(now = Date.now(), prefix = "evt_"): string {
  if (used === pool.length) {
    // Loaded on first use: it takes longer to load than everything else here, and most callers create no ids.
    process.getBuiltinModule("node:crypto").randomFillSync(pool);
    used = 0;
  }
  let time = "";
  for (let rest = now; time.length < 10; rest = Math.floor(rest / 32)) time = DIGITS.charAt(rest % 32) + time;
  let random = "";
  for (; random.length < RANDOM_DIGITS; used++) random += DIGITS.charAt((pool[used] ?? 0) % 32);
  return `${prefix}${time}${random}`;
}
