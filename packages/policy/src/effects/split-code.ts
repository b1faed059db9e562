export interface SplitCode {
  /** The code, with a mark and a number in the place of each text. */
  readonly bare: string;
  readonly strings: readonly { readonly text: string; readonly quote: string }[];
}

const COMMENTS: Readonly<Record<string, RegExp>> = {
  javascript: /\/\/[^\n]*|\/\*[\s\S]*?\*\//y,
  php: /\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\//y,
  lua: /--[^\n]*/y,
  other: /;;[^\n]*/y,
};
const HASH = /#[^\n]*/y;
const STRING =
  /"""([\s\S]*?)"""|'''([\s\S]*?)'''|"((?:\\[\s\S]|[^"\\])*)"|'((?:\\[\s\S]|[^'\\])*)'|`((?:\\[\s\S]|[^`\\])*)`|(?:\bqx|%x)\s*[({[|/!]([^)}\]|/!]*)[)}\]|/!]/y;

/** Takes the comments and the texts out of code. */
export function splitCode(language: string, text: string): SplitCode {
  const strings: { text: string; quote: string }[] = [];
  const comment = (Object.hasOwn(COMMENTS, language) ? COMMENTS[language] : undefined) ?? HASH;
  let bare = "";
  for (let at = 0; at < text.length; ) {
    const skipped = matchAt(comment, text, at);
    const found = skipped === undefined && /["'`q%]/.test(text[at] ?? "") ? matchAt(STRING, text, at) : undefined;
    if (skipped !== undefined) at += skipped[0].length;
    else if (found === undefined) bare += text[at++];
    else {
      const [whole, triple, other, double, single, back, command] = found;
      const inside = triple ?? other ?? double ?? single ?? back ?? command ?? "";
      // Interpolations in a string are code.
      if (back !== undefined || double !== undefined)
        for (const [, expression = ""] of inside.matchAll(/[$#]\{([^}]*)\}/g)) bare += ` ${expression} `;
      bare += `\ue002${strings.length}\ue003`;
      strings.push({ text: unescapeText(inside), quote: back !== undefined || command !== undefined ? "`" : '"' });
      at += Math.max(1, whole.length);
    }
  }
  return { bare, strings };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function unescapeText(text: string): string {
  const code = (digits: string) => String.fromCodePoint(Math.min(Number.parseInt(digits, 16), 0x10ffff));
  return text
    .replaceAll(/\\x([0-9a-f]{2})|\\u([0-9a-f]{4})/gi, (_, byte: string | undefined, unit: string | undefined) => code(byte ?? unit ?? "0"))
    .replaceAll("\\n", "\n")
    .replaceAll(/\\(["'`\\/])/g, "$1");
}
