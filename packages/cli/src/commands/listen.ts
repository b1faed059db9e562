import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { AnnouncerSettings } from "@earshot/sdk";
import { openHub } from "../hub-client.ts";
import { EXIT, type Io } from "../io.ts";
import { Earcons } from "../listen/earcons.ts";
import { type ListenPorts, runListen } from "../listen/run-listen.ts";
import { findScreenReader } from "../listen/screen-readers.ts";
import { chooseVoice } from "../listen/voice/choose-voice.ts";
import { findProgram } from "../listen/voice/find-program.ts";
import { hasKeyboard } from "../terminal/ask.ts";
import { openOwnHub } from "../unlock-hub.ts";
import { oneOf, usage } from "../usage.ts";

export const LISTEN_HELP = `Usage: earshot listen [options]

Says aloud what your agents do, one thing at a time, at your pace, and what is urgent first; each is printed as a line, too. Begins with
who runs and who waits. Keys stop, skip and repeat, and answer what is asked: ? tells them all.

It speaks with speech-dispatcher, say, Windows speech or espeak-ng, whichever is there. When a screen reader runs, or the output is no
terminal, it only prints lines.

Options:
  --voice V        a voice by its name, or a command: "cmd {rate} {lang} {text}"; without {text} the text comes on stdin.
                   file:out.wav speaks into a file, with espeak-ng
  --lines          only lines, no voice
  --rate WPM       words a minute, from 50 to 1000 (default: 180)
  --verbosity V    how long the sentences are: terse, normal, detailed
  --load L         how much is told: low, medium, high
  --lang L         language of the words and the voice: en, de (default: that of your system)
  --earcons        a short sound before requests, failures and ends
  --help
`;

export async function listen(argv: readonly string[], io: Io, ports: ListenPorts = ofThisProcess(io)): Promise<number> {
  const options = readArguments(argv);
  if (options === "help") {
    io.out(LISTEN_HELP);
    return EXIT.ok;
  }
  const chosen = await chooseVoice(
    { voice: options.voice, linesOnly: options.lines, isTerminal: io.terminal.out },
    { findScreenReader, find: findProgram, platform: process.platform },
  );
  using earcons = options.earcons ? new Earcons({ ring: io.err, find: findProgram }) : undefined;
  await runListen(
    { chosen, settings: options.settings, ...(earcons === undefined ? {} : { play: (sound) => earcons.play(sound) }) },
    ports,
  );
  return EXIT.ok;
}

function readArguments(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      voice: { type: "string" },
      lines: { type: "boolean", default: false },
      rate: { type: "string", default: "180" },
      verbosity: { type: "string", default: "normal" },
      load: { type: "string", default: "medium" },
      lang: { type: "string", default: systemLanguage() },
      earcons: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  if (values.lines && values.voice !== undefined) throw usage("--lines and --voice contradict each other.", "Give one of the two.");
  const rate = /^\d{2,4}$/.test(values.rate) ? Number(values.rate) : 0;
  if (rate < 50 || rate > 1000) throw usage(`--rate cannot be ${JSON.stringify(values.rate)}.`, "Give words a minute: from 50 to 1000.");
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(values.lang))
    throw usage(`--lang cannot be ${JSON.stringify(values.lang)}.`, "Give a language: en, de, de-AT.");
  const settings: Partial<AnnouncerSettings> = {
    paceWpm: rate,
    verbosity: oneOf("--verbosity", values.verbosity, ["terse", "normal", "detailed"]),
    load: oneOf("--load", values.load, ["low", "medium", "high"]),
    language: values.lang,
  };
  return { voice: values.voice, lines: values.lines, earcons: values.earcons, settings };
}

function systemLanguage(): string {
  return Intl.DateTimeFormat().resolvedOptions().locale;
}

function ofThisProcess(io: Io): ListenPorts {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  // Whoever may be asked for a PIN is asked by the hub of their own folder, whatever the environment says.
  const open = hasKeyboard(io) ? () => openOwnHub(process.env) : () => openHub(process.env);
  return {
    io,
    open,
    signal: stop.signal,
    wait: (ms) => pause(ms, undefined, { signal: stop.signal }).catch(() => {}), // woken by the signal, which is looked at next
    now: () => performance.now(),
    wallNow: Date.now,
  };
}
