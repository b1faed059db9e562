import { join } from "node:path";
import { SOCKET_PATH_FILE } from "@earshot/hub/home";
import { EarshotError } from "@earshot/protocol/problem";
import type { ServiceStep } from "./service.ts";
import { checkPaths, escapeXml, quoteUnit, quoteUnitArgument } from "./service-texts.ts";

/** Locations of a hub under its own account. The agents' account may write none of them. */
export interface SeparatePlaces {
  readonly account: string;
  /** Copies of Node and of Earshot. */
  readonly program: string;
  readonly data: string;
  readonly run: string;
  /** The unit or property list. */
  readonly file: string;
  /** The command by which a person reaches that hub. */
  readonly command: string;
}

/** The account whose agents the hub serves. */
export interface ServedUser {
  readonly name: string;
  readonly group: string;
  readonly home: string;
}

/** The files to copy. */
export interface SeparateSources {
  readonly node: string;
  /** The folder of the installed package. */
  readonly package: string;
}

/** A file written under a given account: root must not follow what an agent has put into its folder. */
export interface SeparateFile {
  readonly path: string;
  readonly content: string;
  readonly mode: number;
  readonly as: string;
}

/** Everything that `earshot hub autostart on --separate` does: pure data, in order. */
export interface SeparateService {
  readonly places: SeparatePlaces;
  readonly user: ServedUser;
  /** Creates the account, the folders and the copies. */
  readonly prepare: readonly ServiceStep[];
  readonly files: readonly SeparateFile[];
  readonly start: readonly ServiceStep[];
  readonly remove: readonly ServiceStep[];
  readonly leftovers: readonly string[];
  /** The hub's command line and environment, independent of what starts it. */
  readonly launch: { readonly words: readonly string[]; readonly env: Readonly<Record<string, string>> };
}

export const SEPARATE_PLACES: Readonly<Record<string, SeparatePlaces>> = {
  linux: {
    account: "earshot",
    program: "/usr/local/lib/earshot",
    data: "/var/lib/earshot",
    run: "/run/earshot",
    file: "/etc/systemd/system/earshot.service",
    command: "/usr/local/bin/earshot-hub",
  },
  darwin: {
    account: "_earshot",
    program: "/usr/local/lib/earshot",
    data: "/usr/local/var/earshot",
    run: "/usr/local/var/run/earshot",
    file: "/Library/LaunchDaemons/earshot.hub.plist",
    command: "/usr/local/bin/earshot-hub",
  },
};

export interface SeparatePlan {
  readonly platform: string;
  readonly user: ServedUser;
  readonly sources: SeparateSources;
  /** The producer token, which both accounts get. */
  readonly token: string;
  readonly places?: SeparatePlaces;
}

/**
 * A hub under its own account: the agents' account can neither read nor write its files, nor change its program. It only has the producer
 * token and access to the socket.
 */
export function separateService({ platform, user, sources, token, places: given }: SeparatePlan): SeparateService {
  const places = given ?? SEPARATE_PLACES[platform];
  if (places === undefined) {
    const message = `A hub under an account of its own cannot be installed on ${platform}.`;
    throw new EarshotError({ code: "WRONG_USAGE", message, hint: "Run it in a container: docs/security.md." });
  }
  const { account, program, data, run, file, command } = places;
  const [node, script, socket] = [join(program, "node"), join(program, "earshot", "bin", "earshot.cjs"), join(run, "hub.sock")];
  checkPaths({ node, command: script, home: user.home, output: join(data, "hub-output.log") });
  const words = [node, "--disable-sigusr1", script, "start", "--no-open"];
  const env = { EARSHOT_HOME: data, EARSHOT_SOCKET: socket, HOME: user.home };
  const own = `${account}:${user.group}`;
  const folder = (path: string, owner: string, mode: string): readonly ServiceStep[] => [
    { words: ["mkdir", "-p", path] },
    { words: ["chown", owner, path] },
    { words: ["chmod", mode, path] },
  ];
  const theirs = join(user.home, ".earshot");
  const sudo = `exec sudo -u ${account} env EARSHOT_HOME='${data}' EARSHOT_SOCKET='${socket}' '${node}' --disable-sigusr1 '${script}' "$@"`;
  return {
    places,
    user,
    prepare: [
      ...(platform === "darwin" ? createMacAccount(account) : createLinuxAccount(account)),
      ...folder(program, "root:0", "0755"),
      ...folder(data, own, "0700"),
      ...folder(run, own, "0750"),
      { words: ["cp", "-f", sources.node, node] },
      { words: ["rm", "-rf", join(program, "earshot")] },
      { words: ["cp", "-R", sources.package, join(program, "earshot")] },
      { words: ["chown", "-R", "root:0", program] },
      { words: ["chmod", "-R", "u=rwX,go=rX", program] },
    ],
    files: [
      { path: join(data, "producer.token"), content: `${token}\n`, mode: 0o600, as: account },
      { path: join(theirs, "producer.token"), content: `${token}\n`, mode: 0o600, as: user.name },
      { path: join(theirs, SOCKET_PATH_FILE), content: `${socket}\n`, mode: 0o600, as: user.name },
      { path: command, content: `#!/bin/sh\n# Reaches the hub that runs as ${account}.\n${sudo}\n`, mode: 0o755, as: "root" },
      {
        path: file,
        content: platform === "darwin" ? writeLaunchDaemon(words, env, places, user) : writeSystemUnit(words, env, places, user),
        mode: 0o644,
        as: "root",
      },
    ],
    start:
      platform === "darwin"
        ? [
            { words: ["launchctl", "bootout", `system/${DAEMON_LABEL}`], mayFail: true },
            { words: ["launchctl", "bootstrap", "system", file] },
          ]
        : [
            { words: ["systemctl", "daemon-reload"] },
            { words: ["systemctl", "enable", "earshot.service"] },
            { words: ["systemctl", "restart", "earshot.service"] },
          ],
    remove:
      platform === "darwin"
        ? [{ words: ["launchctl", "bootout", `system/${DAEMON_LABEL}`], mayFail: true }]
        : [{ words: ["systemctl", "disable", "--now", "earshot.service"], mayFail: true }],
    leftovers: [file, command, program, join(theirs, SOCKET_PATH_FILE)],
    launch: { words, env },
  };
}

