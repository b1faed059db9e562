import { parseArgs } from "node:util";
import { listenPhrases } from "../packages/cli/src/listen/listen-phrases.ts";
import { languageWordsFor } from "../packages/narrate/src/sentences/languages.ts";
import { signsFor } from "../packages/narrate/src/spelling/signs-for.ts";
import { listenerPhrases } from "../packages/narrate/src/words/listener-phrases.ts";
import { DANGERS } from "../packages/policy/src/catalogue/dangers.ts";

/*
 * Prints every text of a language, for an editor:
 *
 *     npm run strings -- --lang en
 *
 * Each line is a key and its text; what is put in is shown as `{name}`. A text with a number stands there for one and for many.
 */

export interface CatalogueString {
  /** `words.moreFiles`. */
  readonly key: string;
  readonly text: string;
}

/** Every text of a catalogue, in order. */
export function stringsOf(entry: unknown, key = ""): readonly CatalogueString[] {
  if (typeof entry === "string") return [{ key, text: entry }];
  if (typeof entry === "function") return callWithNames(entry as TextFunction, key);
  if (typeof entry !== "object" || entry === null || entry instanceof RegExp) return [];
  return Object.entries(entry).flatMap(([name, one]) => stringsOf(one, key === "" ? name : `${key}.${name}`));
}

type TextFunction = (...parameters: readonly unknown[]) => unknown;

const MANY = 12;

/** Calls a text function with placeholder names, without optional texts, and with one and many for numbers. */
function callWithNames(write: TextFunction, key: string): readonly CatalogueString[] {
  const [, list = ""] = /^[^(]*\((\{[^}]*\}|[^)]*)\)|^(\w+) =>/.exec(String(write)) ?? [];
  const names = list.startsWith("{") ? [list] : (list || "what").split(",").map((name) => name.trim());
  const value = (name: string, n: number) => (isNumber(name) ? n : name.startsWith("{") ? membersIn(name) : `{${name}}`);
  const calls = [
    names.map((name) => value(name, 1)),
    names.map((name) => value(name, MANY)),
    names.map((name) => (isNumber(name) || name.startsWith("{") ? value(name, MANY) : undefined)),
  ];
  const texts = new Set(calls.flatMap((parameters) => textsOf(write, parameters)));
  if (texts.size === 0) texts.add(String(write).replaceAll(/\s+/g, " "));
  return [...texts].map((text) => ({ key, text }));
}

/** `{ done, by }`: a placeholder for each member. */
function membersIn(names: string): object {
  return Object.fromEntries([...names.matchAll(/\w+/g)].map(([name]) => [name, `{${name}}`]));
}

/** A text, or the forms of an action; nothing if the parameters do not fit. */
function textsOf(write: TextFunction, parameters: readonly unknown[]): readonly string[] {
  try {
    const written = write(...parameters);
    const texts = typeof written === "string" ? [written] : Object.values(written as object);
    return texts.filter((text) => typeof text === "string" && !text.includes("undefined"));
  } catch {
    return []; // it chooses by a parameter: its source says what it says
  }
}

function isNumber(name: string): boolean {
  return /^(?:n|of|count|lines|words|characters|requests|thousands|millions)$/.test(name);
}

if (import.meta.main) {
  const { lang } = parseArgs({ options: { lang: { type: "string", default: "en" } } }).values;
  const { catalogue } = languageWordsFor(lang);
  // English dangers are the policy's own sentences.
  const dangers = { ...Object.fromEntries(DANGERS.map(({ id, sentence }) => [id, sentence])), ...catalogue.dangers };
  const all = { ...catalogue, dangers, listening: listenerPhrases(lang), listen: listenPhrases(lang), signs: signsFor(lang) };
  for (const { key, text } of stringsOf(all)) console.log(`${key}: ${text}`);
}
