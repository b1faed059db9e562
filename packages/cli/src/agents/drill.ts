import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type AgentCard, compileAnswers } from "@earshot/agents";
import { readShippedAgent } from "@earshot/agents/files";
import { type HubHome, hubHomeOf, readAddress, readProducerTokenFile } from "@earshot/hub/home";
import { renderUnreadableAnswer } from "@earshot/hub/hook";
import { plainText } from "@earshot/terminal/plain-text";
import { quoteForShell } from "../hook/shim-text.ts";
import { awaitHub, EARSHOT_FILE } from "../start-detached.ts";
import { runsLauncher, userCommand } from "./hook-command.ts";
import { type Installation, installPlaceFor, possibleTargets } from "./installation.ts";
import { launcherPath } from "./place.ts";
import type { InstallTarget } from "./plan.ts";
import { Record } from "./record.ts";
import { hookMomentOf } from "./registrations.ts";
import { type HookProcessEnd, runLine } from "./run-line.ts";
import { readSettingsText } from "./settings-file.ts";

/** A command line from a settings file that an agent runs before an action. */
export interface HookLineInFile {
  readonly card: AgentCard;
  readonly path: string;
  readonly hook: string;
  readonly command: string;
}

export const HUB_STATES = ["up", "hung", "stopped", "replaced"] as const;
export type HubState = (typeof HUB_STATES)[number];

/** The agent's answer in one state of the hub. */
export interface DrillResult {
  readonly line: HookLineInFile;
  readonly hub: HubState;
  readonly run: HookProcessEnd;
  /** Whether the answer is a refusal in the agent's format. */
  readonly refuses: boolean;
  /** Whether the other program received the producer token. */
  readonly leaks: boolean;
}

const MESSAGE = "The drill's rules say no.";
const RULES = `rules:\n  - { name: drill, match: {}, answer: deny, message: "${MESSAGE}" }\n`;
const PATIENCE_MS = 60_000;

/** The command lines before actions in these agents' hook files. */
export function registeredLines(installation: Installation, cards: readonly AgentCard[]): readonly HookLineInFile[] {
  const record = new Record(installPlaceFor(installation, "user").earshotHome);
  const { bin } = hubHomeOf(installation.env);
  return possibleTargets(installation, record, { cards })
    .filter(({ path }) => !path.startsWith(`${bin}/`))
    .flatMap((target) => linesIn(target, installation));
}

/** In a project, the shell goes on after the launcher's words. */
const WATCHES_ONLY = / observe(?:;|$)/;

function linesIn({ card, path, part }: InstallTarget, installation: Installation): readonly HookLineInFile[] {
  const settings = readSettingsText(path);
  if (!settings.ok || settings.text === null || !part.isTouched(settings.text)) return [];
  const gating = card.hooks.filter((hook) => hookMomentOf(card, hook) === "before_action");
  return commandsIn(card, settings.text, installation).flatMap((command) => {
    const hook = gating.find((name) => namesHook(command, name) || basename(path) === name);
    return hook === undefined || WATCHES_ONLY.test(command) ? [] : [{ card, path, hook, command }];
  });
}

/** JSON, TOML and YAML files hold each command line as a double-quoted string; a script is the command itself. */
function commandsIn(card: AgentCard, text: string, { env, platform }: Installation): readonly string[] {
  const kind = (card.user ?? card.project)?.format.kind;
  if (kind === "scripts") return [text];
  if (kind === "plugin") {
    const launcher = launcherPath({ earshotHome: hubHomeOf(env).folder, platform });
    const seconds = card.deadline.gateS;
    return card.hooks
      .filter((hook) => hookMomentOf(card, hook) === "before_action")
      .map((hook) => userCommand({ launcher, agent: card.slug, hook, seconds, watchOnly: false }, platform));
  }
  const quoted = text.match(/"(?:[^"\\\n]|\\.)*"/g) ?? [];
  return quoted.map((one) => JSON.parse(one) as string).filter(runsLauncher);
}

