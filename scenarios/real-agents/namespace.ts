import { spawn, spawnSync } from "node:child_process";
import { networkInterfaces } from "node:os";

/** Only loopback, and a PID namespace whose processes end with the first one. */
const UNSHARE = ["--map-root-user", "--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child"];

/** Why namespaces are unavailable here; undefined if they work. */
export function whyNoNamespace(): string | undefined {
  if (process.platform !== "linux") return "only Linux has network namespaces";
  const tried = spawnSync("unshare", [...UNSHARE, "ip", "link", "set", "lo", "up"], { encoding: "utf8" });
  if (tried.error !== undefined) return "there is no program `unshare` here";
  return tried.status === 0 ? undefined : `this user may not make a network namespace (${tried.stderr.trim()})`;
}

/** Runs a script in a namespace and returns its exit code. */
export function runInNamespace(script: string, words: readonly string[]): Promise<number> {
  const command = [process.execPath, script, ...words];
  const child = spawn("unshare", [...UNSHARE, ...command], { stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

/** Inside the namespace: enables loopback and checks that there is no other network. */
export function settleInNamespace(): void {
  const { status, stderr } = spawnSync("ip", ["link", "set", "lo", "up"], { encoding: "utf8" });
  if (status !== 0) throw new Error(`Loopback cannot be switched on: ${stderr}`);
  const others = Object.keys(networkInterfaces()).filter((name) => name !== "lo");
  if (others.length > 0) throw new Error(`There is a network here: ${others.join(", ")}.`);
}
