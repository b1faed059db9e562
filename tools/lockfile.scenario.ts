import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** The platforms that Earshot is developed and used on. */
const PLATFORMS = [
  ["linux", "x64"],
  ["linux", "arm64"],
  ["darwin", "arm64"],
  ["darwin", "x64"],
  ["win32", "x64"],
] as const;

interface Pinned {
  readonly name?: string;
  readonly version: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const nodes = JSON.parse(readFileSync("tools/node-packages.json", "utf8")) as Readonly<Record<string, Pinned & { readonly name: string }>>;
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { readonly packages: Readonly<Record<string, Pinned>> };
const registry = findRegistry();
const isOnline = registry !== undefined && (await isReachable(registry));
if (!isOnline) process.stdout.write("Skipped: the npm registry cannot be reached, so nobody asked it for the pinned packages.\n");

/** Packages already checked. Most are the same on every platform and need only one request. */
const found = new Set<string>();

describe.skipIf(!isOnline)("the npm registry", () => {
  it.each(PLATFORMS)("has every package that npm ci and tools/install.cjs install on %s %s", async (os, cpu) => {
    const wanted = Object.entries(packages)
      .filter(([path, { link }]) => path.startsWith("node_modules/") && link !== true)
      .filter(([, one]) => (one.os ?? [os]).includes(os) && (one.cpu ?? [cpu]).includes(cpu))
      .map(([path, one]) => ({ ...one, name: one.name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length) }));
    const node = nodes[`${os}-${cpu}`];
    expect(node, "a Node for this platform").toBeDefined();
    const all = [...wanted, ...(node === undefined ? [] : [node])];
    expect(all.length).toBeGreaterThan(80);
    const missing: string[] = [];
    for (const one of all) {
      const key = `${one.name}@${one.version}`;
      if (found.has(key)) continue;
      if ((await integrityOf(one)) === one.integrity) found.add(key);
      else missing.push(key);
    }
    expect(missing).toEqual([]);
  });
});

/** The registry's integrity hash for a version; undefined if the registry does not have that version. */
async function integrityOf({ name, version }: { readonly name: string; readonly version: string }): Promise<string | undefined> {
  const answer = await fetch(`${registry}${name.replace("/", "%2f")}/${version}`);
  const body = (await answer.json()) as { readonly dist?: { readonly integrity?: string } };
  return body.dist?.integrity;
}

async function isReachable(address: string): Promise<boolean> {
  try {
    await (await fetch(`${address}typebox/latest`)).text(); // read to its end: an unread answer would keep the connection busy
    return true;
  } catch {
    return false;
  }
}

function findRegistry(): string | undefined {
  try {
    return execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return undefined; // npm is not on the PATH
  }
}
