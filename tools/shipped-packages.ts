import { readFileSync } from "node:fs";

interface Entry {
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** The packages of others that a user installs with Earshot, by their folders. */
export function shippedPackages(): readonly string[] {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { readonly packages: Readonly<Record<string, Entry>> };
  return Object.keys(packages).filter(
    (name) => name.startsWith("node_modules/") && packages[name]?.dev !== true && packages[name]?.link !== true,
  );
}
