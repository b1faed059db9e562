import { usage } from "../../usage.ts";
import { runProgram } from "./run-program.ts";

/** A program that speaks, as data: how it is called, and what its own scales are. */
export interface Engine {
  readonly name: string;
  /** Looked for on the PATH. */
  readonly command: string;
  /** Where it is tried; everywhere when left out. */
  readonly platform?: NodeJS.Platform;
  /** What it is called with. The text is one word of its own, or comes on stdin: no shell ever sees it. */
  readonly words: (call: EngineCall) => readonly string[];
  readonly textOn: "stdin" | "words";
  /** What makes it silent, where its voice is that of another process. */
  readonly stopWords?: readonly string[];
  /** What lists its languages, and how to read the list; left out where it finds the nearest one itself. */
  readonly languages?: { readonly words: readonly string[]; readonly read: (list: string) => ReadonlyMap<string, string> };
}

export interface EngineCall {
  readonly text: string;
  readonly paceWpm: number;
  /** BCP 47. */
  readonly language: string;
  /** The name that the engine has for a voice of this language; undefined where it has none. */
  readonly voice: string | undefined;
}

/** In the order in which they are looked for: what the person has set up for the whole desktop comes first. */
export const ENGINES: readonly Engine[] = [
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

function espeak(command: string): Engine {
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

/** From -100 to 100, where 0 is about 170 words a minute, and 100 about 450. */
export function dispatcherRate(paceWpm: number): number {
  return within(paceWpm < 170 ? ((paceWpm - 170) / 90) * 100 : ((paceWpm - 170) / 280) * 100, -100, 100);
}

/** From -10 to 10: each step a ninth faster, from about 180 words a minute. */
export function sapiRate(paceWpm: number): number {
  return within((10 * Math.log(paceWpm / 180)) / Math.log(3), -10, 10);
}

/** It takes words a minute as they are, from 80 on. */
export function espeakRate(paceWpm: number): number {
  return within(paceWpm, 80, 900);
}

function within(value: number, least: number, most: number): number {
  return Math.round(Math.min(most, Math.max(least, value)));
}

/** `Anna                de_DE    # Hallo …`: the first of each language. */
export function readSayVoices(list: string): ReadonlyMap<string, string> {
  const found = list.split("\n").flatMap((line) => {
    const [, name, language] = /^(\S.*?)\s+([a-z]{2,3}(?:[_-]\w+)?)\s+#/.exec(line) ?? [];
    return name === undefined || language === undefined ? [] : [[language.replace("_", "-").toLowerCase(), name] as const];
  });
  return firstOf(found);
}

/** ` 2  en-us           --/M      English_(America)  gmw/en-US            (en 3)`: of several for one language the one with the least number. */
export function readEspeakVoices(list: string): ReadonlyMap<string, string> {
  const found = list.split("\n").flatMap((line) => {
    const [, rank, voice, others = ""] = /^\s*(\d+)\s+([a-z]{2,3}(?:-\w+)*)\s+\S+\s+\S+\s+(?!mb\/)\S+(.*)$/i.exec(line) ?? [];
    if (voice === undefined) return [];
    const also = [...others.matchAll(/\(([\w-]+) (\d+)\)/g)].map(([, language = "", number]) => ({ language, rank: Number(number) }));
    return [{ language: voice, rank: Number(rank) }, ...also].map((one) => ({ ...one, language: one.language.toLowerCase(), voice }));
  });
  return firstOf(found.sort((one, other) => one.rank - other.rank).map(({ language, voice }) => [language, voice] as const));
}

function firstOf(found: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  return new Map([...found].reverse());
}

/** `de-AT` is spoken by a voice of its own, of German at large, or of another German; undefined where nobody speaks it. */
export function voiceFor(language: string, voices: ReadonlyMap<string, string>): string | undefined {
  const wanted = language.toLowerCase();
  const [primary = wanted] = wanted.split("-");
  const related = [...voices.keys()].find((one) => one.startsWith(`${primary}-`));
  return voices.get(wanted) ?? voices.get(primary) ?? (related === undefined ? undefined : voices.get(related));
}

/**
 * `--voice "cmd {rate} {lang} {text}"`: words, in quotes where they hold spaces. What stands in braces is put in word by word, so
 * that no text can become two words. A command without {text} gets it on stdin.
 */
export function commandEngine(template: string): Engine {
  const [command, ...words] = splitWords(template);
  if (command === undefined || command === "") throw usage("--voice names no command.", '--voice "espeak-ng -s {rate} -v {lang} --stdin"');
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

/** Characters that act on a voice instead of being said: controls, and the marks of formatting. */
const UNSAID = /[\p{Cc}\p{Cf}]+/gu;

/**
 * Text from elsewhere, for a program that speaks. Some take orders from within a text: `[[…]]` is one for `say` and for espeak,
 * and a text that begins with a minus would be an option where it is a word.
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

/** The engine's own names of voices, by language. Without a list it speaks all languages with the voice that it has. */
export async function listVoices({ languages }: Engine, path: string): Promise<ReadonlyMap<string, string>> {
  if (languages === undefined) return new Map();
  const list = await runProgram(path, languages.words, { limitMs: LIST_MS }).over.catch(() => undefined);
  return list === undefined ? new Map() : languages.read(list.output.toString("utf8"));
}
