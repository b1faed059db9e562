import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { EARSHOT } from "../../tools/built-command.ts";

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A user with a home folder who runs commands. */
export interface Machine extends AsyncDisposable {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<{ [name: string]: string }>;
  earshot(...words: readonly string[]): Ran;
  startHub(): Promise<void>;
  write(path: string, text: string): void;
  read(path: string): string;
  /** Everything in the home and the project except Earshot's own files. */
  snapshot(): Readonly<{ [path: string]: string }>;
}

/** Programs in `bin` of the home come first on the PATH. */
export function openMachine(name = "ana"): Machine {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "es-")));
  const home = join(root, name);
  const project = join(root, "project");
  for (const folder of [home, project]) mkdirSync(folder);
  const { PATH = "" } = process.env;
  const env = { HOME: home, PATH: `${home}/bin:${dirname(process.execPath)}:${PATH}` };
  const hubs: ChildProcess[] = [];
  return {
    home,
    project,
    env,
    earshot(...words) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [EARSHOT, ...words], { cwd: project, env, encoding: "utf8" });
      return { code: status, out: stdout, err: stderr };
    },
    async startHub() {
      const hub = spawn(process.execPath, [EARSHOT, "start", "--no-open", "--port", "0"], {
        cwd: home,
        env,
        stdio: ["ignore", "pipe", "inherit"],
      });
      hubs.push(hub);
      await new Promise<void>((ready, fail) => {
        hub.stdout?.once("data", () => ready());
        hub.once("exit", () => fail(new Error("The hub did not start.")));
      });
    },
    write(path, text) {
      const full = join(home, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text);
    },
    read: (path) => readFileSync(join(home, path), "utf8"),
    snapshot() {
      const own = join(home, ".earshot");
      const files = readdirSync(root, { recursive: true, withFileTypes: true })
        .map((entry) => ({ path: join(entry.parentPath, entry.name), isFile: entry.isFile() }))
        .filter(({ path }) => !path.startsWith(own));
      return Object.fromEntries(files.map(({ path, isFile }) => [path, isFile ? readFileSync(path, "latin1") : "folder"]));
    },
    async [Symbol.asyncDispose]() {
      for (const hub of hubs) {
        const ended = new Promise((done) => hub.once("exit", done));
        if (hub.exitCode === null && hub.kill()) await ended;
      }
      rmSync(root, { recursive: true, force: true });
    },
  };
}

interface Handler {
  readonly command?: string;
  readonly bash?: string;
  readonly onFailure?: string;
  readonly failClosed?: boolean;
}

export interface RegisteredLine {
  readonly command: string;
  readonly failsClosed: boolean;
}

/** The command line an agent would run at a hook for a tool, from its own settings. */
export function registeredLine(settings: string, hook: string, tool: string): RegisteredLine {
  const { hooks } = JSON.parse(settings) as {
    readonly hooks: { readonly [hook: string]: readonly (Handler & { readonly matcher?: string; readonly hooks?: readonly Handler[] })[] };
  };
  const found = (hooks[hook] ?? []).find(({ matcher = "" }) => new RegExp(matcher).test(tool));
  const handler = found?.hooks?.[0] ?? found;
  const command = handler?.command ?? handler?.bash;
  if (handler === undefined || command === undefined) throw new Error(`Nothing is registered for ${hook}.`);
  return { command, failsClosed: handler.onFailure === "block" || handler.failClosed === true };
}
