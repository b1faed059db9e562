import { EarshotError } from "@earshot/protocol/problem";

/** The program that runs at login, on every system. */
export interface Launch {
  /** The running Node. */
  readonly node: string;
  /** `earshot.cjs`. */
  readonly command: string;
  /** Set if the hub's folder is not the default one. */
  readonly home: string | undefined;
  /** The output file, where the system does not keep output itself. */
  readonly output: string;
}

/** Node's arguments: no debugger by signal, and no browser at every login. */
function wordsOf({ command }: Launch): readonly string[] {
  return ["--disable-sigusr1", command, "start", "--no-open"];
}

/** None of the formats allows line breaks or other control characters, which sensible paths do not contain. */
export function checkPaths({ node, command, home = "", output }: Launch): void {
  for (const path of [node, command, home, output]) {
    if (!/\p{Cc}/u.test(path)) continue;
    const message = `A path holds a control character: ${JSON.stringify(path)}.`;
    throw new EarshotError({ code: "WRONG_USAGE", message, hint: "Move it to a folder with an ordinary name." });
  }
}

export function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

export const AGENT_LABEL = "earshot.hub";

/** A property list for the user's launchd. It restarts the hub after a failure, not after a stop. */
export function writeLaunchAgent(launch: Launch): string {
  const { node, home, output } = launch;
  const text = (value: string) => `<string>${escapeXml(value)}</string>`;
  const environment =
    home === undefined ? [] : ["  <key>EnvironmentVariables</key>", `  <dict><key>EARSHOT_HOME</key>${text(home)}</dict>`];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    "<!-- Written by `earshot service install`; `earshot service remove` takes it away. -->",
    '<plist version="1.0">',
    "<dict>",
    `  <key>Label</key>${text(AGENT_LABEL)}`,
    "  <key>ProgramArguments</key>",
    "  <array>",
    ...[node, ...wordsOf(launch)].map((word) => `    ${text(word)}`),
    "  </array>",
    ...environment,
    "  <key>RunAtLoad</key><true/>",
    "  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>",
    "  <key>ProcessType</key><string>Background</string>",
    `  <key>StandardOutPath</key>${text(output)}`,
    `  <key>StandardErrorPath</key>${text(output)}`,
    "</dict>",
    "</plist>",
    "",
  ].join("\n");
}

/**
 * A unit for the user's systemd. It uses `env`, because a dollar sign can be written in an argument but not in the path of the program
 * itself.
 */
export function writeSystemdUnit(launch: Launch): string {
  const words = [launch.node, ...wordsOf(launch)].map(quoteUnitArgument).join(" ");
  const environment = launch.home === undefined ? [] : [`Environment=${quoteUnit(`EARSHOT_HOME=${launch.home}`)}`];
  return [
    "# Written by `earshot service install`; `earshot service remove` takes it away.",
    "[Unit]",
    "Description=Earshot hub for the AI agents on this machine",
    "",
    "[Service]",
    "Type=exec",
    `ExecStart=/usr/bin/env ${words}`,
    ...environment,
    "Restart=on-failure",
    "RestartSec=2",
    "TimeoutStopSec=30",
    "",
    "[Install]",
    "WantedBy=default.target",
    "",
  ].join("\n");
}

/** Inside double quotes a backslash escapes, and a percent sign must be doubled. */
export function quoteUnit(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, "\\$&").replaceAll("%", "%%")}"`;
}

/** In commands, variables are expanded as well. */
export function quoteUnitArgument(text: string): string {
  return quoteUnit(text).replaceAll("$", "$$$$");
}

export const TASK_NAME = "Earshot";

/**
 * A task that starts when this user logs on. Without the user's name in the trigger it would apply to everybody, which requires an
 * administrator. Windows' default limits (three days, not on battery) are lifted. A windowless console host runs it, because a console
 * program would open a window.
 */
export function writeLogonTask(launch: Launch, user: string): string {
  const line = ["--headless", launch.node, ...wordsOf(launch)].map(quoteTaskArgument).join(" ");
  return [
    '<?xml version="1.0" encoding="UTF-16"?>',
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    "  <RegistrationInfo><Description>Earshot hub for the AI agents on this machine</Description></RegistrationInfo>",
    `  <Triggers><LogonTrigger><Enabled>true</Enabled><UserId>${escapeXml(user)}</UserId></LogonTrigger></Triggers>`,
    "  <Principals>",
    `    <Principal id="Author"><UserId>${escapeXml(user)}</UserId><LogonType>InteractiveToken</LogonType><RunLevel>LeastPrivilege</RunLevel></Principal>`,
    "  </Principals>",
    "  <Settings>",
    "    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>",
    "    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>",
    "    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>",
    "    <StartWhenAvailable>true</StartWhenAvailable>",
    "    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>",
    "    <RestartOnFailure><Interval>PT1M</Interval><Count>3</Count></RestartOnFailure>",
    "  </Settings>",
    '  <Actions Context="Author">',
    `    <Exec><Command>conhost.exe</Command><Arguments>${escapeXml(line)}</Arguments></Exec>`,
    "  </Actions>",
    "</Task>",
    "",
  ].join("\r\n");
}

/** Windows command line parsing: backslashes escape only before a quote. */
function quoteTaskArgument(text: string): string {
  if (/^[\w.:\\/-]+$/.test(text)) return text;
  return `"${text.replaceAll(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)(\\+)$/, "$1$1")}"`;
}
