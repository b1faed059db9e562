import { createHash, createHmac } from "node:crypto";
import { chmodSync, mkdirSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { EarshotError } from "@earshot/protocol/problem";
import { createTokenSecret } from "./access/secrets.ts";
import { readRegularFile } from "./regular-file.ts";
import { writeFileAtomically } from "./write-file-atomically.ts";

/** The folder of one user's hub. Everything in it is private. */
export interface HubHome {
  readonly folder: string;
  readonly ledger: string;
  readonly views: string;
  readonly address: string;
  /** How the hub was last started; kept after it stops. */
  readonly lastStart: string;
  readonly viewerToken: string;
  readonly producerToken: string;
  /** Credentials and alarms. */
  readonly access: string;
  /** Reveals whether that file was changed while no hub was running. */
  readonly accessSeal: string;
  /** The person's rules. Only accepted text takes effect. */
  readonly policy: string;
  /** Key of the digests of shown requests. */
  readonly requestKey: string;
  /** Where this user's programs reach the hub: a Unix socket in its own folder, a named pipe on Windows. */
  readonly socket: string;
  /** The hub runs under its own account: its socket is elsewhere and requires the producer token. */
  readonly isSeparate: boolean;
  /** Key for authenticating the hub to hooks; it never leaves this folder. */
  readonly hookKey: string;
  /** The accepted rules, for hooks without a hub. */
  readonly acceptedPolicy: string;
  /** Payloads that hooks could not deliver. */
  readonly hookSpool: string;
  /** The launcher's folder. */
  readonly bin: string;
  /** Key of the hub's own AAEP manifest. */
  readonly manifestKey: string;
  /** Resumable AAEP subscriptions. */
  readonly subscriptions: string;
  /** The attached producers. */
  readonly attachments: string;
  readonly log: string;
}

export function hubHomeOf(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform = process.platform): HubHome {
  const given = env["EARSHOT_HOME"];
  const folder = given === undefined || given === "" ? join(homedir(), ".earshot") : given;
  const shared = env["EARSHOT_SOCKET"] || readSocketPath(folder);
  return {
    folder,
    ledger: join(folder, "ledger.db"),
    views: join(folder, "views.db"),
    address: join(folder, "address.json"),
    lastStart: join(folder, "last-start.json"),
    viewerToken: join(folder, "viewer.token"),
    producerToken: join(folder, "producer.token"),
    access: join(folder, "access.json"),
    accessSeal: join(folder, "access.seal"),
    policy: join(folder, "policy.yaml"),
    requestKey: join(folder, "request.key"),
    socket: shared ?? (platform === "win32" ? pipeOf(folder) : join(folder, "run", "hub.sock")),
    isSeparate: shared !== undefined,
    hookKey: join(folder, "hook.key"),
    acceptedPolicy: join(folder, "policy.accepted.json"),
    hookSpool: join(folder, "spool", "hooks"),
    bin: join(folder, "bin"),
    manifestKey: join(folder, "manifest.key"),
    subscriptions: join(folder, "aaep-subscriptions.jsonl"),
    attachments: join(folder, "attachments.json"),
    log: join(folder, "hub.log"),
  };
}

/** The source of the hub's own records, such as who paused it: no token can have this name. */
export const HUB_SOURCE = "Earshot";

/** In the folder of an account whose hub runs under another one: the socket's path. */
export const SOCKET_PATH_FILE = "hub-socket";

function readSocketPath(folder: string): string | undefined {
  try {
    return readSmallFile(join(folder, SOCKET_PATH_FILE)).trim();
  } catch {
    return undefined; // as usual: the hub is this account's own
  }
}

/** Pipe names are global to the machine, so they include the folder's name. */
function pipeOf(folder: string): string {
  return `\\\\.\\pipe\\earshot-${createHash("sha256").update(folder.toLowerCase()).digest("hex").slice(0, 32)}`;
}

/** A world-writable folder such as `/tmp` must not be made private. */
const FOR_EVERYBODY = 0o1002;

export function prepareHome({ folder }: HubHome): void {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & FOR_EVERYBODY) === FOR_EVERYBODY) {
    const message = `${folder} is a folder for everybody: what is kept must be yours alone.`;
    throw new EarshotError({ code: "LEDGER_REFUSED", message, hint: "Name a folder inside it with EARSHOT_HOME." });
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  rmSync(join(folder, "ledger.reserve"), { force: true }); // 4 MB that version 0.1 kept for a full disk
}

