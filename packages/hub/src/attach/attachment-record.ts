import { hash } from "node:crypto";
import { nameOf, type Resume, readProducerAddress } from "@earshot/aaep";
import { EarshotError } from "@earshot/protocol";
import { redactText } from "../intake/redact-text.ts";
import type { AttachBody } from "./api.ts";

/** A producer that an approver wished to be heard, as it is kept: a plain value. */
export interface AttachmentRecord {
  readonly id: string;
  /** The name of the source. */
  readonly source: string;
  readonly to: AttachmentTarget;
  readonly by: string;
  readonly at: number;
  /** Where to go on after a cut, or after a restart of the hub. */
  readonly resume: Resume;
}

export type AttachmentTarget =
  | {
      readonly kind: "address";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly keys: readonly object[];
    }
  | { readonly kind: "command"; readonly command: readonly string[]; readonly cwd: string };

const MAX_NAME_CHARACTERS = 200;
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const HEADER_VALUE = /^[\t\x20-\x7e]{1,8192}$/;
/** Headers that say where a request goes, or how it is read. */
const OWN_HEADERS: ReadonlySet<string> = new Set(["host", "content-length", "content-type", "transfer-encoding", "connection", "accept"]);

/** What is to be attached, as it came from outside. */
export function readTarget({ url, headers = {}, keys = [], command, cwd }: AttachBody): AttachmentTarget {
  if (url !== undefined && command === undefined) {
    const address = readProducerAddress(url);
    if (address.kind !== "socket") checkEncrypted(address.kind === "http" ? address.base : address.url);
    return { kind: "address", url, headers: readHeaders(headers), keys };
  }
  if (url === undefined && command !== undefined && cwd !== undefined && command[0] !== "") return { kind: "command", command, cwd };
  throw wrong("Either `url`, or `command` and the folder to run it in, `cwd`.");
}

/** What it is called: without a query, headers or what else may be secret. No credential can have such a name. */
export function sourceOf(target: AttachmentTarget): string {
  const name = target.kind === "address" ? nameOf(readProducerAddress(target.url)) : `run: ${target.command.join(" ")}`;
  const visible = [...redactText(name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ")).text];
  if (visible.length <= MAX_NAME_CHARACTERS) return visible.join("");
  // Two long ones that begin alike are two sources.
  return `${visible.slice(0, MAX_NAME_CHARACTERS).join("")}… ${hash("sha256", name, "hex").slice(0, 8)}`;
}

function readHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, value]) => {
    const isUsable = HEADER.test(name) && !OWN_HEADERS.has(name.toLowerCase());
    if (!isUsable || !HEADER_VALUE.test(value)) throw wrong(`The header ${name.slice(0, 60)} cannot be sent.`);
    return [name.toLowerCase(), value];
  });
  return Object.fromEntries(entries);
}

/** Between machines, what an agent says and what a person answers is not for everybody on the way. */
function checkEncrypted(url: string): void {
  const { protocol, hostname } = new URL(url);
  const isHere = hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
  if (isHere || protocol === "https:" || protocol === "wss:") return;
  const hint = "Use https or wss, or a tunnel that ends on this machine.";
  throw new EarshotError({ code: "WRONG_QUERY", message: "A producer on another machine is reached with TLS only.", hint });
}

function wrong(message: string): EarshotError {
  return new EarshotError({ code: "WRONG_QUERY", message });
}
