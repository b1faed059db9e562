import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["earshot-source"] },
  ssr: { resolve: { conditions: ["earshot-source"] } },
  test: {
    include: ["packages/**/*.test.ts", "scenarios/**/*.test.ts", "tools/**/*.test.ts"],
    setupFiles: ["tools/test-setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    execArgv: ["--conditions=earshot-source"],
  },
});
