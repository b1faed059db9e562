import type { JsonValue } from "@earshot/protocol/json";

/** What an agent runs: the launcher, and who calls it at which hook. */
export interface HookLine {
  /** The launcher of this user, an absolute path. */
  readonly launcher: string;
  readonly agent: string;
  readonly hook: string;
  /** How long the agent waits, as it is told to. */
  readonly seconds: number;
  /** The agent does not wait for an answer here, although it could be told one. */
  readonly watchOnly: boolean;
}

/** The name of the launcher in `bin` of Earshot's folder. Never changes: agents ask for trust again when a command does. */
export const LAUNCHER = "earshot-hook";

/** Entries of Earshot are known by what they run: agents drop members that they do not know. */
const OWN = /[\\/]bin[\\/]earshot-hook(?![\w])/;

/** Whether a text runs the launcher. */
export function runsLauncher(text: string): boolean {
  return OWN.test(text);
}

/** The line for a person's own settings. */
export function userCommand(line: HookLine, platform: NodeJS.Platform = process.platform): string {
  return [quote(line.launcher, platform), ...wordsOf(line)].join(" ");
}

/**
 * The line for settings that go with a project. On a machine without Earshot it gives the answer that changes nothing: the
 * launcher is looked for in the home of whoever runs it, since the file is everybody's.
 */
export function projectCommand(line: HookLine, userHome: string, neutral: JsonValue | undefined): string {
  const inHome = line.launcher.startsWith(`${userHome}/`) ? line.launcher.slice(userHome.length) : undefined;
  const launcher = inHome === undefined ? quote(line.launcher, "linux") : `"$HOME${inHome.replaceAll(/["$`\\]/g, "\\$&")}"`;
  const otherwise = neutral === undefined ? "exit 0" : `echo ${quote(JSON.stringify(neutral), "linux")}`;
  return `if [ -x ${launcher} ]; then exec ${[launcher, ...wordsOf(line)].join(" ")}; fi; ${otherwise}`;
}

/** What follows the launcher. */
export function wordsOf({ agent, hook, seconds, watchOnly }: Omit<HookLine, "launcher">): readonly string[] {
  return [agent, hook, String(Math.max(1, Math.floor(seconds))), ...(watchOnly ? ["observe"] : [])];
}

/** One word of a shell. On Windows, forward slashes are read by cmd, PowerShell and Git's bash alike inside double quotes. */
export function quote(word: string, platform: NodeJS.Platform): string {
  if (platform === "win32") return `"${word.replaceAll("\\", "/")}"`;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
