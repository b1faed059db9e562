const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** An id that nobody else makes, and that sorts by time: `evt_` and a ULID. */
export function createEventId(now = Date.now()): string {
  // Loaded when first needed: it takes longer than all the rest, and most who read these files make no ids.
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  let time = "";
  for (let rest = now; time.length < 10; rest = Math.floor(rest / 32)) time = DIGITS.charAt(rest % 32) + time;
  return `evt_${time}${Array.from(randomBytes(16), (byte) => DIGITS.charAt(byte % 32)).join("")}`;
}
