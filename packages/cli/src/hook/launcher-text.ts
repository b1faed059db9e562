import { quoteForShell, type ShimOptions, shimText } from "./shim-text.ts";

/** Everything that a hook must not learn from its surroundings: a project could point it at a hub of its own. */
export interface LauncherOptions extends ShimOptions {
  /** The hub's folder. */
  readonly home: string;
  readonly socket: string;
  /** The folder of the user. */
  readonly userHome: string;
  /** Absolute paths of programs. Not all of them are everywhere: where there is no `timeout`, `perl` keeps the time. */
  readonly node: string;
  readonly earshot: string;
  readonly curl?: string;
  readonly env: string;
  readonly timeout?: string;
  readonly perl?: string;
  /** Which shell runs it. */
  readonly shell: string;
  /** Where `dd` and the like are. */
  readonly path: string;
}

/** What is put into `bin` in the hub's folder, and is the only thing that agents are told to run. */
export function launcherText(options: LauncherOptions): string {
  const { home, socket, userHome, node, earshot, curl = "", env, timeout = "", perl = "", shell, path } = options;
  const here = shell.endsWith("/dash") ? "1" : "";
  const baked = { home, socket, user_home: userHome, node, earshot, curl, env, timeout, perl, here, path };
  const lines = Object.entries(baked).map(([name, value]) => `${name}=${quoteForShell(value)}`);
  return `#!${shell}
# Earshot's hook for coding agents. Written by \`earshot init\`, which writes it anew.
${lines.join("\n")}
${shimText(options)}`;
}

/** On Windows there is no such shell: Node is started each time. */
export function windowsLauncherText({ home, node, earshot }: Pick<LauncherOptions, "home" | "node" | "earshot">): string {
  return [
    "@echo off",
    "setlocal",
    `set "EARSHOT_HOME=${home}"`,
    "set NODE_OPTIONS=",
    "set NODE_PATH=",
    `"${node}" "${earshot}" hook %*`,
    "",
  ].join("\r\n");
}
