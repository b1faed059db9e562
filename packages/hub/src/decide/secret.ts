import { chmodSync, readFileSync } from "node:fs";
import { createToken } from "../access/secrets.ts";
import { writePrivately } from "../home.ts";

/**
 * The key of digests and request ids: made once, kept in a file of the user's alone. Without it, what was masked could be
 * guessed from a digest; it opens nothing.
 */
export function takeSecret(path: string): string {
  try {
    const known = readFileSync(path, "utf8").trim();
    if (/^[\w-]{32,256}$/.test(known)) {
      chmodSync(path, 0o600);
      return known;
    }
  } catch {
    // not made yet
  }
  const secret = createToken();
  writePrivately(path, `${secret}\n`);
  return secret;
}
