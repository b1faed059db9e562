import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Home, homeOf } from "@earshot/hub/home";
import { launcherPlaces } from "../../hook/launcher-places.ts";
import { launcherText } from "../../hook/launcher-text.ts";
import { VERSION } from "../../version.ts";
import type { Adapter } from "../adapter.ts";
import type { HostVerdict, ShellCall } from "../host/host.ts";
import { ALL_HOSTS, playHost } from "../host/play-host.ts";
import { FAULTS, type Fault } from "./faults.ts";

/** What an agent did with a tool while its gate was broken in one way. */
export interface DrillResult {
  readonly agent: Adapter;
  readonly host: string;
  readonly fault: Fault;
  readonly verdict: HostVerdict;
}

/** Something that the drill's own rules refuse, and that would do nothing if it ran. */
const COMMAND = "rm -rf /nonexistent/earshot-drill";
const RULES = `rules:\n  - name: drill\n    match: { command: "${COMMAND}" }\n    answer: deny\n    message: The drill's rules say no.\n`;

const HANG_MS = 400;
/** Nobody measures anything here: it only has to end at some time. */
const PATIENCE_MS = 60_000;

/**
 * Breaks the gate of each agent in every way, in folders of its own: no agent is started, nothing of the user's is touched. An
 * agent is played by a program that follows its documents.
 */
export async function* drill(adapters: readonly Adapter[]): AsyncGenerator<DrillResult> {
  const folder = mkdtempSync(join(tmpdir(), "earshot-drill-"));
  try {
    const home = homeOf({ EARSHOT_HOME: join(folder, "hub") });
    const real = await prepareLauncher(home);
    const broken = FAULTS.filter(({ hub }) => hub === undefined);
    for (const fault of broken) {
      const launcher = placeScript(folder, fault);
      for (const adapter of adapters) yield* playAll(adapter, fault, launcher, folder);
    }
    const { startHub } = await import("@earshot/hub");
    {
      await using _hub = await startHub({ home, version: VERSION, port: 0 });
      for (const adapter of adapters) yield* playAll(adapter, named("denies"), real, folder);
    }
    // As if somebody had tried to start it just before, and it had not come up.
    const lock = join(home.folder, "run", "starting");
    mkdirSync(join(home.folder, "run"), { recursive: true });
    for (const adapter of adapters) {
      writeFileSync(lock, "");
      const before = Date.now() / 1000 - 10;
      utimesSync(lock, before, before);
      yield* playAll(adapter, named("down"), real, folder);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function named(hub: NonNullable<Fault["hub"]>): Fault {
  const found = FAULTS.find((fault) => fault.hub === hub);
  if (found === undefined) throw new Error(`There is no fault ${hub}.`);
  return found;
}

async function prepareLauncher(home: Home): Promise<string> {
  mkdirSync(home.bin, { recursive: true, mode: 0o700 });
  writeFileSync(home.policy, RULES, { mode: 0o600 });
  const path = join(home.bin, "earshot-hook");
  writeFileSync(path, launcherText(await launcherPlaces(home)), { mode: 0o700 });
  return path;
}

function placeScript(folder: string, { name, script, mode = 0o700 }: Fault): string {
  const bin = join(folder, name.replaceAll(" ", "-"), "bin");
  mkdirSync(bin, { recursive: true });
  const path = join(bin, "earshot-hook");
  if (script === undefined) return path;
  writeFileSync(path, script);
  chmodSync(path, mode);
  return path;
}

async function* playAll(adapter: Adapter, fault: Fault, launcher: string, folder: string): AsyncGenerator<DrillResult> {
  const call: ShellCall = {
    session: `drill-${adapter.slug}`,
    id: `call-${fault.name.replaceAll(" ", "-")}`,
    command: COMMAND,
    cwd: folder,
  };
  const stage = { adapter, launcher, folder, env: process.env, timeoutMs: fault.isHang === true ? HANG_MS : PATIENCE_MS };
  for (const host of ALL_HOSTS.filter(({ agent }) => agent === adapter.slug))
    yield { agent: adapter, host: host.name, fault, verdict: await playHost(host, call, stage) };
}
