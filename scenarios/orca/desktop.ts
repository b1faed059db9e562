import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** A desktop session: a virtual screen, a bus, and a speech server with a voice that writes to a file. */
export interface Desktop extends AsyncDisposable {
  readonly folder: string;
  /** For programs that run in it. */
  readonly env: Readonly<Record<string, string>>;
  /** The voice writes one utterance per line here. */
  readonly spokenFile: string;
  /** Starts a program that ends with the desktop. */
  run(command: string, words: readonly string[], stdio?: SpawnOptions["stdio"]): ChildProcess;
  /** Output of the programs in it. */
  readonly logFile: string;
}

/** Speech rate in words per minute: usual for an experienced screen reader user. */
const PACE_WPM = 400;

export async function openDesktop(): Promise<Desktop> {
  const folder = mkdtempSync(join(tmpdir(), "earshot-orca-"));
  const [home, run, speech] = [join(folder, "home"), join(folder, "run"), join(folder, "speech")] as const;
  for (const path of [home, run, speech]) mkdirSync(path, { mode: 0o700 });
  const [logFile, spokenFile] = [join(folder, "log.txt"), join(folder, "spoken.jsonl")];
  const log = openSync(logFile, "a");
  const bus = join(run, "bus");
  const server = join(run, "speech.sock");
  const env: Record<string, string> = {
    PATH: process.env["PATH"] ?? "",
    LANG: "C.UTF-8",
    LC_ALL: "C.UTF-8",
    HOME: home,
    XDG_RUNTIME_DIR: run,
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}`,
    SPEECHD_ADDRESS: `unix_socket:${server}`,
  };
  const children: ChildProcess[] = [];
  const start = (command: string, words: readonly string[], stdio: SpawnOptions["stdio"] = ["ignore", log, log]) => {
    const child = spawn(command, words, { env, stdio });
    children.push(child);
    return child;
  };
  // Cleans up when interrupted: without a desktop its programs fail and are removed.
  const breakOff = () => {
    for (const child of children) child.kill("SIGKILL");
  };
  process.once("SIGINT", breakOff).once("SIGTERM", breakOff);
  const desktop: Desktop = {
    folder,
    env,
    spokenFile,
    logFile,
    run: start,
    async [Symbol.asyncDispose]() {
      process.off("SIGINT", breakOff).off("SIGTERM", breakOff);
      for (const child of children.reverse()) await end(child);
      closeSync(log);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    writeFileSync(spokenFile, "");
    writeVoice(folder, speech, spokenFile);
    env["DISPLAY"] = `:${await startScreen(start, log)}`;
    start("dbus-daemon", ["--session", "--nofork", `--address=${env["DBUS_SESSION_BUS_ADDRESS"]}`]);
    await untilThere(bus);
    const files = ["-C", speech, "-S", server, "-L", folder, "-P", join(run, "speech.pid")];
    start("speech-dispatcher", ["-s", "-t", "0", ...files]);
    await untilThere(server);
    return desktop;
  } catch (error) {
    await desktop[Symbol.asyncDispose]();
    throw error;
  }
}

/** The server chooses a free number and prints it on the fourth descriptor. */
async function startScreen(start: Desktop["run"], log: number): Promise<string> {
  const words = ["-displayfd", "3", "-screen", "0", "1280x1000x24", "-nolisten", "tcp"];
  const screen = start("Xvfb", words, ["ignore", log, log, "pipe"]);
  const descriptor = screen.stdio[3];
  if (!descriptor || !("readable" in descriptor)) throw new Error("The screen has no descriptor.");
  const number = once(descriptor, "data").then(([chunk]: readonly Buffer[]) => String(chunk).trim());
  const died = once(screen, "exit").then(() => Promise.reject(new Error("Xvfb ended at once.")));
  died.catch(() => {}); // later it may end as it likes
  return Promise.race([number, died]);
}

/** Debian's configuration of speech-dispatcher with the test's voice only. */
function writeVoice(folder: string, speech: string, spokenFile: string): void {
  const voice = join(folder, "voice");
  const words = [process.execPath, resolve("scenarios/orca/voice.ts"), "--file", spokenFile, "--pace", PACE_WPM];
  writeFileSync(voice, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(" ")}\n`, { mode: 0o755 });
  const symbols = ["gender-neutral", "font-variants", "symbols", "emojis", "orca", "orca-chars"];
  const lines = [
    "LogLevel 2",
    'SymbolsPreproc "char"',
    ...symbols.map((name) => `SymbolsPreprocFile "${name}.dic"`),
    `AddModule "earshot" "${voice}" ""`,
    'DefaultModule "earshot"',
    'DefaultLanguage "en"',
  ];
  writeFileSync(join(speech, "speechd.conf"), `${lines.join("\n")}\n`);
}

async function untilThere(path: string): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    if (existsSync(path)) return;
    await pause(50);
  }
  throw new Error(`${path} did not appear.`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const isOver = await Promise.race([ended.then(() => true), pause(3000, false, { ref: false })]);
  if (!isOver) child.kill("SIGKILL");
  await ended;
}
