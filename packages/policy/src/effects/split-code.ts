export interface SplitCode {
  /** The code, with each string replaced by a mark and a number. */
  readonly bare: string;
  readonly strings: readonly { readonly text: string; readonly quote: string }[];
}

const COMMENTS: Readonly<Record<string, RegExp>> = {
  javascript: /\/\/[^\n]*/y,
  php: /\/\/[^\n]*|#[^\n]*/y,
  lua: /--[^\n]*/y,
  other: /;;[^\n]*/y,
};
const HASH = /#[^\n]*/y;
const BLOCK_END = "*/";
const STRING =
  /"""([\s\S]*?)"""|'''([\s\S]*?)'''|"((?:\\[\s\S]|[^"\\])*)"|'((?:\\[\s\S]|[^'\\])*)'|`((?:\\[\s\S]|[^`\\])*)`|(?:\bqx|%x)\s*[({[|/!]([^)}\]|/!]{0,2000})[)}\]|/!]/y;

/** Extracts the strings from code and removes the comments. */
export function splitCode(language: string, text: string): SplitCode {
  const strings: { text: string; quote: string }[] = [];
  const comment = (Object.hasOwn(COMMENTS, language) ? COMMENTS[language] : undefined) ?? HASH;
  // An unterminated block comment is not a comment; the last end is found once, so that it is not searched for at each beginning.
  const lastBlockEnd = language === "javascript" || language === "php" ? text.lastIndexOf(BLOCK_END) : -1;
  let bare = "";
  for (let at = 0; at < text.length; ) {
    const blockEnd = at + 2 <= lastBlockEnd && text.startsWith("/*", at) ? text.indexOf(BLOCK_END, at + 2) + BLOCK_END.length : 0;
    const skipped = blockEnd > at ? blockEnd - at : matchAt(comment, text, at)?.[0].length;
    const found = skipped === undefined && /["'`q%]/.test(text[at] ?? "") ? matchAt(STRING, text, at) : undefined;
    if (skipped !== undefined) at += skipped;
    else if (found === undefined) bare += text[at++];
    else {
      const [whole, triple, other, double, single, back, command] = found;
      const inside = triple ?? other ?? double ?? single ?? back ?? command ?? "";
      // Interpolations in a string are code.
      if (back !== undefined || double !== undefined)
        for (const [, expression = ""] of inside.matchAll(/[$#]\{([^}]{0,2000})\}/g)) bare += ` ${expression} `;
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
