import { spawnSync } from "node:child_process";

/** The speech program for the tests, which can write to a file. */
export function hasEspeak(): boolean {
  return spawnSync("espeak-ng", ["--version"], { stdio: "ignore" }).status === 0;
}

/** Reports a skipped test. In CI a missing speech program is a failure instead. */
export function espeakIsMissing(what: string): boolean {
  if (hasEspeak() || process.env["CI"] === "true") return false;
  process.stderr.write(`SKIPPED: ${what}. No espeak-ng was found; install it (on Debian: apt-get install espeak-ng).\n`);
  return true;
}
