const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const RANDOM_DIGITS = 16;
/** Random bytes for many ids are drawn at once: each draw is a call to the system. */
const pool = new Uint8Array(64 * RANDOM_DIGITS);
let used = pool.length;

/** An id that nobody else makes, and that sorts by time: `evt_`, or what else it is for, and a ULID. */
export function createEventId(now = Date.now(), prefix = "evt_"): string {
  if (used === pool.length) {
    // Loaded when first needed: it takes longer than all the rest, and most who read these files make no ids.
    process.getBuiltinModule("node:crypto").randomFillSync(pool);
    used = 0;
  }
  let time = "";
  for (let rest = now; time.length < 10; rest = Math.floor(rest / 32)) time = DIGITS.charAt(rest % 32) + time;
  let random = "";
  for (; random.length < RANDOM_DIGITS; used++) random += DIGITS.charAt((pool[used] ?? 0) % 32);
  return `${prefix}${time}${random}`;
}
