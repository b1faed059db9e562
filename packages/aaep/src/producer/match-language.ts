/**
 * Matches a requested language with the offered ones, in the order of chapter 11: the tag itself; a shorter tag (`en-US` → `en`,
 * `zh-Hant` → `zh`); a longer tag (`en` → `en-US`); another region of the same language. Never another script, which the reader may not
 * know. Case-insensitive. Undefined if none matches.
 */
export function matchLanguage(asked: string, offered: readonly string[]): string | undefined {
  const wanted = asked.toLowerCase();
  const find = (fits: (tag: string) => boolean) => offered.find((tag) => fits(tag.toLowerCase()));
  const exact = find((tag) => tag === wanted);
  if (exact !== undefined) return exact;
  const subtags = wanted.split("-");
  for (let length = subtags.length - 1; length > 0; length--) {
    const shorter = subtags.slice(0, length).join("-");
    const found = find((tag) => tag === shorter);
    if (found !== undefined) return found;
  }
  return find((tag) => tag.startsWith(`${wanted}-`)) ?? find((tag) => tag.split("-")[0] === subtags[0] && haveSameScript(tag, wanted));
}

function haveSameScript(one: string, other: string): boolean {
  const [a, b] = [scriptOf(one), scriptOf(other)];
  return a === undefined || b === undefined || a === b;
}

function scriptOf(tag: string): string | undefined {
  return tag
    .split("-")
    .slice(1)
    .find((subtag) => /^[a-z]{4}$/.test(subtag));
}
