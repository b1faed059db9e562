import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

const BUILD = "tools/test-build.ts";
/** Tests of packages that keep nothing in the process. */
const PURE = ["packages/{aaep,agents,announcer,dashboard,judge,narrate,policy,protocol}/**/*.test.{ts,tsx}"];

/** The end of a test's file name sets its tier; `tools/test.ts` runs one tier. */
export default defineConfig({
  test: {
    setupFiles: ["tools/test-setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // In CI a test that fails runs once more, and the report says so: processes, sockets and Chromium share two busy cores there.
    retry: process.env["CI"] === "true" ? 1 : 0,
    // As long as Playwright waits: a machine that runs other work as well is slow, and what never comes fails either way.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      // Hubs and commands within the process of the test. They change its environment, so each file has a process of its own.
      tier("fast", { include: ["**/*.test.{ts,tsx}"], exclude: PURE, maxWorkers: 2 }),
      // Files that share a process load each module once, which takes half the time.
      tier("fast-pure", { include: PURE, maxWorkers: 2, isolate: false }),
      // The built command in separate processes. Two files at a time: they mostly wait for a process.
      tier("scenarios", { include: ["**/*.scenario.ts"], maxWorkers: 2, globalSetup: BUILD }),
      // Chromium, which keeps both cores busy by itself.
      tier("browser", { include: ["**/*.browser.ts"], maxWorkers: 1, globalSetup: BUILD }),
      // Kills, full disks, load, and property tests with thousands of cases.
      tier("deep", { include: ["**/*.deep.ts", ...propertyTests()], maxWorkers: 1, globalSetup: BUILD, testTimeout: 1_200_000 }),
    ],
  },
});

interface TierOptions {
  readonly include: string[];
  readonly exclude?: string[];
  readonly isolate?: boolean;
  readonly maxWorkers: number;
  readonly globalSetup?: string;
  readonly testTimeout?: number;
}

function tier(name: string, { exclude = [], ...options }: TierOptions) {
  return { extends: true as const, test: { name, ...options, exclude: ["**/node_modules/**", "**/dist/**", ".cache/**", ...exclude] } };
}

/** The fast tests whose number of cases depends on the tier. The deep tier runs them again with more cases. */
function propertyTests(): string[] {
  const tests = globSync("{packages,tools}/**/*.test.ts", { exclude: (path) => path.includes("node_modules") });
  return tests.filter((path) => readFileSync(path, "utf8").includes("/test-volume.ts"));
}
