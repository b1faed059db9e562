import { hash } from "node:crypto";
import { nameOf, type Resume, readProducerAddress } from "@earshot/aaep";
import { EarshotError, isObject, type JsonObject, type JsonValue } from "@earshot/protocol";
import { redactText } from "../intake/redact-text.ts";

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
      readonly keys: readonly JsonObject[];
    }
  | { readonly kind: "command"; readonly command: readonly string[]; readonly cwd: string };

const LONGEST_URL = 2048;
const LONGEST_NAME = 200;
const MOST_HEADERS = 20;
const MOST_WORDS = 200;
const LONGEST_WORD = 8192;
const MOST_KEYS = 10;
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const HEADER_VALUE = /^[\t\x20-\x7e]{1,8192}$/;
/** Headers that say where a request goes, or how it is read. */
const OWN_HEADERS: ReadonlySet<string> = new Set(["host", "content-length", "content-type", "transfer-encoding", "connection", "accept"]);

/** What is to be attached, as it came from outside. */
export function readTarget(body: JsonObject): AttachmentTarget {
  const { url, command } = body;
  if ((url === undefined) === (command === undefined)) throw wrong("Either `url` or `command`.");
  return command === undefined ? readAddressTarget(body) : readCommandTarget(body);
}

/** What it is called: without a query, headers or what else may be secret. No credential can have such a name. */
export function sourceOf(target: AttachmentTarget): string {
  const name = target.kind === "address" ? nameOf(readProducerAddress(target.url)) : `run: ${target.command.join(" ")}`;
  const visible = [...redactText(name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ")).text];
  if (visible.length <= LONGEST_NAME) return visible.join("");
  // Two long ones that begin alike are two sources.
  return `${visible.slice(0, LONGEST_NAME).join("")}… ${hash("sha256", name, "hex").slice(0, 8)}`;
}

function readAddressTarget({ url, headers = {}, keys = [] }: JsonObject): AttachmentTarget {
  if (typeof url !== "string" || url.length > LONGEST_URL) throw wrong("`url` is the address of a producer.");
  const address = readProducerAddress(url);
  if (address.kind !== "socket") checkEncrypted(address.kind === "http" ? address.base : address.url);
  if (!isObject(headers) || Object.keys(headers).length > MOST_HEADERS) throw wrong("`headers` is an object of texts.");
  const entries = Object.entries(headers).map(([name, value]): [string, string] => {
    const isUsable = HEADER.test(name) && !OWN_HEADERS.has(name.toLowerCase());
    if (!isUsable || typeof value !== "string" || !HEADER_VALUE.test(value)) throw wrong(`The header ${name.slice(0, 60)} cannot be sent.`);
    return [name.toLowerCase(), value];
  });
  return { kind: "address", url, headers: Object.fromEntries(entries), keys: readKeys(keys) };
}

/** Between machines, what an agent says and what a person answers is not for everybody on the way. */
function checkEncrypted(url: string): void {
  const { protocol, hostname } = new URL(url);
  const isHere = hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
  if (isHere || protocol === "https:" || protocol === "wss:") return;
  const hint = "Use https or wss, or a tunnel that ends on this machine.";
  throw new EarshotError({ code: "WRONG_QUERY", message: "A producer on another machine is reached with TLS only.", hint });
}

function readCommandTarget({ command, cwd }: JsonObject): AttachmentTarget {
  const isWord = (word: JsonValue): word is string => typeof word === "string" && word.length <= LONGEST_WORD && !word.includes("\0");
  if (!Array.isArray(command) || command.length === 0 || command.length > MOST_WORDS || !command.every(isWord) || command[0] === "")
    throw wrong("`command` is a list of texts: a program and its arguments.");
  if (typeof cwd !== "string" || cwd === "" || cwd.length > LONGEST_WORD || cwd.includes("\0"))
    throw wrong("`cwd` is the folder to run it in.");
  return { kind: "command", command, cwd };
}

function readKeys(keys: JsonValue): readonly JsonObject[] {
  if (!Array.isArray(keys) || keys.length > MOST_KEYS || !keys.every(isPublicKey)) throw wrong("`keys` is a list of public keys as JWK.");
  return keys;
}

/** A private key has no business here. */
function isPublicKey(key: JsonValue): key is JsonObject {
  return isObject(key) && (key["kty"] === "EC" || key["kty"] === "RSA") && key["d"] === undefined;
}

function wrong(message: string): EarshotError {
  return new EarshotError({ code: "WRONG_QUERY", message });
}
