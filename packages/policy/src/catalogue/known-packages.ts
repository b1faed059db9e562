import { withoutPackageVersion } from "../paths.ts";
import packages from "./known-packages.json" with { type: "json" };
import { joinLines } from "./names.ts";

/** Widely used packages, by registry. Installing any other package runs code of an unknown author. */
const KNOWN: Readonly<Record<string, string | readonly string[]>> = packages;

const sets = new Map<string, ReadonlySet<string>>();

function known(registry: string): ReadonlySet<string> {
  const set = sets.get(registry) ?? new Set(joinLines(KNOWN[registry] ?? "", " ").split(" "));
  sets.set(registry, set);
  return set;
}

/** Whether a package is widely used; accepts a version, extras or a scope. */
export function isKnownPackage(registry: string, name: string): boolean {
  const plain = withoutPackageVersion(name)
    .toLowerCase()
    .replace(/[<>=!~^[;][\s\S]*$/, "");
  if (known(registry).has(plain)) return true;
  if (registry === "npm") {
    const scope = /^@([^/]+)\//.exec(plain)?.[1];
    return scope !== undefined && known("npm-scopes").has(scope);
  }
  if (registry !== "go" && registry !== "images" && registry !== "composer") return false;
  return [...known(registry)].some((prefix) => plain === prefix || plain.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`));
}
