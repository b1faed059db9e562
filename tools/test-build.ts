import { spawnSync } from "node:child_process";

/** Runs once before a tier that starts the built command. */
export function setup(): void {
  const { status } = spawnSync(process.execPath, ["tools/build.ts", "earshot"], { stdio: "inherit" });
  if (status !== 0) throw new Error("The command could not be built; the reason is above.");
}
