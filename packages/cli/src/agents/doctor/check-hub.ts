import { existsSync } from "node:fs";
import { type HubHome, readProducerTokenFile, readViewerToken } from "@earshot/hub/home";
import { compareVersions } from "../../compare-versions.ts";
import type { RunningHub } from "../../running-hub.ts";
import { type DoctorFinding, fineFinding, noteFinding, troubleFinding } from "./finding.ts";

export interface SeenHub {
  readonly running: RunningHub | undefined;
  /** Whether it proved that it is the hub of this folder. */
  readonly isOurs: boolean;
  /** The hub's clock and the local clock, in milliseconds. */
  readonly clock?: { readonly hub: number; readonly here: number };
}

/** Tolerance for the connection and for the hub's clock, which is sent in whole seconds. */
const SKEW_MS = 5000;

export function checkHub(home: HubHome, { running, isOurs, clock }: SeenHub, version: string): readonly DoctorFinding[] {
  const tokens = [
    ...(readProducerTokenFile(home) === undefined ? [home.producerToken] : []),
    ...(readViewerToken(home) === undefined ? [home.viewerToken] : []),
  ];
  const missing = tokens.map((path) =>
    troubleFinding("token-missing", `The credential ${path} is missing or cannot be read.`, "`earshot hub restart` makes a new one."),
  );
  if (running === undefined) {
    return [
      troubleFinding(
        "hub-unreachable",
        "No hub answers. Hooks decide by your rules alone, and requests cannot reach you.",
        "`earshot start`, or `earshot hub autostart on` to have it at every login.",
      ),
      // A hub that was never started has created none.
      ...(tokens.length === 2 ? [] : missing),
    ];
  }
  if (!isOurs && missing.length === 0) {
    return [
      troubleFinding(
        "hub-foreign",
        `What answers at ${running.url} is not the hub of ${home.folder}.`,
        "`earshot hub stop`, then `earshot start`.",
      ),
    ];
  }
  const order = compareVersions(version, running.version);
  const skew = clock === undefined ? 0 : clock.hub - clock.here;
  return [
    fineFinding("hub", `The hub answers at ${running.url}.`),
    ...missing,
    ...(order === 0
      ? []
      : [
          troubleFinding(
            "version-drift",
            `The hub is version ${running.version}, this command is ${version}.`,
            order > 0 ? "`earshot hub restart` starts the newer one; nothing is lost." : `npm install --global earshot@${running.version}`,
          ),
        ]),
    ...(Math.abs(skew) <= SKEW_MS
      ? []
      : [
          troubleFinding(
            "clock-skew",
            `The hub's clock is ${Math.round(Math.abs(skew) / 1000)} s ${skew > 0 ? "ahead of" : "behind"} this one: deadlines and times will look wrong.`,
            "Set both clocks by the network: `timedatectl set-ntp true`, or your system's date settings.",
          ),
        ]),
    ...(existsSync(home.socket) || home.socket.startsWith("\\\\")
      ? []
      : [
          noteFinding(
            "socket-missing",
            `There is no socket at ${home.socket}: hooks go by TCP, and take longer.`,
            undefined,
            "`earshot hub restart` makes it.",
          ),
        ]),
  ];
}
