import { keptScript, nameCharacter } from "./name-character.ts";
import type { SignNames } from "./sign-names.ts";

/** A piece of a text and how it is spoken. */
export type SpokenToken =
  | { readonly is: "space"; readonly count: number }
  | { readonly is: "sign"; readonly name: string; readonly count: number }
  | { readonly is: "word"; readonly word: string }
  | { readonly is: "kept"; readonly word: string; readonly script: string }
  | { readonly is: "digits"; readonly digits: string };

/** Splits a text into pieces that cover every character once. */
export function* splitSpokenTokens(text: string, names: SignNames): Generator<SpokenToken> {
  const capitals = names.letters.toUpperCase();
  const words = new RegExp(`[${capitals}]+(?![${names.letters}])|[${capitals}]?[${names.letters}]+|[0-9]+| +`, "gy");
  for (let at = 0; at < text.length; ) {
    words.lastIndex = at;
    const [run] = words.exec(text) ?? [];
    if (run !== undefined) {
      at += run.length;
      if (run.startsWith(" ")) yield { is: "space", count: run.length };
      else if (/^[0-9]/.test(run)) yield { is: "digits", digits: run };
      else yield { is: "word", word: run };
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const script = keptScript(character);
    let end = at + character.length;
    if (script !== undefined) {
      for (let next = characterAt(text, end); keptScript(next) === script; next = characterAt(text, end)) end += next.length;
      yield { is: "kept", word: text.slice(at, end), script: names.scripts[script] };
    } else {
      while (text.startsWith(character, end)) end += character.length;
      yield { is: "sign", name: nameCharacter(character, names), count: (end - at) / character.length };
    }
    at = end;
  }
}

function characterAt(text: string, at: number): string {
  return at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : "";
}

/** A repeated sign: two are spoken, more are counted. */
export function spokenSign(name: string, count: number, { times }: SignNames): string {
  return count < 3 ? Array.from({ length: count }, () => name).join(" ") : `${count} ${times} ${name}`;
}

export function spokenSpace(count: number, { space, spaces }: SignNames): string {
  return count === 1 ? space : spaces(count);
}
