import { setTimeout as pause } from "node:timers/promises";
import type { ProtocolName } from "@earshot/protocol";
import type { Freshen } from "./freshen.ts";
import type { Pacer } from "./pacer.ts";
import type { ReplayReceiver } from "./receiver.ts";
import type { PlaylistEntry } from "./recorded.ts";

/** The progress of a replay. */
export interface ReplayProgress {
  /** Events and messages read. */
  events: number;
  damaged: number;
  /** Entries that this receiver does not take, by protocol; `message` counts messages, `unknown` entries of no known protocol. */
  readonly leftOut: Partial<Record<ProtocolName | "message" | "unknown", number>>;
  /** The first few sessions seen. */
  readonly sessions: Set<string>;
  line: number;
  stopped: boolean;
}

export interface ReplayPlayOptions {
  readonly receiver: ReplayReceiver;
  /** Undefined: as fast as the receiver accepts events. */
  readonly pacer: Pacer | undefined;
  readonly freshen: Freshen;
  readonly signal: AbortSignal;
  readonly onDamaged: (line: number, message: string) => void;
  /** Called before a wait, with its length in real milliseconds. */
  readonly onSilence?: (ms: number) => void;
  readonly onProgress?: (played: ReplayProgress) => void;
}

const MAX_SESSIONS = 10;
/** Events due within a timer's precision are sent together. */
const TOGETHER_MS = 1;
/** After a stop, the maximum wait for a receiver that is still processing the last events. */
const LAST_WORDS_MS = 2000;

/** Plays a recording to a receiver in order, each event when it is due. Ends early when the signal aborts. */
export async function playRecording(
  playlist: AsyncIterable<readonly PlaylistEntry[]>,
  options: ReplayPlayOptions,
): Promise<ReplayProgress> {
  const { receiver, signal, onProgress } = options;
  const played: ReplayProgress = { events: 0, damaged: 0, leftOut: {}, sessions: new Set(), line: 0, stopped: false };
  const began = performance.now();
  for await (const part of playlist) {
    for (const recorded of part) {
      played.line = recorded.line;
      await playOne(recorded, played, began, options);
      if (signal.aborted) break;
      onProgress?.(played);
    }
    if (signal.aborted) break;
  }
  played.stopped = signal.aborted;
  const arrived = receiver.settle();
  if (played.stopped) await Promise.race([arrived, pause(LAST_WORDS_MS, undefined, { ref: false })]);
  else await arrived;
  return played;
}

async function playOne(recorded: PlaylistEntry, played: ReplayProgress, began: number, options: ReplayPlayOptions): Promise<void> {
  const { receiver, pacer, freshen, signal, onDamaged, onSilence } = options;
  if ("damaged" in recorded) {
    played.damaged++;
    onDamaged(recorded.line, recorded.damaged);
    return;
  }
  played.events++;
  const { session, atMs, protocol, kind } = recorded;
  const fresh = freshen(recorded);
  if (fresh.session !== "" && played.sessions.size < MAX_SESSIONS) played.sessions.add(fresh.session);
  const waitMs = pacer === undefined ? 0 : began + pacer.dueMs(`${protocol} ${session}`, atMs) - performance.now();
  if (!receiver.takes(fresh)) {
    const what = kind === "message" ? "message" : (protocol ?? "unknown");
    played.leftOut[what] = (played.leftOut[what] ?? 0) + 1;
    return;
  }
  if (waitMs >= TOGETHER_MS) {
    await receiver.flush();
    onSilence?.(waitMs);
    await pause(Math.min(waitMs, 2 ** 31 - 1), undefined, { signal }).catch(() => {}); // woken by the signal, which is looked at next
    if (signal.aborted) return;
  }
  receiver.add(fresh);
  if (receiver.isFull) await receiver.flush();
}
