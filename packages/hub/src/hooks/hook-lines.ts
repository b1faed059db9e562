import { createHash } from "node:crypto";
import type { Rendering } from "@earshot/agents";

/**
 * An answer for a shell: a first line that says what follows, then the text to be printed. `earshot wait TOKEN`: ask again with
 * this token, and nothing is to be printed yet. `earshot answer EXIT out`: the rest goes to standard output; `err`: to standard
 * error. Whoever gets anything else has not been answered.
 */
export type HookLines =
  | { readonly kind: "wait"; readonly resume: string }
  | { readonly kind: "answer"; readonly exitCode: number; readonly stdout: string; readonly stderr: string };

/** No agent reads both: where there is something on standard output, that decides. */
export function writeAnswer({ exitCode, stdout, stderr }: Pick<Rendering, "exitCode" | "stdout" | "stderr">): string {
  const isError = stdout === "" && stderr !== "";
  return `earshot answer ${exitCode} ${isError ? "err" : "out"}\n${isError ? stderr : stdout}`;
}

export function writeWait(resume: string): string {
  return `earshot wait ${resume}\n`;
}

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
  const [, exit, where] = /^earshot answer (\d{1,3}) (out|err)$/.exec(first) ?? [];
  if (exit === undefined) return undefined;
  const isError = where === "err";
  return { kind: "answer", exitCode: Number(exit), stdout: isError ? "" : rest, stderr: isError ? rest : "" };
}