function createLinuxAccount(account: string): readonly ServiceStep[] {
  const words = ["useradd", "--system", "--no-create-home", "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin", account];
  return [{ words, mayFail: true }, { words: ["id", account] }];
}

/** Numbers below 500 are for system accounts. */
const MAC_ACCOUNT_ID = "471";

function createMacAccount(account: string): readonly ServiceStep[] {
  const set = (name: string, value: string): ServiceStep => ({ words: ["dscl", ".", "-create", `/Users/${account}`, name, value] });
  return [
    { words: ["dscl", ".", "-create", `/Users/${account}`] },
    set("UniqueID", MAC_ACCOUNT_ID),
    set("PrimaryGroupID", "20"),
    set("UserShell", "/usr/bin/false"),
    set("NFSHomeDirectory", "/var/empty"),
    set("IsHidden", "1"),
  ];
}

type Environment = Readonly<Record<string, string>>;

/** The group is the user's own, so that only that account may connect to the socket. */
function writeSystemUnit(
  words: readonly string[],
  env: Environment,
  { account, data, run }: SeparatePlaces,
  { group, name }: ServedUser,
): string {
  return [
    "# Written by `earshot hub autostart on --separate`; `earshot hub autostart off --separate` takes it away.",
    "[Unit]",
    `Description=Earshot hub for the agents of ${name}, under an account of its own`,
    "",
    "[Service]",
    "Type=exec",
    `User=${account}`,
    `Group=${group}`,
    `ExecStart=/usr/bin/env ${words.map(quoteUnitArgument).join(" ")}`,
    ...Object.entries(env).map(([key, value]) => `Environment=${quoteUnit(`${key}=${value}`)}`),
    "UMask=0077",
    ...(run.startsWith("/run/") ? [`RuntimeDirectory=${run.slice("/run/".length)}`, "RuntimeDirectoryMode=0750"] : []),
    `ReadWritePaths=${quoteUnit(data)}`,
    "ProtectSystem=full",
    "ProtectHome=read-only",
    "NoNewPrivileges=yes",
    "Restart=on-failure",
    "RestartSec=2",
    "TimeoutStopSec=30",
    "",
    "[Install]",
    "WantedBy=multi-user.target",
    "",
  ].join("\n");
}

const DAEMON_LABEL = "earshot.hub";

function writeLaunchDaemon(words: readonly string[], env: Environment, { account, data }: SeparatePlaces, { group }: ServedUser): string {
  const text = (value: string) => `<string>${escapeXml(value)}</string>`;
  const output = join(data, "hub-output.log");
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    "<!-- Written by `earshot hub autostart on --separate`; `earshot hub autostart off --separate` takes it away. -->",
    '<plist version="1.0">',
    "<dict>",
    `  <key>Label</key>${text(DAEMON_LABEL)}`,
    `  <key>UserName</key>${text(account)}`,
    `  <key>GroupName</key>${text(group)}`,
    "  <key>Umask</key><integer>63</integer>",
    "  <key>ProgramArguments</key>",
    "  <array>",
    ...words.map((word) => `    ${text(word)}`),
    "  </array>",
    "  <key>EnvironmentVariables</key>",
    "  <dict>",
    ...Object.entries(env).map(([key, value]) => `    <key>${key}</key>${text(value)}`),
    "  </dict>",
    "  <key>RunAtLoad</key><true/>",
    "  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>",
    `  <key>StandardOutPath</key>${text(output)}`,
    `  <key>StandardErrorPath</key>${text(output)}`,
    "</dict>",
    "</plist>",
    "",
  ].join("\n");
}
