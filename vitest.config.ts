import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["earshot-source"] },
  ssr: { resolve: { conditions: ["earshot-source"] } },
  test: {
    setupFiles: ["tools/test-setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    execArgv: ["--conditions=earshot-source"],
    projects: [
      {
        extends: true,
        test: {
          name: "parts",
          include: ["packages/**/*.test.ts", "tools/**/*.test.ts"],
          // Most of them wait for something: two side by side are done sooner, also on two cores.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "whole",
          include: ["scenarios/**/*.test.ts"],
          // Hubs, browsers and their peers, which keep deadlines: each has the machine for itself.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
