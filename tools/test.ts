import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { chromiumPath } from "./chromium.ts";
import { hasEspeak } from "./espeak.ts";

/** Runs the tests and ends with one plain line that any machine can read: how many passed and failed. */
const results = ".cache/test-results.json";
mkdirSync(".cache", { recursive: true });
rmSync(results, { force: true });
install("chromium", "Chromium for the browser tests", chromiumPath() !== undefined);
install("espeak-ng", "espeak-ng for the tests that listen", hasEspeak());
const args = [
  "--conditions=earshot-source",
  "node_modules/vitest/vitest.mjs",
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${results}`,
  ...process.argv.slice(2).filter((word) => word !== "--random"),
];
const env = process.argv.includes("--random") ? { ...process.env, FAST_CHECK_SEED: "random" } : process.env;
const { status } = spawnSync(process.execPath, args, { stdio: "inherit", env });
if (!existsSync(results)) {
  console.log("The tests did not run.");
  process.exit(status ?? 1);
}
const report = JSON.parse(readFileSync(results, "utf8")) as {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numFailedTestSuites: number;
};
if (chromiumPath() === undefined) {
  console.log(
    "Skipped what needs a browser: no Chromium was found. Install it (on Debian: apt-get install chromium), or name one in CHROMIUM_PATH.",
  );
}
if (!hasEspeak()) console.log("Skipped what is to be heard: no espeak-ng was found. Install it (on Debian: apt-get install espeak-ng).");
const skipped = report.numPendingTests > 0 ? `, ${report.numPendingTests} skipped` : "";
console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed${skipped}`);
process.exit(status ?? 1);

/** Only where a machine is there for the tests is anything installed on it. */
function install(name: string, what: string, isThere: boolean): void {
  if (process.env["CI"] !== "true" || isThere) return;
  console.log(`Installing ${what} ...`);
  for (const command of [["update"], ["install", "-y", "--no-install-recommends", name]]) {
    const { status: code } = spawnSync("apt-get", command, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
    if (code !== 0) console.log(`apt-get ${command[0]} did not succeed.`);
  }
}
