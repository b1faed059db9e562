import { isIP } from "node:net";
import type { ConfigFile, HubSettings } from "@earshot/hub";
import { EarshotError } from "@earshot/protocol/problem";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { createUsageError } from "@earshot/terminal/usage";
import { VERSION } from "@earshot/terminal/version";
import { type Launcher, launcherFor, refreshLauncher } from "../agents/install-launcher.ts";
import { thisInstallation } from "../agents/installation.ts";
import { createSetup } from "../agents/setup-from-page.ts";
import { command } from "../command.ts";
import { dashboardFolder } from "../dashboard-folder.ts";
import { printGreeting } from "../first-approver.ts";
import { retentionInWords } from "../keeping/quantities.ts";
import { findRunningHub, type RunningHub } from "../running-hub.ts";
import { awaitHub } from "../start-detached.ts";
import { useRunningHub } from "../use-running-hub.ts";

export const startHubCommand = command(
  {
    name: "start",
    positionals: [],
    about: `Runs the hub: it receives events from the agents on this machine, stores them in ~/.earshot (or EARSHOT_HOME), and shows them. If a
hub is already running, opens that one.`,
    options: {
      port: { type: "string", value: "N", about: "listen on this port only (default: 4747, or a free port if 4747 is taken)" },
      aop: { type: "boolean", about: "listen on port 4317 as well, the default of AOP clients" },
      store: {
        type: "string",
        value: "URL",
        about: "keep the ledger in PostgreSQL: postgres://user@host:5432/database; the password comes from PGPASSWORD or ~/.pgpass",
      },
      strict: { type: "boolean", about: "refuse events that break a rule of their session, instead of storing them with a flag" },
      capture: {
        type: "string",
        multiple: true,
        value: "LEVEL",
        about: "how much of each event is stored: full (default), summary, minimal; aop=minimal for one protocol",
      },
      "keep-secrets": {
        type: "string",
        multiple: true,
        value: "SOURCE",
        about: "do not mask credentials in events from SOURCE: all, a protocol, or a source such as aop/local",
      },
      open: { type: "boolean", negative: true, about: "do not open a browser" },
      notify: { type: "boolean", negative: true, about: "do not show desktop notifications for requests" },
      "allow-origin": {
        type: "string",
        multiple: true,
        value: "ORIGIN",
        about: "allow requests from this web application, such as https://app.example, with the rights of the person paired in it",
      },
      "public-url": {
        type: "string",
        value: "URL",
        about: "the https:// address of your TLS proxy in front of the hub; the hub itself stays on loopback",
      },
      "dangerously-listen-on": {
        type: "string",
        value: "ADDRESS",
        about: "listen on this address as well, WITHOUT TLS: anyone on the network can read credentials and events",
      },
    },
    notes: `~/.earshot/config.yaml sets the same options for every start; flags override it. See "earshot hub config --help".

Press Ctrl-C, or run "earshot hub stop", to stop it. No acknowledged event is lost, however the hub ends.`,
  },
  async ({ values, argv }, io: CommandIo): Promise<number> => {
    const flags = await readFlags(values);
    const dangerousAddress = values["dangerously-listen-on"] === undefined ? undefined : readAddress(values["dangerously-listen-on"]);
    const meet = async (find: () => Promise<RunningHub | undefined>) => {
      // A requested port needs its own hub or an explanation; otherwise a running hub is fine.
      const running = flags.port === undefined ? await find() : undefined;
      const hasFlags = Object.keys(flags).some((flag) => flag !== "open") || dangerousAddress !== undefined;
      const restart = async () => (await import("./hub-run.ts")).restartCommand([], io);
      return running === undefined
        ? undefined
        : useRunningHub(running, io, { greet: () => printGreeting(io, process.env, { opens: flags.open !== false }), hasFlags, restart });
    };
    const met = await meet(() => findRunningHub(process.env));
    if (met !== undefined) return met;
    const { combineSettings, hubHomeOf, keepAsLastGood, listSettings, readConfig, sourceSettings, startHub } = await import("@earshot/hub");
    const home = hubHomeOf(process.env);
    if (home.isSeparate && process.env["EARSHOT_SOCKET"] === undefined)
      throw createUsageError(
        "The hub of this account runs under an account of its own.",
        "The system starts it. Control it with `earshot-hub`.",
      );
    const config = readConfig(home);
    if (config.state === "broken") io.err(await warnOf(config));
    const settings = combineSettings(flags, config.settings);
    const publicUrl = settings.publicUrl === undefined ? undefined : new URL(settings.publicUrl);
    const { path, state, from, troubles } = config;
    const dashboard = dashboardFolder();
    const clusterKeyFile = process.env["EARSHOT_CLUSTER_KEY_FILE"];
    let launcher: Promise<Launcher> | undefined;
    let hub: Awaited<ReturnType<typeof startHub>>;
    try {
      hub = await startHub({
        home,
        ...(settings.store === undefined ? {} : { store: settings.store }),
        ...(clusterKeyFile === undefined || clusterKeyFile === "" ? {} : { clusterKeyFile }),
        version: VERSION,
        aop: settings.aop === true,
        strict: settings.strict === true,
        sources: sourceSettings(settings),
        limits: settings.limits ?? {},
        retention: settings.retention ?? {},
        alerts: settings.alerts ?? {},
        allowOrigins: settings.allowOrigins ?? [],
        notify: settings.notify ?? true,
        startedWith: argv,
        onAccepted: () => {
          // The gate check reports what is wrong with it.
          launcher = refreshLauncher(process.env, process.platform, { installs: false });
          launcher.catch(() => {});
        },
        lookAtGates: async (folders) => {
          const { lookAtGates } = await import("../agents/look-at-gates.ts");
          return lookAtGates(thisInstallation(), await (launcher ?? launcherFor(process.env)), folders);
        },
        // Under an account of its own, a hub reaches neither the agents nor their settings.
        ...(process.env["EARSHOT_SOCKET"] === undefined ? { setup: createSetup(thisInstallation()) } : {}),
        configuration: { path, state, from, troubles, settings: listSettings(flags, config) },
        log: (message) => io.err(`earshot: ${plainText(message)}\n`),
        ...(dashboard === undefined ? {} : { dashboard }),
        ...(publicUrl === undefined ? {} : { publicUrl }),
        ...(dangerousAddress === undefined ? {} : { dangerousAddress }),
        ...(settings.port === undefined ? {} : { port: settings.port }),
      });
    } catch (error) {
      if (!EarshotError.is(error) || error.problem.code !== "LEDGER_IN_USE") throw error;
      // Another hub was started at the same moment and answers soon; or the ledger is used by something else.
      const other = await meet(() => awaitHub(process.env, { patienceMs: OTHER_MS }).catch(() => undefined));
      if (other === undefined) throw error;
      return other;
    }
    try {
      keepAsLastGood(home, config);
    } catch (error) {
      io.err(`earshot: no copy of the settings could be kept: ${plainText(error instanceof Error ? error.message : String(error))}\n`);
    }
    io.out(
      [
        `Earshot ${VERSION} listens at ${hub.url}`,
        ...(settings.aop === true ? ["AOP clients can also connect to port 4317."] : []),
        ...(publicUrl === undefined ? [] : [`From elsewhere, through a proxy with TLS: ${publicUrl.origin}`]),
        ...(dangerousAddress === undefined
          ? []
          : [`DANGER: also on ${dangerousAddress}, without TLS. Anyone on the network can read everything, including credentials.`]),
        `Data is stored in ${home.folder}`,
        ...(hub.isNew ? [retentionInWords(hub.retention)] : []),
        "",
        "  npx earshot demo   play three agents, one of which waits for you",
        "  npx earshot init   connect the agents on this machine",
        "",
        "Ctrl-C stops it.",
        "",
      ].join("\n"),
    );
    const stopping = new AbortController();
    const stopped = stopSignal();
    const { hasApprover, alarms } = hub.access;
    // Concurrent with waiting for the end: an unanswered question must not keep the hub from stopping.
    const greeted = printGreeting(io, process.env, {
      opens: settings.open !== false,
      signal: stopping.signal,
      greeting: { url: hub.url, hasApprover, alarms: alarms.filter(({ seenBy }) => seenBy === undefined) },
    }).catch((error: unknown) => io.err(`earshot: ${plainText(error instanceof Error ? error.message : String(error))}\n`));
    const why = await stopped;
    stopping.abort();
    await greeted;
    io.err(`earshot: stopping (${why}) …\n`);
    const position = await hub.close();
    io.err(`earshot: stopped at position ${position}.\n`);
    return EXIT.ok;
  },
);

