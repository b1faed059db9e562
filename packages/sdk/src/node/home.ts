import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ReceiverCandidate } from "../delivery/platform.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The default address of AOP clients. */
const AOP_DEFAULT = "http://localhost:4317";

/** The folder shared by the user's hub and its clients. */
export function sharedHomeOf(env: Environment): string {
  const given = env["EARSHOT_HOME"];
  return given === undefined || given === "" ? join(homedir(), ".earshot") : given;
}

/** The receiver configured by the program or the user. */
export function namedUrl(env: Environment, url: string | undefined): string | undefined {
  const named = url ?? env["EARSHOT_URL"];
  return named === undefined || named === "" ? undefined : named.replace(/(?<!\/)\/+$/, "");
}

/** The configured receiver; otherwise this user's hub from its address file, then the AOP default. */
export function findCandidates(home: string, named: string | undefined): readonly ReceiverCandidate[] {
  if (named !== undefined) return [{ url: named, named: true }];
  const hub = readAddress(home);
  return [...(hub === undefined ? [] : [{ url: hub, named: false }]), { url: AOP_DEFAULT, named: false }];
}

/** Each receiver has its own folder, so lines never go to another one. */
export function spoolFolder(home: string, named: string | undefined): string {
  const name = named === undefined ? "local" : createHash("sha256").update(named).digest("hex").slice(0, 16);
  return join(home, "spool", name);
}

/** Only this user's programs can open this socket. */
export function socketOf(home: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== "win32") return join(home, "run", "hub.sock");
  return `\\\\.\\pipe\\earshot-${createHash("sha256").update(home.toLowerCase()).digest("hex").slice(0, 32)}`;
}

/** The credential of the user's own programs. */
export function readProducerToken(home: string): string | undefined {
  try {
    return readFileSync(join(home, "producer.token"), "utf8").trim();
  } catch {
    return undefined; // no hub was ever started
  }
}

function readAddress(home: string): string | undefined {
  try {
    const address: unknown = JSON.parse(readFileSync(join(home, "address.json"), "utf8"));
    const url = typeof address === "object" && address !== null && "url" in address ? address.url : undefined;
    return typeof url === "string" ? url.replace(/(?<!\/)\/+$/, "") : undefined;
  } catch {
    return undefined; // no hub was ever started, or none is running
  }
}
