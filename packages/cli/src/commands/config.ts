import type { ConfigFile, EffectiveSetting, StatusView } from "@earshot/hub";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { checkChoice, command } from "../command.ts";
import { findHub, requestFromHub } from "../hub-client.ts";
import { findRunningHub } from "../running-hub.ts";

export const configCommand = command(
  {
    name: "hub config",
    positionals: ["[check|show|path]"],
    about: `Settings for every start are in ~/.earshot/config.yaml (or in the folder that EARSHOT_HOME names). The hub reads them when it
starts: after a change, run "earshot hub restart".

  show    prints every setting, and where it comes from (default)
  check   lists errors in the file, with line and hint; exit code 1 if there are any
  path    prints where the file is`,
    options: { json: { type: "boolean", default: false, about: "print as JSON" } },
  },
  async ({ values: { json }, positionals: [action = "show"] }, io: CommandIo): Promise<number> => {
    checkChoice("hub config", action, ["check", "show", "path"]);
    const { configPath, hubHomeOf, listSettings, readConfig } = await import("@earshot/hub");
    const home = hubHomeOf(process.env);
    if (action === "path") {
      io.out(
        json
          ? `${JSON.stringify({ path: configPath(home) })}
`
          : `${configPath(home)}
`,
      );
      return EXIT.ok;
    }
    const read = readConfig(home);
    return action === "check" ? check(read, io, json) : show(read, listSettings({}, read), io, json);
  },
);

async function check(read: ConfigFile, io: CommandIo, json: boolean): Promise<number> {
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
    io.out("The hub that runs found errors in the file when it started, and does not use it. After mending it: earshot hub restart\n");
  return code;
}

async function show(read: ConfigFile, settings: readonly EffectiveSetting[], io: CommandIo, json: boolean): Promise<number> {
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
  if (state === "broken") io.out(`${plainText(path)} has errors and is not used: earshot hub config check\n`);
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
  readonly state: ConfigFile["state"];
  readonly settings: readonly EffectiveSetting[];
}

/** The configuration of the running hub; undefined if there is none, or it does not report it. */
async function runningConfiguration(): Promise<RunningConfiguration | undefined> {
  const running = await findRunningHub(process.env);
  const access = running === undefined ? undefined : await findHub({ ...process.env, EARSHOT_URL: running.url });
  if (access === undefined) return undefined;
  try {
    const status = (await (await requestFromHub(access, "/api/status")).json()) as StatusView;
    return status.configuration as RunningConfiguration | undefined;
  } catch {
    return undefined; // a hub of another version, or another folder: the file can be looked at without it
  }
}
