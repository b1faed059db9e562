import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The browser for the tests: the configured one, or one installed by the system. */
export function chromiumPath(): string | undefined {
  const named = process.env["CHROMIUM_PATH"];
  return (named === undefined ? PLACES : [named]).find((path) => existsSync(path));
}

export function launchChromium(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error("No Chromium was found; install one, or name it in CHROMIUM_PATH.");
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-quic"];
  return chromium.launch({ executablePath, headless: true, args: ["--no-sandbox", "--disable-gpu", ...quiet] });
}
