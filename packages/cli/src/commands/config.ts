import { parseArgs } from "node:util";
import type { Config, EffectiveSetting } from "@earshot/hub";
import { askHub, findHub } from "../hub-client.ts";
import { EXIT, type Io } from "../io.ts";
import { findRunningHub } from "../running-hub.ts";
import { plainText } from "../terminal/plain-text.ts";
import { usage } from "../usage.ts";

export const CONFIG_HELP = `Usage: earshot config check|show|path [--json]

Settings for every start stand in ~/.earshot/config.yaml (or in the folder that EARSHOT_HOME names). They are read when the hub
starts: after a change, "earshot restart".

  check   says what is wrong with the file, with line and hint; exit code 1 when anything is
  show    prints every setting, and where it comes from
  path    prints where the file is
`;

export async function config(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    allowPositionals: true,
  });
  if (values.help === true) {
    io.out(CONFIG_HELP);
    return EXIT.ok;
  }
  const [action, ...rest] = positionals;
  if (rest.length > 0) throw usage(`${JSON.stringify(rest[0])} is too much.`, "earshot config --help");
  const { configPath, homeOf, listSettings, readConfig } = await import("@earshot/hub");
  const home = homeOf(process.env);
  const json = values.json === true;
  switch (action) {
    case "path":
      io.out(json ? `${JSON.stringify({ path: configPath(home) })}\n` : `${configPath(home)}\n`);
      return EXIT.ok;
    case "check":
      return check(readConfig(home), io, json);
    case "show": {
      const read = readConfig(home);
      return show(read, listSettings({}, read), io, json);
    }
    default:
      throw usage(action === undefined ? "Check, show, or path?" : `There is no ${JSON.stringify(action)} here.`, "earshot config --help");
  }
}

async function check(read: Config, io: Io, json: boolean): Promise<number> {
  const { path, state, from, troubles } = read;
  const code = state === "broken" ? EXIT.found : EXIT.ok;
  const running = await runningConfiguration();
  if (json) {
    io.out(`${JSON.stringify({ path, state, from, troubles, running: running ?? null }, null, 2)}\n`);
    return code;
  }
  if (state === "broken") {
    const { describeTroubles } = await import("@earshot/hub");
    io.out(describeTroubles(read).split("\n").map(plainText).join("\n"));
    const instead = from === "last-good" ? "the last settings that were good (config.last-good.yaml)" : "the defaults";
    io.out(`A hub that starts now runs on ${instead}.\n`);
  } else io.out(state === "good" ? `${plainText(path)} has no errors.\n` : `There is no ${plainText(path)}: the defaults count.\n`);
  if (running?.state === "broken")
    io.out("The hub that runs found errors in the file when it started, and does not use it. After mending it: earshot restart\n");
  return code;
}

async function show(read: Config, settings: readonly EffectiveSetting[], io: Io, json: boolean): Promise<number> {
  const { path, state, from, troubles } = read;
  const running = await runningConfiguration();
  if (json) {
    io.out(`${JSON.stringify({ path, state, from, settings, troubles, running: running ?? null }, null, 2)}\n`);
    return EXIT.ok;
  }
  const width = Math.max(...settings.map(({ key }) => key.length));
  for (const { key, value, from: origin } of settings) {
    io.out(`${plainText(key).padEnd(width)}  ${plainText(written(value))}  (${ORIGINS[origin]})\n`);
  }
  if (state === "broken") io.out(`${plainText(path)} has errors and is not used: earshot config check\n`);
  const differing = differences(settings, running?.settings ?? []);
  if (differing.length > 0) io.out(`The hub that runs was started with others: ${differing.map(plainText).join(", ")}.\n`);
  return EXIT.ok;
}

const ORIGINS = { flag: "flag", file: "config.yaml", "last-good": "config.last-good.yaml", default: "default" } as const;

function written(value: unknown): string {
  return value === null ? "-" : JSON.stringify(value);
}

function differences(settings: readonly EffectiveSetting[], running: readonly EffectiveSetting[]): readonly string[] {
  return running
    .filter(({ key, value }) => JSON.stringify(settings.find((one) => one.key === key)?.value) !== JSON.stringify(value))
    .map(({ key, value, from }) => `${key} ${written(value)} (${ORIGINS[from]})`);
}

interface RunningConfiguration {
  readonly state: Config["state"];
  readonly settings: readonly EffectiveSetting[];
}

/** What the running hub was started with; nothing when there is none, or it does not say. */
async function runningConfiguration(): Promise<RunningConfiguration | undefined> {
  const running = await findRunningHub(process.env);
  const access = running === undefined ? undefined : await findHub({ ...process.env, EARSHOT_URL: running.url });
  if (access === undefined) return undefined;
  try {
    const status = (await (await askHub(access, "/api/status")).json()) as { readonly configuration?: RunningConfiguration };
    return status.configuration;
  } catch {
    return undefined; // a hub of another version, or another folder: the file can be looked at without it
  }
}
