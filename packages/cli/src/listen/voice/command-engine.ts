import { usage } from "../../usage.ts";
import type { Engine } from "./engines.ts";

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
