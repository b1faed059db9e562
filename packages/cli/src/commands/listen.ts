import { setTimeout as pause } from "node:timers/promises";
import type { AnnouncerSettings } from "@earshot/announcer";
import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { createUsageError, requireOneOf } from "@earshot/terminal/usage";
import { type CommandInput, command } from "../command.ts";
import { openHub } from "../hub-client.ts";
import { Earcons } from "../listen/earcons.ts";
import { type ListenPorts, runListen } from "../listen/run-listen.ts";
import { findScreenReader } from "../listen/screen-readers.ts";
import { chooseVoice } from "../listen/voice/choose-voice.ts";
import { findSpeechProgram } from "../listen/voice/run-program.ts";
import { openOwnHub } from "../own-hub.ts";
import { LANGUAGE_OPTION, readLanguage } from "../story/options.ts";
import { hasKeyboard } from "../terminal/ask.ts";

const OPTIONS = {
  voice: {
    type: "string",
    value: "V",
    about:
      'a voice by its name, or a command: "cmd {rate} {lang} {text}"; without {text} the text comes on stdin. file:out.wav speaks into a file, with espeak-ng',
  },
  lines: { type: "boolean", default: false, about: "only lines, no voice" },
  rate: { type: "string", default: "180", value: "WPM", about: "words a minute, from 50 to 1000 (default: 180)" },
  verbosity: { type: "string", default: "normal", value: "V", about: "how long the sentences are: terse, normal, detailed" },
  load: { type: "string", default: "medium", value: "L", about: "how much is announced: low, medium, high" },
  lang: { ...LANGUAGE_OPTION, about: "language of the text and the voice: en or de (default: your system's)" },
  earcons: { type: "boolean", default: false, about: "a short sound before requests, failures and ends" },
} as const;

export const listenCommand = command(
  {
    name: "listen",
    positionals: [],
    about: `Speaks what your agents do, one announcement at a time, urgent ones first, at your pace, and prints each as a line. It begins with a
summary of running and waiting agents. Keys stop, skip, repeat and answer: ? lists them.

It speaks with speech-dispatcher, say, Windows speech or espeak-ng, whichever is installed. If a screen reader is running, or the output
is not a terminal, it only prints lines.`,
    options: OPTIONS,
  },
  async (input, io: CommandIo, ports: ListenPorts = ofThisProcess(io)): Promise<number> => {
    const options = readArguments(input);
    const chosen = await chooseVoice(
      { voice: options.voice, linesOnly: options.lines, isTerminal: io.terminal.out },
      { findScreenReader, find: findSpeechProgram, platform: process.platform },
    );
    using earcons = options.earcons ? new Earcons({ ring: io.err, find: findSpeechProgram }) : undefined;
    await runListen(
      { chosen, settings: options.settings, ...(earcons === undefined ? {} : { play: (sound) => earcons.play(sound) }) },
      ports,
    );
    return EXIT.ok;
  },
);

function readArguments({ values }: CommandInput<typeof OPTIONS>) {
  if (values.lines && values.voice !== undefined)
    throw createUsageError("--lines and --voice contradict each other.", "Give one of the two.");
  const rate = /^\d{2,4}$/.test(values.rate) ? Number(values.rate) : 0;
  if (rate < 50 || rate > 1000)
    throw createUsageError(`--rate cannot be ${JSON.stringify(values.rate)}.`, "Give words a minute: from 50 to 1000.");
  const settings: Partial<AnnouncerSettings> = {
    paceWpm: rate,
    verbosity: requireOneOf("--verbosity", values.verbosity, ["terse", "normal", "detailed"]),
    load: requireOneOf("--load", values.load, ["low", "medium", "high"]),
    language: readLanguage(values.lang),
  };
  return { voice: values.voice, lines: values.lines, earcons: values.earcons, settings };
}

function ofThisProcess(io: CommandIo): ListenPorts {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  // Someone asked for a PIN is asked by the hub of their own folder, whatever the environment says.
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
