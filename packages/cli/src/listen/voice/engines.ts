import { createUsageError } from "@earshot/terminal/usage";
import { runProgram } from "./run-program.ts";

/** A speech program as data: how to call it, and its own scales. */
export interface SpeechEngine {
  readonly name: string;
  /** Looked up on the PATH. */
  readonly command: string;
  /** The platform it is tried on; left out for all. */
  readonly platform?: NodeJS.Platform;
  /** Its arguments. The text is one argument or comes on stdin; no shell is involved. */
  readonly words: (call: EngineCall) => readonly string[];
  readonly textOn: "stdin" | "words";
  /** Arguments that stop speech produced by another process. */
  readonly stopWords?: readonly string[];
  /** How to list its languages; left out if it chooses the nearest one itself. */
  readonly languages?: { readonly words: readonly string[]; readonly read: (list: string) => ReadonlyMap<string, string> };
}

export interface EngineCall {
  readonly text: string;
  readonly paceWpm: number;
  /** BCP 47. */
  readonly language: string;
  /** The engine's voice for this language; undefined if there is none. */
  readonly voice: string | undefined;
}

/** In lookup order: the desktop's configured speech comes first. */
export const ENGINES: readonly SpeechEngine[] = [
  {
    name: "speech-dispatcher",
    command: "spd-say",
    words: ({ text, paceWpm, language }) => ["--wait", "--rate", String(dispatcherRate(paceWpm)), "--language", language, "--", text],
    textOn: "words",
    stopWords: ["--stop"],
  },
  {
    name: "say",
    command: "say",
    platform: "darwin",
    words: ({ paceWpm, voice }) => ["-r", String(Math.round(paceWpm)), ...(voice === undefined ? [] : ["-v", voice]), "-f", "-"],
    textOn: "stdin",
    languages: { words: ["-v", "?"], read: readSayVoices },
  },
  {
    name: "Windows speech",
    command: "powershell.exe",
    platform: "win32",
    words: ({ paceWpm, language }) => [
      "-NoProfile",
      "-NonInteractive",
      "-Command",
      `& { param($rate, $language) ${SAPI} }`,
      String(sapiRate(paceWpm)),
      language,
    ],
    textOn: "stdin",
  },
  espeak("espeak-ng"),
  espeak("espeak"),
];

function espeak(command: string): SpeechEngine {
  return {
    name: command,
    command,
    words: ({ paceWpm, voice }) => ["-s", String(espeakRate(paceWpm)), ...(voice === undefined ? [] : ["-v", voice]), "--stdin"],
    textOn: "stdin",
    languages: { words: ["--voices"], read: readEspeakVoices },
  };
}

const SAPI = [
  "Add-Type -AssemblyName System.Speech;",
  "[Console]::InputEncoding = [Text.Encoding]::UTF8;",
  "$voice = New-Object System.Speech.Synthesis.SpeechSynthesizer;",
  "$voice.Rate = [int]$rate;",
  "try { $voice.SelectVoiceByHints('NotSet', 'NotSet', 0, [Globalization.CultureInfo]$language) } catch { }",
  "$voice.Speak([Console]::In.ReadToEnd())",
].join(" ");

/** From -100 to 100, where 0 is about 170 words per minute and 100 about 450. */
export function dispatcherRate(paceWpm: number): number {
  return within(paceWpm < 170 ? ((paceWpm - 170) / 90) * 100 : ((paceWpm - 170) / 280) * 100, -100, 100);
}

/** From -10 to 10: each step is a ninth faster, from about 180 words per minute. */
export function sapiRate(paceWpm: number): number {
  return within((10 * Math.log(paceWpm / 180)) / Math.log(3), -10, 10);
}

/** It takes words per minute directly, from 80 on. */
export function espeakRate(paceWpm: number): number {
  return within(paceWpm, 80, 900);
}

function within(value: number, least: number, most: number): number {
  return Math.round(Math.min(most, Math.max(least, value)));
}

