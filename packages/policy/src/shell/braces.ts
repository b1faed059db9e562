const MAX_ALTERNATIVES = 64;

/**
 * The words that `{a,b}` and `{1..3}` stand for, nested ones too; undefined where there are too many, or where the text
 * holds more than letters: then it is only known when it runs.
 */
export function expandBraces(text: string): readonly string[] | undefined {
  if (/[$`'"\\()<>]/.test(text)) return undefined;
  return expand(text, 0);
}

function expand(text: string, depth: number): readonly string[] | undefined {
  const open = firstBrace(text);
  if (open === undefined) return [text];
  if (depth > 8) return undefined;
  const { start, end, parts } = open;
  const middles: string[] = [];
  for (const part of parts) {
    const words = expand(part, depth + 1);
    if (words === undefined) return undefined;
    middles.push(...words);
  }
  const rest = expand(text.slice(end), depth + 1);
  if (rest === undefined || middles.length * rest.length > MAX_ALTERNATIVES) return undefined;
  const before = text.slice(0, start);
  return middles.flatMap((middle) => rest.map((after) => `${before}${middle}${after}`));
}

/** The first pair of braces that stands for something. */
function firstBrace(text: string): { readonly start: number; readonly end: number; readonly parts: readonly string[] } | undefined {
  for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", start + 1)) {
    let depth = 0;
    let from = start + 1;
    const parts: string[] = [];
    for (let index = start; index < text.length; index++) {
      const character = text[index];
      if (character === "{") depth++;
      else if (character === "," && depth === 1) {
        parts.push(text.slice(from, index));
        from = index + 1;
      } else if (character === "}" && --depth === 0) {
        parts.push(text.slice(from, index));
        const words = parts.length > 1 ? parts : range(parts[0] ?? "");
        if (words !== undefined) return { start, end: index + 1, parts: words };
        break;
      }
    }
  }
  return undefined;
}

function range(text: string): readonly string[] | undefined {
  const [, first, last, step = "1"] = /^(-?\d{1,6}|[A-Za-z])\.\.(-?\d{1,6}|[A-Za-z])(?:\.\.(-?\d{1,6}))?$/.exec(text) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const isNumber = /\d/.test(first) && /\d/.test(last);
  if (!isNumber && (/\d/.test(first) || /\d/.test(last))) return undefined;
  const [from, to] = isNumber ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)];
  const by = Math.max(1, Math.abs(Number(step)));
  const words: string[] = [];
  for (let value = from; from <= to ? value <= to : value >= to; value += from <= to ? by : -by) {
    // One more than is taken, so that too many are noticed.
    if (words.length > MAX_ALTERNATIVES) return words;
    words.push(isNumber ? String(value) : String.fromCharCode(value));
  }
  return words;
}
