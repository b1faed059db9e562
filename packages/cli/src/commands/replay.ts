import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { formatCount, formatDuration, formatNumber } from "@earshot/narrate";
import { EarshotError } from "@earshot/protocol";
import { createProgressLine } from "../check/progress.ts";
import { requireReadable } from "../check/recording.ts";
import { command } from "../command.ts";
import { EXIT, type Io } from "../io.ts";
import { createFreshen } from "../replay/freshen.ts";
import { openReceiver } from "../replay/open-receiver.ts";
import { openStage } from "../replay/open-stage.ts";
import { REPLAY_OPTIONS, type ReplayOptions, readReplayOptions } from "../replay/options.ts";
import { Pacer } from "../replay/pacer.ts";
import { play } from "../replay/play.ts";
import { readPlaylist } from "../replay/read-playlist.ts";
import type { Receiver, Stage } from "../replay/receiver.ts";
import { knownElsewhere, type ReplayProblem, type ReplaySummary, summaryLines } from "../replay/summary.ts";
import { plainText } from "../terminal/plain-text.ts";
import { leanMemory } from "../visualize/lean-memory.ts";

/** What is not the command's own: where the hub is, and when to stop. */
export interface ReplayPorts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

const NAMED = 1000;
const LONG_SILENCE_MS = 30_000;
const LOOK_EVERY_MS = 20;

export const replay = command(
  {
    name: "replay",
    positionals: ["FILE"],
    usage: ["FILE --serve aaep|aop [options]"],
    about: `Plays a recording again: the same events in the same order, with the same pauses between them. FILE is JSON lines, a JSON array or
one event, compressed with gzip or not; - is standard input. It is played into your hub, unless --to or --serve says otherwise.

A replay decides nothing. Questions in it do not appear in your inbox, and answers in it settle no request.`,
    options: REPLAY_OPTIONS,
    notes: `earshot replay --visualize FILE … is the same as earshot visualize FILE …

Exit code 0: everything was accepted. 1: something was refused or is not an event. 2: the replay failed.`,
  },
  async (input, io: Io, ports: ReplayPorts = ofThisProcess()): Promise<number> => {
    const options = readReplayOptions(input);
    if (options.file !== "-") await requireReadable(options.file).catch((error: unknown) => rethrow(options.file, error));
    leanMemory();
    const fresh = {
      seed: options.freshIds ? (options.seed ?? randomUUID()) : undefined,
      firstAtMs: options.freshTimes ? Date.now() : undefined,
    };
    const { signal } = ports;
    const playing: Playing = { options, io, signal, problems: [], freshen: createFreshen(fresh) };
    if (options.serve === undefined) {
      await using receiver = await openReceiver(options.to, ports.env, {
        onRefused: (line, { message, code }) => note(playing, { line, message, ...(code === undefined ? {} : { code }) }),
        onWait: once((why) => io.err(`earshot: waiting, ${plainText(why)}\n`)),
      });
      return tell(await playTo(receiver, playing), playing);
    }
    const onAlone = () => io.err("earshot: no listener is connected; waiting for one\n");
    await using stage = await openStage(options.file, fresh, { serving: options.serve, signal, onAlone });
    await gather(stage, options.serve.waitFor, io, signal);
    const summary = await playTo(stage, playing);
    if (options.serve.keep && !signal.aborted) {
      io.err("earshot: that was all. Serving on, until Ctrl-C\n");
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    }
    return tell({ ...summary, repliesIgnored: stage.repliesIgnored }, playing);
  },
);

interface Playing {
  readonly options: ReplayOptions;
  readonly io: Io;
  readonly signal: AbortSignal;
  readonly problems: ReplayProblem[];
  readonly freshen: ReturnType<typeof createFreshen>;
}

async function playTo(receiver: Receiver, playing: Playing): Promise<ReplaySummary> {
  const { options, io, signal, problems, freshen } = playing;
  const { file, speed, maxGapMs } = options;
  const pacer = speed === "max" ? undefined : new Pacer({ speed, maxGapMs });
  const isStdin = file === "-";
  const progress = createProgressLine(io);
  const tellSilence = once((text) => io.err(text));
  const began = performance.now();
  try {
    const played = await play(readPlaylist(isStdin ? io.stdin : file), {
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

/** Says which file it is that cannot be read. */
function rethrow(file: string, error: unknown): never {
  if (!EarshotError.is(error) || error.problem.code !== "FILE_UNREADABLE") throw error;
  throw new EarshotError({ ...error.problem, message: `${file}: ${error.problem.message}` }, { cause: error });
}

function note({ problems }: Playing, problem: ReplayProblem): void {
  if (problems.length < NAMED) problems.push(problem);
}

function tell(summary: ReplaySummary, { options, io }: Playing): number {
  if (options.json) io.out(`${JSON.stringify(summary, null, 2)}\n`);
  else io.err(`${summaryLines(summary).join("\n")}\n`);
  return summary.refused + summary.damaged > 0 ? EXIT.found : EXIT.ok;
}

/** Says where it is served, and waits for those who are to hear it from the beginning. */
async function gather(stage: Stage, waitFor: number, io: Io, signal: AbortSignal): Promise<void> {
  const whom = waitFor === 0 ? "" : waitFor === 1 ? "; it begins when a listener connects" : `; it begins when ${waitFor} listen`;
  io.err(`earshot: serving the recording at ${stage.url}${whom}\n`);
  while (stage.listeners < waitFor && !signal.aborted) await pause(LOOK_EVERY_MS);
}

/** Tells the first only. */
function once(tell: (text: string) => void): (text: string) => void {
  let isTold = false;
  return (text) => {
    if (!isTold) tell(text);
    isTold = true;
  };
}

function ofThisProcess(): ReplayPorts {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  return { env: process.env, signal: stop.signal };
}
