import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentCard } from "@earshot/agents";
import { type HubHome, hubHomeOf } from "@earshot/hub/home";
import { VERSION } from "@earshot/terminal/version";
import { launcherPlaces, launcherText } from "../../hook/launcher-text.ts";
import type { HostVerdict, ShellCall } from "./hosts/host.ts";
import { ALL_HOSTS, playHost } from "./hosts/play-host.ts";

/** The ways to break a gate. A script replaces the launcher. */
export interface Fault {
  readonly name: string;
  readonly script?: string;
  readonly mode?: number;
  readonly isHang?: true;
  /** The real launcher, with a hub or without one. */
  readonly hub?: "down" | "denies";
}

export const FAULTS: readonly Fault[] = [
  { name: "launcher missing" },
  // An agent that runs it anyway, as Copilot CLI does, sees it fail.
  { name: "launcher not executable", script: "#!/bin/sh\nexit 1\n", mode: 0o600 },
  { name: "launcher crashes", script: "#!/bin/sh\nkill -s SEGV $$\n", mode: 0o700 },
  { name: "launcher ends with 1", script: "#!/bin/sh\nexit 1\n", mode: 0o700 },
  { name: "launcher ends with 2", script: "#!/bin/sh\nexit 2\n", mode: 0o700 },
  // It ends soon after by itself, because a plugin that waits for it cannot be stopped from outside.
  { name: "launcher hangs past the deadline", script: "#!/bin/sh\nexec sleep 3\n", mode: 0o700, isHang: true },
  { name: "launcher prints garbage", script: "#!/bin/sh\necho 'garbage {'\n", mode: 0o700 },
  { name: "hub down", hub: "down" },
  { name: "hub says deny", hub: "denies" },
];

/** An agent's tool call while its gate was broken in one way. */
export interface BrokenGate {
  readonly agent: AgentCard;
  readonly host: string;
  readonly fault: Fault;
  readonly verdict: HostVerdict;
}

/** Refused by the drill's own rules, and harmless if it ran. */
const COMMAND = "rm -rf /nonexistent/earshot-drill";
const RULES = `rules:\n  - name: drill\n    match: { command: "${COMMAND}" }\n    answer: deny\n    message: The drill's rules say no.\n`;

const HANG_MS = 400;
/** An upper bound, not a measurement. */
const PATIENCE_MS = 60_000;

/** Breaks the gate of each agent in every way, in a temporary folder. The agent is a simulated host that follows its documentation. */
export async function* breakGates(cards: readonly AgentCard[]): AsyncGenerator<BrokenGate> {
  const folder = mkdtempSync(join(tmpdir(), "earshot-drill-"));
  try {
    const home = hubHomeOf({ EARSHOT_HOME: join(folder, "hub") });
    const real = await prepareLauncher(home);
    const broken = FAULTS.filter(({ hub }) => hub === undefined);
    for (const fault of broken) {
      const launcher = placeScript(folder, fault);
      for (const card of cards) yield* playAll(card, fault, launcher, folder);
    }
    const { startHub } = await import("@earshot/hub");
    {
      await using _hub = await startHub({ home, version: VERSION, port: 0 });
      for (const card of cards) yield* playAll(card, named("denies"), real, folder);
    }
    // As if a start had been attempted just before without success.
    const lock = join(home.folder, "run", "starting");
    mkdirSync(join(home.folder, "run"), { recursive: true });
    for (const card of cards) {
      writeFileSync(lock, "");
      const before = Date.now() / 1000 - 10;
      utimesSync(lock, before, before);
      yield* playAll(card, named("down"), real, folder);
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

async function prepareLauncher(home: HubHome): Promise<string> {
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

async function* playAll(card: AgentCard, fault: Fault, launcher: string, folder: string): AsyncGenerator<BrokenGate> {
  const call: ShellCall = {
    session: `drill-${card.slug}`,
    id: `call-${fault.name.replaceAll(" ", "-")}`,
    command: COMMAND,
    cwd: folder,
  };
  const stage = { card, launcher, folder, env: process.env, timeoutMs: fault.isHang === true ? HANG_MS : PATIENCE_MS };
  for (const host of ALL_HOSTS.filter(({ agent }) => agent === card.slug))
    yield { agent: card, host: host.name, fault, verdict: await playHost(host, call, stage) };
}
