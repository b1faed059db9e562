import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Where the built dashboard is; undefined where it is not installed, or not built. */
export function dashboardFolder(): string | undefined {
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve("@earshot/dashboard/package.json")), "dist");
    return existsSync(join(folder, "index.html")) ? folder : undefined;
  } catch {
    return undefined; // a hub without pages is a hub all the same
  }
}
