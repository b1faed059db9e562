import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of the built dashboard: beside the built command, or where the build of a clone puts it. Undefined if it is not built. */
export function dashboardFolder(): string | undefined {
  const folders = ["./ui/", "../../dashboard/dist/"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return folders.find((folder) => existsSync(`${folder}index.html`)); // without pages, the hub still serves its API
}
