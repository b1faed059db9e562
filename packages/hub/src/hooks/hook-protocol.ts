import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { MappedEvent, Rendering } from "@earshot/agents";
import type { AepEvent } from "@earshot/protocol";
import { isObject, readJson } from "@earshot/protocol/json";

/**
 * An answer for a shell: a first line that says what follows, then the text to be printed. `earshot wait TOKEN`: a long poll with
 * this token gets the answer. `earshot again`: the hub does not have the payload of the token, as after a restart, and needs it again.
 * `earshot answer EXIT out`: the rest goes to standard output; `err`: to standard error. Anything else is no answer.
 */
export type HookLines =
  | { readonly kind: "wait"; readonly resume: string }
  | { readonly kind: "again" }
  | { readonly kind: "answer"; readonly exitCode: number; readonly stdout: string; readonly stderr: string };

/** No agent reads both: where there is something on standard output, that decides. */
export function writeAnswer({ exitCode, stdout, stderr }: Pick<Rendering, "exitCode" | "stdout" | "stderr">): string {
  const isError = stdout === "" && stderr !== "";
  return `earshot answer ${exitCode} ${isError ? "err" : "out"}\n${isError ? stderr : stdout}`;
}

export function writeWait(resume: string): string {
  return `earshot wait ${resume}\n`;
}

export const AGAIN = "earshot again\n";

/**
 * The same with a MAC at the end of its first line, for a launcher that sent a nonce: whoever holds the place of the socket cannot
 * make one without the producer's secret. The secret encloses everything else, so nothing can be appended. Shells strip line breaks
 * at the end of what they read.
 */
export function proveLines(
  secret: string,
  { nonce, asked, lines }: { readonly nonce: string; readonly asked: Buffer; readonly lines: string },
): string {
  const answer = lines.replace(/\n+$/, "");
  const end = answer.includes("\n") ? answer.indexOf("\n") : answer.length;
  const hash = createHash("sha256").update(`${secret}\n${nonce}\n`).update(withoutLineEnds(asked)).update(`\n${answer}\n${secret}\n`);
  return `${answer.slice(0, end)} ${hash.digest("hex")}${answer.slice(end)}\n`;
}

function withoutLineEnds(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === LINE_FEED) end--;
  return bytes.subarray(0, end);
}

const LINE_FEED = 10;

/** Undefined for what is no answer of a hub. */
export function readHookLines(text: string): HookLines | undefined {
  const end = text.indexOf("\n");
  const first = end < 0 ? text : text.slice(0, end);
  const rest = end < 0 ? "" : text.slice(end + 1);
  const [, resume] = /^earshot wait ([\w-]{1,4096})$/.exec(first) ?? [];
  if (resume !== undefined) return { kind: "wait", resume };
  if (`${first}\n` === AGAIN) return { kind: "again" };
  const [, exit, where] = /^earshot answer (\d{1,3}) (out|err)$/.exec(first) ?? [];
  if (exit === undefined) return undefined;
  const isError = where === "err";
  return { kind: "answer", exitCode: Number(exit), stdout: isError ? "" : rest, stderr: isError ? rest : "" };
}

/**
 * Over TCP anybody may hold the port. So a hub proves that it is this user's: with a key that is in a file of the user's alone
 * and never on the wire. First that it is the one that listens at this very port, before it is told anything; and then, with
 * every answer, that this is its answer to this question, asked just now.
 */
export function proveHub(key: string, nonce: string, port: number): string {
  return sign(key, ["earshot hub", nonce, String(port)]);
}

export interface Verdict {
  readonly nonce: string;
  /** The request that was waited for; empty where there is none. */
  readonly request: string;
  /** What was sent. */
  readonly asked: string | Uint8Array;
  /** What was answered. */
  readonly answer: string;
}

export function proveVerdict(key: string, { nonce, request, asked, answer }: Verdict): string {
  return sign(key, ["earshot verdict", nonce, request, digestOf(asked), digestOf(answer)]);
}

export function isProof(expected: string, given: string | undefined): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given ?? "")];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** No part can be taken for two: each is said with its length. */
function sign(key: string, parts: readonly string[]): string {
  const text = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(",");
  return createHmac("sha256", key).update(text).digest("base64url");
}

function digestOf(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("base64url");
}

/**
 * The token of a hook that waits: everything that was generated when it asked first. With it, the same payload becomes the same events
 * in a hub that was restarted. It holds nothing that the asker could not have chosen itself.
 */
export interface Resume {
  /** The request that waits. */
  readonly request: string;
  /** Which of the events asks. */
  readonly index: number;
  /** When it asked first, in milliseconds since 1970. */
  readonly at: number;
  /** The ids of its events, in their order. */
  readonly ids: readonly string[];
  /** The ids of the calls they belong to; empty where there is none. */
  readonly calls: readonly string[];
}

const MOST_EVENTS = 32;
const LONGEST_ID = 200;

export function writeResume(resume: Resume): string {
  return Buffer.from(JSON.stringify(resume)).toString("base64url");
}

/** Undefined for what we have not written. */
export function readResume(text: string): Resume | undefined {
  const read = readJson(Buffer.from(text, "base64url").toString("utf8"));
  if (!read.ok || !isObject(read.value)) return undefined;
  const { request, index, at, ids, calls } = read.value;
  if (typeof request !== "string" || typeof index !== "number" || typeof at !== "number") return undefined;
  if (!Number.isSafeInteger(at) || !isIds(ids) || !isIds(calls)) return undefined;
  return { request, index, at, ids, calls };
}

/** The events of a payload that was heard before, with the calls they were found to belong to. */
export function rejoin(events: readonly MappedEvent[], { calls }: Resume): readonly AepEvent[] {
  return events.map(({ event }, index) => {
    const id = calls[index] ?? "";
    if (id === "" || event.action === undefined) return event;
    const { "x-unjoined": _joined, ...extensions } = event.extensions ?? {};
    const { extensions: _old, ...rest } = { ...event, action: { ...event.action, id } };
    return Object.keys(extensions).length === 0 ? rest : { ...rest, extensions };
  });
}

function isIds(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= MOST_EVENTS && value.every((id) => typeof id === "string" && id.length <= LONGEST_ID);
}
