import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { renderNeutral } from "@earshot/agents";
import { AgentFiles, shippedAgents } from "@earshot/agents/files";
import type { HubHome } from "@earshot/hub/home";
import { renderUnreadableAnswer, unreadableAnswerLocally } from "@earshot/hub/hook";
import { EARSHOT_FILE } from "../start-detached.ts";
import { type AskSupportText, quoteForShell, type ShimOptions, shimText, type UnreadText } from "./shim-text.ts";

/** Fixed values that a hook must not read from its environment, where a project could redirect it to another hub. */
export interface LauncherOptions extends ShimOptions {
  /** The hub's folder. */
  readonly home: string;
  readonly socket: string;
  /** The user's home folder. */
  readonly userHome: string;
  /** Absolute paths of programs. Some are missing on some systems: without `timeout`, `perl` limits the time. */
  readonly node: string;
  readonly earshot: string;
  readonly curl?: string;
  readonly env: string;
  readonly timeout?: string;
  readonly perl?: string;
  /** Prints the SHA-256 of its input. */
  readonly digest?: string;
  /** Whether the socket belongs to a hub under another account, which requires the producer token. */
  readonly shows?: boolean;
  /** The shell that runs it. */
  readonly shell: string;
  /** The PATH for `dd` and similar programs. */
  readonly path: string;
}

/** The launcher in `bin` of the hub's folder, the only program that agents are told to run. */
export function launcherText(options: LauncherOptions): string {
  const {
    home,
    socket,
    userHome,
    node,
    earshot,
    curl = "",
    env,
    timeout = "",
    perl = "",
    digest = "",
    shows = false,
    shell,
    path,
  } = options;
  const here = shell.endsWith("/dash") ? "1" : "";
  const baked = { home, socket, user_home: userHome, node, earshot, curl, env, timeout, perl, digest, shows: shows ? "1" : "", here, path };
  const lines = Object.entries(baked).map(([name, value]) => `${name}=${quoteForShell(value)}`);
  return `#!${shell}
# Earshot's hook for coding agents. Written by \`earshot init\`, which writes it anew.
${lines.join("\n")}
${shimText(options)}`;
}

/** Windows has no POSIX shell, so Node starts each time. */
export function windowsLauncherText({ home, node, earshot }: Pick<LauncherOptions, "home" | "node" | "earshot">): string {
  return [
    "@echo off",
    "setlocal",
    `set "EARSHOT_HOME=${home}"`,
    "set NODE_OPTIONS=",
    "set NODE_PATH=",
    `"${node}" --disable-sigusr1 "${earshot}" hook %*`,
    "",
  ].join("\r\n");
}

const BROKEN = "Earshot is not working, so this action could not be checked. `earshot doctor` says why.";

/** System programs are only looked up here, where a project cannot put anything. */
const SYSTEM_PATH = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin", "/opt/homebrew/bin"];

/** The facts about this machine that a launcher needs. */
export async function launcherPlaces(home: HubHome): Promise<LauncherOptions> {
  const [curl, env, timeout, perl, dash] = ["curl", "env", "timeout", "perl", "dash"].map(findProgram);
  const sha256sum = findProgram("sha256sum");
  const shasum = findProgram("shasum");
  const digest = sha256sum ?? (shasum === undefined ? undefined : `${shasum} -a 256`);
  const files = new AgentFiles();
  const neutrals: Record<string, string> = {};
  const unreads: UnreadText[] = [];
  const asking: AskSupportText[] = [];
  for (const slug of shippedAgents()) {
    const agent = await files.agent(slug);
    if (agent === undefined) continue;
    neutrals[slug] = renderNeutral(agent.answers).stdout;
    const { modes, unattended = {} } = agent.answers.answers.asking ?? {};
    if (agent.answers.answers.asking !== undefined) asking.push({ agent: slug, modes, unattended });
    for (const hook of agent.answers.answers.hooks.flatMap(({ hooks }) => hooks)) {
      for (const answer of ["ask", "deny"] as const) {
        const said = renderUnreadableAnswer(agent.answers, hook, answer, { message: BROKEN, asks: true });
        if (said !== undefined) unreads.push({ agent: slug, hook, answer, ...said });
      }
    }
  }
  const { answer: unreadable } = await unreadableAnswerLocally(home, undefined);
  return {
    home: home.folder,
    socket: home.socket,
    userHome: homedir(),
    node: process.execPath,
    earshot: EARSHOT_FILE,
    env: env ?? "/usr/bin/env",
    ...(curl === undefined ? {} : { curl }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(perl === undefined ? {} : { perl }),
    ...(digest === undefined ? {} : { digest }),
    shows: home.isSeparate,
    shell: dash ?? "/bin/sh",
    path: SYSTEM_PATH.join(delimiter),
    neutrals,
    unreadable,
    unreads,
    asking,
  };
}

function findProgram(name: string): string | undefined {
  return SYSTEM_PATH.map((folder) => join(folder, name)).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
