/**
 * Replaces the package `entities` of markdown-it, whose table of all 2,231 names would be a twentieth of the whole dashboard. Names
 * missing here stay as written; nothing is lost.
 */
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  bull: "•",
  middot: "·",
  deg: "°",
  times: "×",
  divide: "÷",
  plusmn: "±",
  larr: "←",
  rarr: "→",
  uarr: "↑",
  darr: "↓",
  euro: "€",
  pound: "£",
  yen: "¥",
  sect: "§",
  para: "¶",
  check: "✓",
  cross: "✗",
};

/** Decodes one reference, as markdown-it passes it: `&amp;`. markdown-it decodes numeric references itself. */
export function decodeHTMLStrict(reference: string): string {
  const name = /^&([a-z]+);$/i.exec(reference)?.[1];
  return (name !== undefined && Object.hasOwn(NAMED, name) ? NAMED[name] : undefined) ?? reference;
}
