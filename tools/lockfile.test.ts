import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { shippedPackages } from "./shipped-packages.ts";

interface Entry {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly resolved?: string;
}

describe("the lockfile", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { readonly packages: Readonly<Record<string, Entry>> };
  const names = Object.keys(packages);

  it("lists every platform build, so that npm ci works on every machine", () => {
    const missing = Object.values(packages).flatMap((entry) =>
      Object.keys(entry.optionalDependencies ?? {}).filter((name) => !names.some((path) => path.endsWith(`node_modules/${name}`))),
    );
    expect(missing).toEqual([]);
  });

  it("runs no install script but that of the repository's own Node", () => {
    expect(names.filter((name) => packages[name]?.hasInstallScript === true && packages[name]?.optional !== true)).toEqual([
      "node_modules/node",
    ]);
  });

  it("gives users few packages, none with an install script", () => {
    const shipped = shippedPackages();
    expect(shipped.filter((name) => packages[name]?.hasInstallScript === true)).toEqual([]);
    // What Earshot itself asks for; the rest comes with Fastify.
    const asked = ["protocol", "aaep", "policy", "agents", "hub", "cli"].flatMap((name) => {
      const { dependencies } = JSON.parse(readFileSync(`packages/${name}/package.json`, "utf8")) as { dependencies: object };
      return Object.keys(dependencies).filter((one) => !one.startsWith("@earshot/"));
    });
    expect([...new Set(asked)]).toEqual(["typebox", "jose", "ws", "re2js", "unbash", "yaml", "fastify"]);
    expect(shipped.length).toBeLessThan(60);
  });
});
