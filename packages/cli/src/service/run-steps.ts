import { spawnSync } from "node:child_process";
import type { Service, Step } from "./service.ts";

export interface Ran {
  /** Undefined when there is no such program. */
  readonly status: number | undefined;
  readonly output: string;
}

export type Run = (words: readonly string[]) => Ran;

export const runCommand: Run = ([program = "", ...words]) => {
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: "utf8", timeout: 60_000, windowsHide: true });
  if (error !== undefined) return { status: undefined, output: error.message };
  return { status: status ?? 1, output: `${stdout}${stderr}`.trim() };
};

export type Outcome = { readonly ok: true } | { readonly ok: false; readonly step: Step; readonly why: string };

/** One after the other, up to the first that fails. */
export function runSteps(steps: readonly Step[], run: Run): Outcome {
  for (const step of steps) {
    const { status, output } = run(step.words);
    if (status === 0 || step.mayFail === true) continue;
    const why = status === undefined ? `There is no ${step.words[0]} here.` : output.split("\n", 1).join("");
    return { ok: false, step, why };
  }
  return { ok: true };
}

/** The process that the system runs for the service, if it does and says which. */
export function processOf({ process }: Service, run: Run): number | undefined {
  if (process === undefined) return undefined;
  const { status, output } = run(process.words);
  const [, pid] = status === 0 ? (process.pattern.exec(output) ?? []) : [];
  return pid === undefined ? undefined : Number(pid);
}

/** As it can be typed into a shell. */
export function typed({ words }: Step): string {
  return words.map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `"${word}"`)).join(" ");
}