function namesHook(command: string, hook: string): boolean {
  return new RegExp(`(?<![\\w])${hook.replaceAll(".", "\\.")}(?![\\w])`).test(command);
}

/**
 * Runs each command line while the hub is up, and unless `onlyUp`, hung, stopped, and replaced by another program. The line is run as registered, but in a
 * copy of Earshot's folder with its own hub: the user's hub, rules and files are not touched.
 */
export async function* drill(
  lines: readonly HookLineInFile[],
  installation: Installation,
  { onlyUp = false } = {},
): AsyncGenerator<DrillResult> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "earshot-drill-")));
  const copy = copyInstallation(root, installation);
  const run = async (line: HookLineInFile, hub: HubState, heard: readonly string[] = []): Promise<DrillResult> => {
    const { env, timeoutMs, move } = copy;
    const done = await runLine(move(line.command), payloadFor(line), { cwd: root, env, timeoutMs });
    const token = readProducerTokenFile(copy.home) ?? "";
    return { line, hub, run: done, refuses: isRefusal(line, done), leaks: token !== "" && heard.some((text) => text.includes(token)) };
  };
  let hub: ChildProcess | undefined;
  try {
    hub = await startHub(copy.home, copy.env);
    for (const line of lines) yield await run(line, "up");
    if (onlyUp) return;
    for (const line of lines) {
      hub.kill("SIGSTOP");
      yield await run(line, "hung");
      hub.kill("SIGCONT");
    }
    await kill(hub);
    for (const line of lines) {
      forbidStarting(copy.home);
      yield await run(line, "stopped");
    }
    const strangers = await listenInItsPlace(copy.home);
    try {
      for (const line of lines) {
        forbidStarting(copy.home);
        yield await run(line, "replaced", strangers.heard);
      }
    } finally {
      strangers.close();
    }
  } finally {
    if (hub !== undefined) await kill(hub);
    rmSync(root, { recursive: true, force: true });
  }
}

interface Copy {
  readonly home: HubHome;
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  readonly timeoutMs: number;
  /** Redirects a command or script to the copy. */
  readonly move: (text: string) => string;
}

/** The installed launcher with its files, for a hub in another folder. A missing or broken launcher stays as it is. */
function copyInstallation(root: string, { env, userHome }: Installation): Copy {
  const real = hubHomeOf(env);
  const copiedHome = join(root, "user");
  const below = real.folder.startsWith(`${userHome}/`) ? real.folder.slice(userHome.length) : "/.earshot";
  const bin = join(copiedHome, below, "bin");
  const home = hubHomeOf({ EARSHOT_HOME: join(root, "hub") });
  const moves = [
    [real.bin, bin],
    [real.folder, home.folder],
  ] as const;
  const inQuotes = (path: string) => quoteForShell(path).slice(1, -1);
  const move = (text: string) =>
    moves.reduce((moved, [from, to]) => moved.replaceAll(inQuotes(from), inQuotes(to)).replaceAll(from, to), text);
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(home.folder, "run"), { recursive: true, mode: 0o700 });
  writeFileSync(home.policy, RULES, { mode: 0o600 });
  if (existsSync(real.bin))
    for (const name of readdirSync(real.bin)) {
      const path = join(real.bin, name);
      const { mode } = statSync(path);
      if (statSync(path).isFile()) writeFileSync(join(bin, name), move(readFileSync(path, "utf8")), { mode });
    }
  return { home, env: { PATH: env["PATH"], HOME: copiedHome, EARSHOT_HOME: home.folder }, timeoutMs: PATIENCE_MS, move };
}

/** A documented payload of the agent for this hook. */
function payloadFor({ card, hook }: HookLineInFile) {
  const { payloads = {} } = readShippedAgent(card.slug) ?? {};
  return payloads[hook] ?? {};
}

function isRefusal({ card, hook }: HookLineInFile, run: HookProcessEnd): boolean {
  const answers = readShippedAgent(card.slug)?.answers;
  if (run.kind !== "ended" || answers === undefined) return false;
  const refusal = renderUnreadableAnswer(compileAnswers(answers), hook, "deny", { message: MESSAGE, asks: true });
  return refusal !== undefined && run.code === refusal.exitCode && `${run.stdout}${run.stderr}`.includes(MESSAGE);
}