/** `Anna                de_DE    # Hallo …`: the first voice of each language. */
export function readSayVoices(list: string): ReadonlyMap<string, string> {
  const found = list.split("\n").flatMap((line) => {
    const [, name, language] = /^(\S.{0,200}?)\s{1,80}([a-z]{2,3}(?:[_-]\w+)?)\s+#/.exec(line) ?? [];
    return name === undefined || language === undefined ? [] : [[language.replace("_", "-").toLowerCase(), name] as const];
  });
  return firstOf(found);
}

/** ` 2  en-us           --/M      English_(America)  gmw/en-US            (en 3)`: the voice with the lowest number per language. */
export function readEspeakVoices(list: string): ReadonlyMap<string, string> {
  const found = list.split("\n").flatMap((line) => {
    const [, rank, voice, others = ""] = /^\s*(\d+)\s+([a-z]{2,3}(?:-\w+)*)\s+\S+\s+\S+\s+(?!mb\/)\S+(.*)/i.exec(line) ?? [];
    if (voice === undefined) return [];
    const also = [...others.matchAll(/\(([\w-]+) (\d+)\)/g)].map(([, language = "", number]) => ({ language, rank: Number(number) }));
    return [{ language: voice, rank: Number(rank) }, ...also].map((one) => ({ ...one, language: one.language.toLowerCase(), voice }));
  });
  return firstOf(found.sort((one, other) => one.rank - other.rank).map(({ language, voice }) => [language, voice] as const));
}

function firstOf(found: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  return new Map([...found].reverse());
}

/** A voice for the exact tag, for the language, or for another region of it; undefined if there is none. */
export function findEngineVoice(language: string, voices: ReadonlyMap<string, string>): string | undefined {
  const wanted = language.toLowerCase();
  const [primary = wanted] = wanted.split("-");
  const related = [...voices.keys()].find((one) => one.startsWith(`${primary}-`));
  return voices.get(wanted) ?? voices.get(primary) ?? (related === undefined ? undefined : voices.get(related));
}

/**
 * `--voice "cmd {rate} {lang} {text}"`: words, quoted if they contain spaces. Placeholders are replaced within a word, so that no text
 * can become two words. Without {text}, the text comes on stdin.
 */
export function commandEngine(template: string): SpeechEngine {
  const [command, ...words] = splitWords(template);
  if (command === undefined || command === "")
    throw createUsageError("--voice names no command.", '--voice "espeak-ng -s {rate} -v {lang} --stdin"');
  const takesText = words.some((word) => word.includes("{text}"));
  return {
    name: command,
    command,
    words: ({ text, paceWpm, language }) =>
      words.map((word) =>
        word.replaceAll(/\{(rate|lang|text)\}/g, (_whole, name: string) =>
          name === "rate" ? String(Math.round(paceWpm)) : name === "lang" ? language : text,
        ),
      ),
    textOn: takesText ? "words" : "stdin",
  };
}

function splitWords(template: string): readonly string[] {
  const words = template.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  return words.map((word) => (/^["']/.test(word) ? word.slice(1, -1) : word));
}

/** Control and formatting characters, which act on a voice instead of being spoken. */
const UNSAID = /[\p{Cc}\p{Cf}]+/gu;

/**
 * Untrusted text for a speech program. Some interpret commands within the text (`[[…]]` for `say` and espeak), and a leading minus would
 * be read as an option.
 */
export function toUtterable(text: string): string {
  const plain = text
    .replace(UNSAID, " ")
    .replaceAll(/\[(?=\[)/g, "[ ")
    .replaceAll(/\](?=\])/g, "] ")
    .trim();
  return plain.startsWith("-") ? `. ${plain}` : plain;
}

const LIST_MS = 5000;

/** The engine's voices by language. Without a list it uses its default voice for all languages. */
export async function listVoices({ languages }: SpeechEngine, path: string): Promise<ReadonlyMap<string, string>> {
  if (languages === undefined) return new Map();
  const list = await runProgram(path, languages.words, { limitMs: LIST_MS }).over.catch(() => undefined);
  return list === undefined ? new Map() : languages.read(list.output.toString("utf8"));
}
