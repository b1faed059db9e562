import type { Readable } from "node:stream";
import type { Problem, ProtocolName } from "@earshot/protocol";
import { type ReadProgress, readRecording } from "../check/recording.ts";
import { type PlaylistEntry, readRecorded } from "./recorded.ts";

/**
 * Yields the entries of a recording in order, one chunk of the file at a time. The next chunk is read only on request, so memory is
 * bounded by the longest event. Ending the iteration early stops the reading.
 */
export async function* readPlaylist(source: string | Readable, progress?: ReadProgress): AsyncGenerator<readonly PlaylistEntry[]> {
  let part: PlaylistEntry[] = [];
  let previous: ProtocolName | undefined;
  let isStopped = false;
  let handOver: (() => void) | undefined;
  let goOn: (() => void) | undefined;
  const sink = {
    handle(text: string, line: number) {
      const recorded = readRecorded(text, line, previous);
      if (recorded === undefined) return;
      if ("text" in recorded) previous = recorded.protocol ?? previous;
      part.push(recorded);
    },
    refuse: ({ message }: Problem, line: number) => void part.push({ line, damaged: message }),
  };
  const pause = () => {
    if (isStopped) throw new Stopped();
    if (part.length === 0) return undefined;
    return new Promise<void>((resolve) => {
      goOn = resolve;
      handOver?.();
    });
  };
  let isOver = false;
  const reading = readRecording(source, sink, progress, pause).finally(() => {
    isOver = true;
    handOver?.();
  });
  reading.catch(() => {}); // told below, after what was read before it
  try {
    while (!isOver) {
      if (goOn === undefined) {
        await new Promise<void>((resolve) => {
          handOver = resolve;
        });
      }
      yield part;
      part = [];
      const next = goOn;
      goOn = undefined;
      next?.();
    }
    if (part.length > 0) yield part;
    await reading;
  } finally {
    isStopped = true;
    goOn?.();
    await reading.catch(() => {}); // either told above, or nobody reads on
  }
}

class Stopped extends Error {}
