import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { formatCount, formatDuration, formatNumber } from "@earshot/narrate";
import { EarshotError } from "@earshot/protocol";
import type { CommandIo } from "@earshot/terminal/io";
import { plainText } from "@earshot/terminal/plain-text";
import { createProgressLine } from "@earshot/terminal/progress";
import { requireReadable } from "../check/recording.ts";
import { createFreshen } from "./freshen.ts";
import { openReceiver, type ReceiverCallbacks } from "./open-receiver.ts";
import { openStage } from "./open-stage.ts";
import { Pacer } from "./pacer.ts";
import { playRecording } from "./play.ts";
import { readPlaylist } from "./read-playlist.ts";
import type { ReplayHubAccess, ReplayReceiver, ServingReceiver } from "./receiver.ts";
import { knownElsewhere, type ReplayProblem, type ReplaySummary } from "./summary.ts";

export interface ReplayOptions {
  readonly file: string;
  /** Speed factor relative to the recording; `max`: as fast as the receiver accepts events. */
  readonly speed: number | "max";
  readonly maxGapMs: number;
  readonly to: string | undefined;
  readonly serve: ServeReplayOptions | undefined;
  readonly freshIds: boolean;
  readonly freshTimes: boolean;
  readonly seed: string | undefined;
  readonly json: boolean;
}

export interface ServeReplayOptions {
  readonly protocol: "aaep" | "aop";
  /** 0: any free port. */
  readonly port: number;
  /** Number of listeners required before it begins. */
  readonly waitFor: number;
  readonly keep: boolean;
  readonly origins: readonly string[];
}

/** Locates the user's own hub and signals when to stop. */
export interface RunReplayPorts {
  readonly findHub: () => Promise<ReplayHubAccess | undefined>;
  readonly signal: AbortSignal;
}

const MAX_LISTED_PROBLEMS = 1000;
const LONG_SILENCE_MS = 30_000;
const LOOK_EVERY_MS = 20;

/** Plays a recording to a receiver, or serves it to connecting listeners. */
export async function runReplay(options: ReplayOptions, io: CommandIo, { findHub, signal }: RunReplayPorts): Promise<ReplaySummary> {
  if (options.file !== "-") await requireReadable(options.file).catch((error: unknown) => rethrow(options.file, error));
  const fresh = {
    seed: options.freshIds ? (options.seed ?? randomUUID()) : undefined,
    firstAtMs: options.freshTimes ? Date.now() : undefined,
  };
  const playing: Playing = { options, io, signal, problems: [], freshen: createFreshen(fresh) };
  const troubles: ReceiverCallbacks = {
    onRefused: (line, { message, code }) => note(playing, { line, message, ...(code === undefined ? {} : { code }) }),
    onWait: once((why) => io.err(`earshot: waiting, ${plainText(why)}\n`)),
  };
  if (options.serve === undefined) {
    await using receiver = await openReceiver(options.to, findHub, troubles);
    return await playTo(receiver, playing);
  }
  const onAlone = () => io.err("earshot: no listener is connected; waiting for one\n");
  await using stage = await openStage({ serving: options.serve, signal, onAlone, ...troubles });
  await gather(stage, options.serve.waitFor, io, signal);
  const summary = await playTo(stage, playing);
  if (options.serve.keep && !signal.aborted) {
    io.err("earshot: that was all. Serving on, until Ctrl-C\n");
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  }
  return summary;
}

interface Playing {
  readonly options: ReplayOptions;
  readonly io: CommandIo;
  readonly signal: AbortSignal;
  readonly problems: ReplayProblem[];
  readonly freshen: ReturnType<typeof createFreshen>;
}

async function playTo(receiver: ReplayReceiver, playing: Playing): Promise<ReplaySummary> {
  const { options, io, signal, problems, freshen } = playing;
  const { file, speed, maxGapMs } = options;
  const pacer = speed === "max" ? undefined : new Pacer({ speed, maxGapMs });
  const isStdin = file === "-";
  const progress = createProgressLine(io);
  const tellSilence = once((text) => io.err(text));
  const began = performance.now();
  try {
    const played = await playRecording(readPlaylist(isStdin ? io.stdin : file), {
      receiver,
      pacer,
      freshen,
      signal,
      onDamaged: (line, message) => note(playing, { line, message }),
      onProgress: ({ events, line }) => progress.show(() => `Replaying: ${formatCount(events, "event")}, line ${formatNumber(line)}`),
      onSilence: (ms) => {
        if (ms < LONG_SILENCE_MS) return;
        progress.end();
        tellSilence(`earshot: the next event is due in ${formatDuration(ms)}. --max-gap 5s makes silences shorter\n`);
      },
    });
    const ms = Math.round(performance.now() - began);
    const { sessions, ...known } = played;
    const elsewhere = receiver.hub === undefined ? [] : await knownElsewhere(receiver.hub, sessions);
    const { counts, name: to } = receiver;
    return { file, to, ...known, ...counts, ms, times: pacer?.troubles, problems, knownElsewhere: elsewhere };
  } catch (error) {
    return rethrow(file, error);
  } finally {
    progress.end();
  }
}

/** Adds the name of the unreadable file to the error. */
function rethrow(file: string, error: unknown): never {
  if (!EarshotError.is(error) || error.problem.code !== "FILE_UNREADABLE") throw error;
  throw new EarshotError({ ...error.problem, message: `${file}: ${error.problem.message}` }, { cause: error });
}

function note({ problems }: Playing, problem: ReplayProblem): void {
  if (problems.length < MAX_LISTED_PROBLEMS) problems.push(problem);
}

/** Prints the address and waits for the listeners that must receive the recording from the beginning. */
async function gather(stage: ServingReceiver, waitFor: number, io: CommandIo, signal: AbortSignal): Promise<void> {
  const whom = waitFor === 0 ? "" : waitFor === 1 ? "; it begins when a listener connects" : `; it begins when ${waitFor} listen`;
  io.err(`earshot: serving the recording at ${stage.url}${whom}\n`);
  while ((await stage.countListeners()) < waitFor && !signal.aborted) await pause(LOOK_EVERY_MS);
}

/** Passes on the first text only. */
function once(tell: (text: string) => void): (text: string) => void {
  let isTold = false;
  return (text) => {
    if (!isTold) tell(text);
    isTold = true;
  };
}
