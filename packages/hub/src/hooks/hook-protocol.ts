import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { MappedEvent, RenderedAnswer } from "@earshot/agents";
import type { AepEvent } from "@earshot/protocol";
import { isObject, readJson } from "@earshot/protocol/json";

/**
 * An answer for the launcher: a first line with its kind, then the text to print. `earshot wait TOKEN`: long-poll with this token.
 * `earshot again`: the hub no longer has the token's payload, as after a restart, and needs it again. `earshot answer EXIT out`: the rest
 * goes to standard output; `err`: to standard error. Anything else is invalid.
 */
export type HookLines =
  | { readonly kind: "wait"; readonly resume: string }
  | { readonly kind: "again" }
  | { readonly kind: "answer"; readonly exitCode: number; readonly stdout: string; readonly stderr: string };

/** No agent reads both: standard output takes precedence. */
export function writeAnswerLines({ exitCode, stdout, stderr }: Pick<RenderedAnswer, "exitCode" | "stdout" | "stderr">): string {
  const isError = stdout === "" && stderr !== "";
  return `earshot answer ${exitCode} ${isError ? "err" : "out"}\n${isError ? stderr : stdout}`;
}

export function writeWaitLines(resume: string): string {
  return `earshot wait ${resume}\n`;
}

export const REPEAT_LINE = "earshot again\n";

/**
 * Adds a MAC to the first line, for a launcher that sent a nonce: an impostor on the socket cannot compute it without the producer token.
 * The secret encloses everything else, so nothing can be appended. Shells strip trailing line breaks.
 */
export function proveLines(
  secret: string,
  { nonce, asked, lines }: { readonly nonce: string; readonly asked: Buffer; readonly lines: string },
): string {
  const answer = withoutLineEnds(Buffer.from(lines)).toString();
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

/** Undefined if it is not a hub's answer. */
export function readHookLines(text: string): HookLines | undefined {
  const end = text.indexOf("\n");
  const first = end < 0 ? text : text.slice(0, end);
  const rest = end < 0 ? "" : text.slice(end + 1);
  const [, resume] = /^earshot wait ([\w-]{1,4096})$/.exec(first) ?? [];
  if (resume !== undefined) return { kind: "wait", resume };
  if (`${first}\n` === REPEAT_LINE) return { kind: "again" };
  const [, exit, where] = /^earshot answer (\d{1,3}) (out|err)$/.exec(first) ?? [];
  if (exit === undefined) return undefined;
  const isError = where === "err";
  return { kind: "answer", exitCode: Number(exit), stdout: isError ? "" : rest, stderr: isError ? rest : "" };
}

/**
 * Over TCP any program may hold the port, so a hub proves that it is this user's with a key from a private file that is never sent: first
 * that it listens at this very port, before it receives anything, and then with every answer that it belongs to this question.
 */
export function proveHub(key: string, nonce: string, port: number): string {
  return sign(key, ["earshot hub", nonce, String(port)]);
}

export interface ProvenAnswer {
  readonly nonce: string;
  /** The awaited request; empty for none. */
  readonly request: string;
  /** The payload as it was sent. */
  readonly asked: string | Uint8Array;
  /** The answer as it was given. */
  readonly answer: string;
}

export function proveAnswerLines(key: string, { nonce, request, asked, answer }: ProvenAnswer): string {
  return sign(key, ["earshot verdict", nonce, request, digestOf(asked), digestOf(answer)]);
}

export function isProof(expected: string, given: string | undefined): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given ?? "")];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Length-prefixed, so that parts cannot be confused. */
function sign(key: string, parts: readonly string[]): string {
  const text = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(",");
  return createHmac("sha256", key).update(text).digest("base64url");
}

function digestOf(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("base64url");
}

/**
 * The token of a waiting hook: everything generated when it first asked. With it, the same payload becomes the same events in a restarted
 * hub. It contains nothing the asker could not have chosen itself.
 */
export interface HookResume {
  /** The pending request. */
  readonly request: string;
  /** Index of the asking event. */
  readonly index: number;
  /** Time of the first question, in Unix milliseconds. */
  readonly at: number;
  /** The ids of its events in order. */
  readonly ids: readonly string[];
  /** The ids of their calls; empty for none. */
  readonly calls: readonly string[];
}

const MAX_EVENTS = 32;
const LONGEST_ID = 200;

export function writeHookResume(resume: HookResume): string {
  return Buffer.from(JSON.stringify(resume)).toString("base64url");
}

/** Undefined for a token this code did not write. */
export function readHookResume(text: string): HookResume | undefined {
  const read = readJson(Buffer.from(text, "base64url").toString("utf8"));
  if (!read.ok || !isObject(read.value)) return undefined;
  const { request, index, at, ids, calls } = read.value;
  if (typeof request !== "string" || typeof index !== "number" || typeof at !== "number") return undefined;
  if (!Number.isSafeInteger(at) || !isIds(ids) || !isIds(calls)) return undefined;
  return { request, index, at, ids, calls };
}

/** The events of a repeated payload with their original calls. */
export function restoreCalls(events: readonly MappedEvent[], { calls }: HookResume): readonly AepEvent[] {
  return events.map(({ event }, index) => {
    const id = calls[index] ?? "";
    if (id === "" || event.action === undefined) return event;
    const { "x-unjoined": _joined, ...extensions } = event.extensions ?? {};
    const { extensions: _old, ...rest } = { ...event, action: { ...event.action, id } };
    return Object.keys(extensions).length === 0 ? rest : { ...rest, extensions };
  });
}

function isIds(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= MAX_EVENTS && value.every((id) => typeof id === "string" && id.length <= LONGEST_ID);
}
