import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { plainWords } from "./plain-words.ts";
import type { VoiceLine } from "./utterance.ts";

/**
 * A silent voice for speech-dispatcher. It takes as long as a synthesizer, can be interrupted, and logs what would have been heard. It
 * speaks the protocol of output modules: lines on stdin and stdout, data ended by a dot.
 */
const { values } = parseArgs({ options: { file: { type: "string", default: "" }, pace: { type: "string", default: "400" } } });
const paceWpm = Number(values.pace);
const MINUTE_MS = 60_000;
/** The duration of a single letter. */
const SHORTEST_MS = 80;

const ANSWERS: Readonly<Record<string, readonly [first: string, last: string]>> = {
  AUDIO: ["207 OK RECEIVING AUDIO SETTINGS", "203 OK AUDIO INITIALIZED"],
  LOGLEVEL: ["207 OK RECEIVING LOGLEVEL SETTINGS", "203 OK LOGLEVEL SET"],
  SET: ["203 OK RECEIVING SETTINGS", "203 OK SETTINGS RECEIVED"],
  SPEAK: ["202 OK RECEIVING MESSAGE", "200 OK SPEAKING"],
  CHAR: ["202 OK RECEIVING MESSAGE", "200 OK SPEAKING"],
  KEY: ["202 OK RECEIVING MESSAGE", "200 OK SPEAKING"],
  SOUND_ICON: ["202 OK RECEIVING MESSAGE", "200 OK SPEAKING"],
};

const reply = (...lines: readonly string[]) => void process.stdout.write(`${lines.join("\n")}\n`);
let speaking: { readonly at: number; readonly words: readonly string[]; readonly timer: NodeJS.Timeout } | undefined;
let data: { readonly command: string; readonly lines: string[] } | undefined;

for await (const line of createInterface({ input: process.stdin })) {
  if (data !== undefined) {
    if (line !== ".") data.lines.push(line.startsWith(".") ? line.slice(1) : line);
    else {
      const { command, lines } = data;
      data = undefined;
      reply(ANSWERS[command]?.[1] ?? "");
      if (command === "SPEAK" || command === "CHAR" || command === "KEY") speak(lines.join("\n"));
      else if (command === "SOUND_ICON") reply("701 BEGIN", "702 END");
    }
  } else if (Object.hasOwn(ANSWERS, line)) {
    data = { command: line, lines: [] };
    reply(ANSWERS[line]?.[0] ?? "");
  } else if (line === "INIT") reply("299-It writes down what it is given.", "299 OK LOADED SUCCESSFULLY");
  else if (line === "LIST VOICES") reply("200-Earshot\ten\tnone", "200 OK VOICE LIST SENT");
  else if (line === "STOP" || line === "PAUSE") end(line === "STOP" ? "703 STOP" : "704 PAUSE");
  else if (line.startsWith("DEBUG")) reply(`200 OK DEBUGGING ${line.split(" ")[1] ?? "OFF"}`);
  else if (line === "QUIT") {
    reply("210 OK QUIT");
    process.exit(0);
  } else reply("300 ERR UNKNOWN COMMAND");
}

function speak(marked: string): void {
  const words = plainWords(marked);
  const at = Date.now();
  const lastsMs = Math.max(SHORTEST_MS, (words.length * MINUTE_MS) / paceWpm);
  speaking = { at, words, timer: setTimeout(() => end("702 END"), lastsMs) };
  note({ began: at, words });
  reply("701 BEGIN");
}

/** An interrupted text counts as heard up to that point. */
function end(event: string): void {
  if (speaking === undefined) return;
  const { at, words, timer } = speaking;
  clearTimeout(timer);
  speaking = undefined;
  const ended = Date.now();
  const reached = event === "702 END" ? words.length : Math.round(((ended - at) * paceWpm) / MINUTE_MS);
  note({ ended, said: Math.min(words.length, reached) });
  reply(event);
}

function note(line: VoiceLine): void {
  appendFileSync(values.file, `${JSON.stringify(line)}\n`);
}
