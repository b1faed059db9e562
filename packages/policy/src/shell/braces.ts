const MAX_ALTERNATIVES = 64;
const MAX_DEPTH = 8;

/**
 * The words that `{a,b}` and `{1..3}` expand to, including nested ones; undefined if there are too many, or if the text contains more
 * than letters, because the words are then known only at run time.
 */
export function expandBraces(text: string): readonly string[] | undefined {
  return /[$`'"\\()<>]/.test(text) ? undefined : expand(text, 0);
}

function expand(text: string, depth: number): readonly string[] | undefined {
  const open = firstBrace(text);
  if (open === undefined) return [text];
  if (depth > MAX_DEPTH) return undefined;
  const middles = open.parts.map((part) => expand(part, depth + 1));
  const rest = expand(text.slice(open.end), depth + 1);
  if (rest === undefined || !middles.every((words) => words !== undefined)) return undefined;
  const words = middles.flat();
  if (words.length * rest.length > MAX_ALTERNATIVES) return undefined;
  const before = text.slice(0, open.start);
  return words.flatMap((middle) => rest.map((after) => `${before}${middle}${after}`));
}

/** The first pair of braces that expands to something. */
function firstBrace(text: string): { readonly start: number; readonly end: number; readonly parts: readonly string[] } | undefined {
  for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", start + 1)) {
    let depth = 0;
    let from = start + 1;
    const parts: string[] = [];
    for (let index = start; index < text.length; index++) {
      const character = text[index];
      if (character === "{") depth++;
      else if (character === "}") depth--;
      if (!((character === "," && depth === 1) || (character === "}" && depth === 0))) continue;
      parts.push(text.slice(from, index));
      from = index + 1;
      if (depth > 0) continue;
      const words = parts.length > 1 ? parts : range(parts[0] ?? "");
      if (words !== undefined) return { start, end: from, parts: words };
      break;
    }
  }
  return undefined;
}

function range(text: string): readonly string[] | undefined {
  const [, first, last, step = "1"] = /^(-?\d{1,6}|[A-Za-z])\.\.(-?\d{1,6}|[A-Za-z])(?:\.\.(-?\d{1,6}))?$/.exec(text) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const isNumber = /\d/.test(first);
  if (isNumber !== /\d/.test(last)) return undefined;
  const [from, to] = isNumber ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)];
  const by = Math.max(1, Math.abs(Number(step)));
  // One more than accepted, so that excess is detected.
  const count = Math.min(MAX_ALTERNATIVES + 1, Math.floor(Math.abs(to - from) / by) + 1);
  const values = Array.from({ length: count }, (_, index) => from + (from <= to ? index : -index) * by);
  return values.map((value) => (isNumber ? String(value) : String.fromCharCode(value)));
}
