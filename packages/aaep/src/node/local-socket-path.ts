import { homedir, platform, tmpdir, userInfo } from "node:os";
import { join } from "node:path";

export interface Place {
  readonly platform: NodeJS.Platform;
  readonly runtimeDir: string | undefined;
  readonly home: string;
  readonly temp: string;
  /** -1 where there is none. */
  readonly uid: number;
}

/** Where a producer listens on this machine, and where a subscriber looks for it (B.3, B.4). */
export function localSocketPath(producerId: string, place: Place = here()): string {
  const name = nameOf(producerId);
  if (place.platform === "win32") return `\\\\.\\pipe\\aaep\\${name}`;
  if (place.platform === "darwin") return join(place.home, "Library", "Application Support", "AAEP", `${name}.sock`);
  if (place.runtimeDir !== undefined && place.runtimeDir !== "") return join(place.runtimeDir, "aaep", `${name}.sock`);
  return join(place.temp, `aaep-${place.uid}`, `${name}.sock`);
}

/** An id may be anything; a file's name may not. */
function nameOf(producerId: string): string {
  const name = producerId.replace(/[^A-Za-z0-9._-]/g, "_").slice(0, 64);
  return /^\.*$/.test(name) ? "producer" : name;
}

function here(): Place {
  return {
    platform: platform(),
    runtimeDir: process.env["XDG_RUNTIME_DIR"],
    home: homedir(),
    temp: tmpdir(),
    uid: userInfo().uid,
  };
}
