import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromiumPath } from "../../tools/chromium.ts";

/** Required programs and their Debian packages. */
const COMMANDS: Readonly<Record<string, string>> = {
  orca: "orca",
  Xvfb: "xvfb",
  "dbus-daemon": "dbus",
  "speech-dispatcher": "speech-dispatcher",
  xdotool: "xdotool",
};
const BUS_LAUNCHERS = ["/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher"];

export function missingPackages(): readonly string[] {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const missing = Object.entries(COMMANDS).flatMap(([command, name]) =>
    folders.some((folder) => existsSync(join(folder, command))) ? [] : [name],
  );
  if (!BUS_LAUNCHERS.some((path) => existsSync(path))) missing.push("at-spi2-core");
  if (chromiumPath() === undefined) missing.push("chromium");
  return missing;
}
