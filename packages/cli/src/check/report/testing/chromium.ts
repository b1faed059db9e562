import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const { CHROMIUM_PATH, CI } = process.env;
const EXECUTABLE = CHROMIUM_PATH ?? PLACES.find((path) => existsSync(path));

/** Says aloud what is not tested. On a build machine a missing browser is a failure, not a reason to skip. */
export function chromiumIsMissing(what: string): boolean {
  if (EXECUTABLE !== undefined || CI !== undefined) return false;
  process.stderr.write(`SKIPPED: ${what}. Chromium was not found at ${PLACES.join(", ")}; set CHROMIUM_PATH.\n`);
  return true;
}

export function launchChromium(): Promise<Browser> {
  if (EXECUTABLE === undefined) throw new Error("Chromium was not found; install it or set CHROMIUM_PATH.");
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-quic"];
  return chromium.launch({ executablePath: EXECUTABLE, headless: true, args: ["--no-sandbox", "--disable-gpu", ...quiet] });
}
