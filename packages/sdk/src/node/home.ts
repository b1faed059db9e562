import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Candidate } from "../delivery/platform.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where AOP clients look when nobody tells them otherwise. */
const AOP_DEFAULT = "http://localhost:4317";

/** The folder that the user's hub and everything that speaks to it share. */
export function homeOf(env: Environment): string {
  const given = env["EARSHOT_HOME"];
  return given === undefined || given === "" ? join(homedir(), ".earshot") : given;
}

/** The receiver that the program or the user names, if either does. */
export function namedUrl(env: Environment, url: string | undefined): string | undefined {
  const named = url ?? env["EARSHOT_URL"];
  return named === undefined || named === "" ? undefined : named.replace(/(?<!\/)\/+$/, "");
}

/** Who is named; else the hub of this user, as its address file has it now, and then the default of AOP. */
export function findCandidates(home: string, named: string | undefined): readonly Candidate[] {
  if (named !== undefined) return [{ url: named, named: true }];
  const hub = readAddress(home);
  return [...(hub === undefined ? [] : [{ url: hub, named: false }]), { url: AOP_DEFAULT, named: false }];
}

/** Lines for one receiver never go to another one: each has a folder of its own. */
export function spoolFolder(home: string, named: string | undefined): string {
  const name = named === undefined ? "local" : createHash("sha256").update(named).digest("hex").slice(0, 16);
  return join(home, "spool", name);
}

/** Where only programs of this user can knock, and are known by that. */
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
