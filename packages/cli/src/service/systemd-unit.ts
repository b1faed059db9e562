import { type Launch, wordsOf } from "./launch.ts";

/**
 * A unit of the user's own systemd. The program is run through `env`, since a dollar sign in the path of the program itself
 * cannot be written, and in an argument it can.
 */
export function writeSystemdUnit(launch: Launch): string {
  const words = [launch.node, ...wordsOf(launch)].map(quoteArgument).join(" ");
  const environment = launch.home === undefined ? [] : [`Environment=${quote(`EARSHOT_HOME=${launch.home}`)}`];
  return [
    "# Written by `earshot service install`; `earshot service remove` takes it away.",
    "[Unit]",
    "Description=Earshot hub, which hears AI agents on this machine",
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

/** Inside double quotes a backslash escapes, and a percent sign stands for something else unless it is doubled. */
function quote(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, "\\$&").replaceAll("%", "%%")}"`;
}

/** In commands, variables are put in as well. */
function quoteArgument(text: string): string {
  return quote(text).replaceAll("$", "$$$$");
}
