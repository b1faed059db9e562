import { EarshotError } from "@earshot/protocol";
import { AaepStage } from "./aaep-stage.ts";
import { AopStage } from "./aop-stage.ts";
import { createFreshen, type FreshenOptions } from "./freshen.ts";
import { readPlaylist } from "./read-playlist.ts";
import type { Stage, StagePorts } from "./receiver.ts";
import type { Playable } from "./recorded.ts";

/** Opens a server that serves a recording. */
export function openStage(file: string, fresh: FreshenOptions, ports: StagePorts): Promise<Stage> {
  if (ports.serving.protocol === "aaep") return AaepStage.open(ports);
  if (file === "-") {
    throw new EarshotError({
      code: "WRONG_USAGE",
      message: "--serve aop reads the recording again for each session request, and standard input can be read only once.",
      hint: "Save it to a file first.",
    });
  }
  return AopStage.open({ ...ports, again: () => playedAgain(file, fresh) });
}

/** Reads the recording again and yields the same events with the same fresh ids and times. */
async function* playedAgain(file: string, fresh: FreshenOptions): AsyncGenerator<Playable> {
  const freshen = createFreshen(fresh);
  for await (const part of readPlaylist(file)) {
    for (const recorded of part) {
      if (!("text" in recorded)) continue;
      // Freshen every event, because the first time in the file determines the offset of all others.
      const playable = freshen(recorded);
      if (playable.protocol === "aop" && playable.kind === "event") yield playable;
    }
  }
}
