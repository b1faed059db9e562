import { spawnSync } from "node:child_process";

/** All checks that run no test: format and lint, types, commit subjects, unused code, and the published packages. */
const STEPS: readonly (readonly [name: string, ...command: readonly string[]])[] = [
  ["format and lint", "node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."],
  ["types", "node_modules/typescript/bin/tsc"],
  ["types of pure packages", "node_modules/typescript/bin/tsc", "-p", "tsconfig.pure.json"],
  ["types of the dashboard", "node_modules/typescript/bin/tsc", "-p", "packages/dashboard"],
  ["commit subjects", "tools/commit-subjects.ts"],
  ["unused code", "node_modules/knip/bin/knip.js"],
  ["build", "tools/build.ts"],
  ...["earshot", "sdk", "protocol"].map(
    (name) => [`package ${name}`, "node_modules/publint/src/cli.js", `dist/${name}`, "--strict"] as const,
  ),
];

for (const [name, ...command] of STEPS) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: "utf8" });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok    " : "FAILED"} ${name}, ${seconds} s`);
  if (status === 0) continue;
  process.stdout.write(stdout + stderr);
  process.exitCode = 1;
}
