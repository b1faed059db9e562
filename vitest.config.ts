import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["earshot-source"] },
  ssr: { resolve: { conditions: ["earshot-source"] } },
  test: {
    include: ["packages/**/*.test.ts", "scenarios/**/*.test.ts", "tools/**/*.test.ts"],
    setupFiles: ["tools/test-setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Most of the time a test waits for processes of its own: two files side by side are done sooner, also on two cores.
    maxWorkers: 2,
    execArgv: ["--conditions=earshot-source"],
  },
});