const OTHER_MS = 10_000;

interface FlagValues {
  readonly port?: string | undefined;
  readonly aop?: boolean | undefined;
  readonly store?: string | undefined;
  readonly strict?: boolean | undefined;
  readonly open?: boolean | undefined;
  readonly notify?: boolean | undefined;
  readonly capture?: readonly string[] | undefined;
  readonly "keep-secrets"?: readonly string[] | undefined;
  readonly "allow-origin"?: readonly string[] | undefined;
  readonly "public-url"?: string | undefined;
}

/** The flags in the form of the settings file. */
async function readFlags({ port, aop, store, strict, open, notify, capture, ...values }: FlagValues): Promise<HubSettings> {
  const { "keep-secrets": keepSecrets, "public-url": publicUrl, "allow-origin": allowOrigins } = values;
  const { readCapture, readSourceSelector } = await import("@earshot/hub");
  return {
    ...(port === undefined ? {} : { port: readPort(port) }),
    ...(aop === undefined ? {} : { aop }),
    ...(store === undefined ? {} : { store: readStore(store) }),
    ...(strict === undefined ? {} : { strict }),
    ...(open === undefined ? {} : { open }),
    ...(notify === undefined ? {} : { notify }),
    ...(capture === undefined ? {} : { capture: Object.fromEntries(capture.map(readCapture)) }),
    ...(keepSecrets === undefined ? {} : { keepSecrets: keepSecrets.map(readSourceSelector) }),
    ...(allowOrigins === undefined ? {} : { allowOrigins: allowOrigins.map(readOrigin) }),
    ...(publicUrl === undefined ? {} : { publicUrl: readPublicUrl(publicUrl).origin }),
  };
}

