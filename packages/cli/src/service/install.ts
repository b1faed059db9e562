import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Outcome, type Run, runSteps } from "./run-steps.ts";
import type { Service } from "./service.ts";

export type Installed = "installed" | "outdated" | "absent";

/** `outdated`: what stands there starts something else than this command would, such as a version that was replaced. */
export function lookAt({ file, content }: Service): Installed {
  if (!existsSync(file)) return "absent";
  return readFileSync(file).equals(content) ? "installed" : "outdated";
}

/** Writes the file, unless it is there already, and has the system read it. Doing it twice is doing it once. */
export function install(service: Service, run: Run): Outcome {
  if (lookAt(service) !== "installed") {
    mkdirSync(dirname(service.file), { recursive: true });
    writeFileSync(service.file, service.content, { mode: 0o644 });
  }
  return runSteps(service.install, run);
}

/** Stops it and leaves nothing, whether or not the system's own command is there to help. */
export function remove(service: Service, run: Run): void {
  runSteps(service.remove, run);
  for (const path of [service.file, ...service.leftovers]) rmSync(path, { force: true });
  runSteps(service.afterRemove, run);
}
