import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InstallPlace, InstallScope } from "../place.ts";

/** A temporary home and project. */
export function temporaryPlace(scope: InstallScope = "user", name = "home"): InstallPlace & Disposable {
  const root = mkdtempSync(join(tmpdir(), "earshot-place-"));
  const userHome = join(root, name);
  const project = join(root, "project");
  const earshotHome = join(userHome, ".earshot");
  for (const folder of [userHome, project, earshotHome]) mkdirSync(folder, { recursive: true });
  return {
    env: {},
    platform: "linux",
    userHome,
    earshotHome,
    project,
    scope,
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
