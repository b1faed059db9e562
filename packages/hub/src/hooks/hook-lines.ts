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