/** A password on the command line would be visible in the process list and the shell's history. */
export function readStore(given: string): string {
  const example = "--store postgres://user@host:5432/database";
  if (/^postgres(?:ql)?:\/\/[^@/]*:[^@/]*@/.test(given))
    throw createUsageError("--store takes no password.", `Put it into PGPASSWORD or ~/.pgpass, and give ${example}`);
  if (!/^postgres(?:ql)?:\/\/(?:[^\s/:@]+@)?[^\s/@]+\/[^\s/@]+$/.test(given))
    throw createUsageError("--store is not the address of a PostgreSQL database.", example);
  return given;
}

async function warnOf(config: ConfigFile): Promise<string> {
  const { describeTroubles } = await import("@earshot/hub");
  const instead = config.from === "last-good" ? "the last settings that were good (config.last-good.yaml)" : "the defaults";
  return `earshot: the settings have errors, and none of them is used. The hub runs on ${instead}.\n${describeTroubles(config).split("\n").map(plainText).join("\n")}`;
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port >= 0 && port <= 65_535))
    throw createUsageError(`${JSON.stringify(text)} is not a port.`, "--port takes a number from 0 to 65535; 0 is any free one.");
  return port;
}

/** Exactly as browsers send it. Allowing all origins is not possible. */
function readOrigin(text: string): string {
  if (/^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text) return text;
  throw createUsageError(
    `${JSON.stringify(text)} is not an origin.`,
    "--allow-origin takes https:// and a host, as browsers send it, with a port if need be, and no path.",
  );
}

/** A TLS origin without a path, which other applications could share. */
function readPublicUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url?.protocol === "https:" &&
    url.pathname === "/" &&
    url.search === "" &&
    url.hash === "" &&
    url.username === "" &&
    url.password === ""
  )
    return url;
  throw createUsageError(
    `${JSON.stringify(text)} cannot be the public address.`,
    "--public-url takes https:// and a host, with a port if need be, and no path.",
  );
}

function readAddress(text: string): string {
  if (isIP(text) !== 0) return text;
  throw createUsageError(
    `${JSON.stringify(text)} is not an address of a network interface.`,
    "--dangerously-listen-on takes an IP address of this machine, or 0.0.0.0.",
  );
}

/** A second Ctrl-C ends at once. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(EXIT.found));
        resolve(signal);
      });
    }
  });
}