/** The address of this user's hub. It is only trusted after the listener has proven itself. */
export interface HubAddress {
  readonly url: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly version?: string;
  /** The arguments of its start. */
  readonly startedWith?: readonly string[];
  /** The PostgreSQL address of its ledger. */
  readonly store?: string;
}

export function writeAddress(home: HubHome, address: HubAddress): void {
  const text = `${JSON.stringify(address)}\n`;
  writeFileAtomically(home.lastStart, text);
  writeFileAtomically(home.address, text);
}

/** How the running or last hub was started. */
export function readLastStart(home: HubHome): HubAddress | undefined {
  return readAddress(home) ?? readAddressAt(home.lastStart);
}

export function readAddress(home: HubHome): HubAddress | undefined {
  return readAddressAt(home.address);
}

function readAddressAt(path: string): HubAddress | undefined {
  try {
    const { url, pid, startedAt, version, startedWith, store } = JSON.parse(readSmallFile(path)) as Partial<HubAddress>;
    if (typeof url !== "string" || typeof pid !== "number") return undefined;
    const words = Array.isArray(startedWith) ? startedWith.map(String) : [];
    const optional = { ...(typeof version === "string" ? { version } : {}), ...(typeof store === "string" ? { store } : {}) };
    return { url, pid, startedAt: String(startedAt), startedWith: words, ...optional };
  } catch {
    return undefined; // never started, or half written by something else: there is no address to be had
  }
}

/** Only its writer removes it. */
export function removeAddress(home: HubHome, pid: number): void {
  if (readAddress(home)?.pid === pid) rmSync(home.address, { force: true });
}

/** The credential of the user's own commands for reading: created once, in a private file. */
export function takeViewerToken(home: HubHome): string {
  return takeSecret(home.viewerToken);
}

export function readViewerToken(home: HubHome): string | undefined {
  return readToken(home.viewerToken);
}

/** The credential of hooks and the SDK for sending and asking. It can neither read nor decide. */
export function takeProducerToken(home: HubHome): string {
  return takeSecret(home.producerToken);
}

export function readProducerTokenFile(home: HubHome): string | undefined {
  return readToken(home.producerToken);
}

/** The key for authenticating the hub; undefined if no hub ever ran. */
export function readHookKey(home: HubHome): string | undefined {
  return readToken(home.hookKey);
}

/** A secret created once in a private file: a token, or the key of a MAC. */
export function takeSecret(path: string): string {
  const known = readToken(path);
  if (known !== undefined) {
    chmodSync(path, 0o600); // a copy from a backup may have come back readable for everybody
    return known;
  }
  const token = createTokenSecret();
  writeFileAtomically(path, `${token}\n`);
  return token;
}

function readToken(path: string): string | undefined {
  try {
    const token = readSmallFile(path).trim();
    // An invalid or foreign value is replaced.
    return /^[\w-]{32,256}$/.test(token) ? token : undefined;
  } catch {
    return undefined; // not made yet
  }
}

/** Mounted files, such as a token in a container, may be links. */
function readSmallFile(path: string): string {
  return readRegularFile(path, { maxBytes: 64 * 1024, followsLinks: true });
}

/** Private to its owner, and replaced atomically. */
export function writePrivately(path: string, text: string): void {
  writeFileAtomically(path, text);
}

/** The answer to a challenge, which only a reader of the token file can compute. */
export function proofOf(viewerToken: string, challenge: string): string {
  return createHmac("sha256", viewerToken).update(`earshot health ${challenge}`).digest("base64url");
}

/** The hub's name among AAEP producers. A hub in another folder has another name. */
export function producerIdOf({ folder }: Pick<HubHome, "folder">): string {
  if (folder === hubHomeOf({}).folder) return "earshot";
  return `earshot-${createHash("sha256").update(folder).digest("hex").slice(0, 12)}`;
}
