import { escapeXml, type Launch, wordsOf } from "./launch.ts";

export const AGENT_LABEL = "earshot.hub";

/** A property list for the user's own launchd. It is started again when it fails, and left alone when it was stopped. */
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