async function startHub(home: HubHome, env: Copy["env"]): Promise<ChildProcess> {
  const words = ["--disable-sigusr1", EARSHOT_FILE, "start", "--no-open", "--no-notify", "--port", "0"];
  const child = spawn(process.execPath, words, { env, cwd: home.folder, stdio: "ignore" });
  await awaitHub(env, { isIt: ({ pid }) => pid === child.pid, isHopeless: () => child.exitCode !== null });
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

/** As if a hub had been started a few seconds ago without success: hooks then start none. */
function forbidStarting({ folder }: HubHome): void {
  const lock = join(folder, "run", "starting");
  writeFileSync(lock, "");
  const before = Date.now() / 1000 - 10;
  utimesSync(lock, before, before);
}

/** A program that took the hub's socket and port and allows everything. */
async function listenInItsPlace(home: HubHome): Promise<{ readonly heard: readonly string[]; close(): void }> {
  const heard: string[] = [];
  const servers: Server[] = [];
  const listen = (where: { readonly path: string } | { readonly port: number; readonly host: string }) =>
    new Promise<void>((resolve, reject) => {
      const server = createServer((request, response) => {
        heard.push(JSON.stringify(request.headers));
        response.end(`earshot answer 0 out\n{"permissionDecision":"allow","decision":"allow"}\n`);
      });
      servers.push(server);
      server.once("error", reject);
      server.listen(where, resolve);
    });
  rmSync(home.socket, { force: true });
  await listen({ path: home.socket });
  const url = URL.parse(readAddress(home)?.url ?? "");
  if (url !== null) await listen({ port: Number(url.port), host: url.hostname });
  return {
    heard,
    close() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

const STATE_NAMES: Readonly<{ [State in HubState]: string }> = {
  up: "hub up",
  hung: "hub hung",
  stopped: "hub stopped",
  replaced: "stranger in its place",
};

/** The results of a drill: the answer of each registered line in each state. */
export function drillLines(results: readonly DrillResult[]): string {
  const width = Math.max(...Object.values(STATE_NAMES).map(({ length }) => length));
  return [...Map.groupBy(results, ({ line }) => line)]
    .map(([{ card, path, hook, command }, group]) => {
      const rows = group.map((result) => {
        const { hub, refuses, run } = result;
        return `  ${STATE_NAMES[hub].padEnd(width)}  ${refuses ? "refuses" : "DOES NOT REFUSE"}  ${plainText(describeRun(run))}\n`;
      });
      return `${plainText(`${card.name}, ${hook}, in ${path}`)}\n  ${plainText(command.trimEnd().split("\n").at(-1) ?? "")}\n${rows.join("")}`;
    })
    .join("\n");
}

export function describeRun(run: HookProcessEnd): string {
  if (run.kind === "late") return "no answer";
  if (run.kind === "crashed") return "the hook crashed";
  const said = `${run.stdout}${run.stderr}`.trim();
  return `exit ${run.code}${said === "" ? ", without a word" : `: ${said}`}`;
}

/** Whether a refused action could run, or another program learned a secret. */
export function isGateBroken({ refuses, leaks }: DrillResult): boolean {
  return !refuses || leaks;
}

/** The summary below the lines. */
export function drillConclusion(results: readonly DrillResult[]): string {
  const open = results.filter(({ refuses }) => !refuses);
  const names = [...new Set(open.map(({ line, hub }) => `${line.card.name} at ${line.hook} with ${STATE_NAMES[hub]}`))];
  const lines = [
    open.length === 0
      ? "Actions that the drill's rules deny are denied in every state of the hub."
      : `Not denied: ${names.join("; ")}. \`earshot doctor\` says what to repair.`,
    ...(results.some(({ leaks }) => leaks) ? ["Another program on the hub's port received the producer token."] : []),
  ];
  return `\n${lines.join("\n")}\n`;
}
