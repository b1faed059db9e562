import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { chromiumPath } from "./chromium.ts";
import { hasEspeak } from "./espeak.ts";

/**
 * Runs one tier of the tests and ends with a plain line that any machine can read: `N passed, N failed`.
 *
 *     node tools/install.cjs tools/test.ts fast|scenarios|browser|deep [--short] [--random] [VITEST OPTION ...]
 *     node tools/install.cjs tools/test.ts summary
 *
 * `--short` runs the deep tier with the volumes of CI, `--random` the property tests with new cases. `summary` adds up
 * the last results of all tiers.
 */
const TIERS = ["fast", "scenarios", "browser", "deep"] as const;
type Tier = (typeof TIERS)[number];

interface TierResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
}

/** The used part of vitest's JSON report. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

const [command = "fast", ...words] = process.argv.slice(2);
if (command === "summary") printSummary();
else if (isTier(command)) process.exitCode = runTier(command, words);
else {
  console.error(`There is no tier "${command}"; the tiers are ${TIERS.join(", ")}.`);
  process.exitCode = 2;
}

function runTier(tier: Tier, options: readonly string[]): number {
  const start = performance.now();
  const report = `.cache/test-results/${tier}.vitest.json`;
  mkdirSync(".cache/test-results", { recursive: true });
  for (const file of [report, resultFile(tier)]) rmSync(file, { force: true });
  if (tier === "browser" && chromiumPath() === undefined) {
    console.log("Skipped: no Chromium was found. Install one (on Debian: apt-get install chromium), or set CHROMIUM_PATH to one.");
    return finish(tier, { passed: 0, failed: process.env["CI"] === "true" ? 1 : 0, skipped: 0, seconds: 0 });
  }
  if (tier === "scenarios" && !hasEspeak())
    console.log("Speech is not tested: no espeak-ng was found. Install it (on Debian: apt-get install espeak-ng).");
  const isShort = options.includes("--short");
  const env = {
    ...process.env,
    ...(options.includes("--random") ? { FAST_CHECK_SEED: "random" } : {}),
    ...(tier === "deep" ? { EARSHOT_TEST_VOLUME: isShort ? "short" : "full" } : {}),
  };
  const args = [
    "run",
    "--project",
    tier === "fast" ? "fast*" : tier,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ];
  const more = options.filter((option) => option !== "--short" && option !== "--random");
  const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", ...args, ...more], { stdio: "inherit", env });
  if (!existsSync(report)) {
    console.log("The tests did not run.");
    return status ?? 1;
  }
  const {
    numPassedTests: passed,
    numFailedTests,
    numPendingTests: skipped,
    testResults,
  } = JSON.parse(readFileSync(report, "utf8")) as Report;
  // A file that could not be loaded has no tests and counts as one failure.
  const unloaded = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
  finish(tier, { passed, failed: numFailedTests + unloaded, skipped, seconds: Math.round((performance.now() - start) / 1000) });
  return status ?? 1;
}

function finish(tier: Tier, result: TierResult): number {
  writeFileSync(resultFile(tier), JSON.stringify(result));
  console.log(describe(result));
  return result.failed === 0 ? 0 : 1;
}

function printSummary(): void {
  const results = TIERS.flatMap((tier) => {
    if (!existsSync(resultFile(tier))) return [];
    return [[tier, JSON.parse(readFileSync(resultFile(tier), "utf8")) as TierResult] as const];
  });
  for (const [tier, result] of results) console.log(`${tier.padEnd(10)} ${result.seconds.toString().padStart(5)} s  ${describe(result)}`);
  const sum = (name: keyof TierResult) => results.reduce((total, [, result]) => total + result[name], 0);
  console.log(describe({ passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped"), seconds: sum("seconds") }));
}

function describe({ passed, failed, skipped }: TierResult): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function resultFile(tier: Tier): string {
  return `.cache/test-results/${tier}.json`;
}

function isTier(word: string): word is Tier {
  return (TIERS as readonly string[]).includes(word);
}
