import type { JsonValue } from "@earshot/protocol/json";

/** The launcher and the agent and hook that call it. */
export interface HookLine {
  /** Absolute path of this user's launcher. */
  readonly launcher: string;
  readonly agent: string;
  readonly hook: string;
  /** The timeout registered with the agent. */
  readonly seconds: number;
  /** The agent does not wait for an answer although it could. */
  readonly watchOnly: boolean;
}

/** The launcher's name in `bin` of Earshot's folder. Never changes, because agents ask for trust again after a change. */
export const LAUNCHER = "earshot-hook";

/** Earshot's entries are recognized by their command, because agents drop unknown members. */
const OWN = /[\\/]bin[\\/]earshot-hook(?![\w])/;

/** Whether a text runs the launcher. */
export function runsLauncher(text: string): boolean {
  return OWN.test(text);
}

/** The command line for a person's own settings. */
export function userCommand(line: HookLine, platform: NodeJS.Platform = process.platform): string {
  return [quoteArgument(line.launcher, platform), ...launcherArgumentsOf(line)].join(" ");
}

/**
 * The command line for project settings. It looks for the launcher in the home of the user who runs it, because the file is shared;
 * without Earshot it prints the neutral answer.
 */
export function projectCommand(line: HookLine, userHome: string, neutral: JsonValue | undefined): string {
  const inHome = line.launcher.startsWith(`${userHome}/`) ? line.launcher.slice(userHome.length) : undefined;
  const launcher = inHome === undefined ? quoteArgument(line.launcher, "linux") : `"$HOME${inHome.replaceAll(/["$`\\]/g, "\\$&")}"`;
  const otherwise = neutral === undefined ? "exit 0" : `echo ${quoteArgument(JSON.stringify(neutral), "linux")}`;
  return `if [ -x ${launcher} ]; then exec ${[launcher, ...launcherArgumentsOf(line)].join(" ")}; fi; ${otherwise}`;
}

/** The launcher's arguments. */
export function launcherArgumentsOf({ agent, hook, seconds, watchOnly }: Omit<HookLine, "launcher">): readonly string[] {
  return [agent, hook, String(Math.max(1, Math.floor(seconds))), ...(watchOnly ? ["observe"] : [])];
}

/** Quotes one word for the shell. On Windows, cmd, PowerShell and Git's bash all accept forward slashes in double quotes. */
export function quoteArgument(word: string, platform: NodeJS.Platform): string {
  if (platform === "win32") return `"${word.replaceAll("\\", "/")}"`;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
