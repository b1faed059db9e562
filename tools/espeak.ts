import { spawnSync } from "node:child_process";

/** The voice for the tests, which can speak to a file. */
export function hasEspeak(): boolean {
  return spawnSync("espeak-ng", ["--version"], { stdio: "ignore" }).status === 0;
}

/** Says aloud what is not tested. On a build machine a missing voice is a failure, not a reason to skip. */
export function espeakIsMissing(what: string): boolean {
  if (hasEspeak() || process.env["CI"] === "true") return false;
  process.stderr.write(`SKIPPED: ${what}. No espeak-ng was found; install it (on Debian: apt-get install espeak-ng).\n`);
  return true;
}
