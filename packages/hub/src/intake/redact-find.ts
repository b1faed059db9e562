import { countCodePoints } from "@earshot/protocol/code-points";
import { findSecretName, hasSecretSign, listSecretSigns, SECRET_SHAPES, type SecretShape } from "@earshot/protocol/secrets";

/** A secret in a text, in UTF-16 units: `start` is the first masked one. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  readonly shape: string;
}

/** Replaces one code point of a secret. */
export const MASK_CHARACTER = "█";

interface Seeker {
  readonly shape: SecretShape;
  /** The first group introduces the secret. */
  readonly pattern: RegExp;
  readonly trace: Trace | undefined;
}

interface Trace {
  /** The character the pattern begins with. */
  readonly rare: string;
  readonly pattern: RegExp;
}

const SEEKERS: readonly Seeker[] = SECRET_SHAPES.map((shape) => ({
  shape,
  pattern: new RegExp(`(${shape.begins})${shape.pattern.slice(shape.begins.length)}`, "g"),
  trace: shape.trace === undefined ? undefined : { rare: shape.trace.charAt(0), pattern: new RegExp(shape.trace, "y") },
}));
const TRACES: readonly Trace[] = SEEKERS.flatMap(({ trace }) => trace ?? []);
/** A buffer for scanning: bytes are read several times as fast as characters of a string. */
const SCRATCH = Buffer.allocUnsafeSlow(64 * 1024);
/** Escapes inside a secret; those before it are part of the shapes. */
const ESCAPED = /\\(?:u[0-9a-fA-F]{4}|[/nrt"])/;
/** Maximum nesting of JSON strings inside strings. */
const DEEPEST = 3;
/** Base64 text long enough to hold a secret, and too short for a file. */
const MIN_BASE64 = 24;
const MAX_BASE64 = 8192;
/** Characters of other text that a character of base64 costs: each run is decoded and tried with all patterns. */
const ENCODED_COST = 16;
/** Line lengths of `base64` and MIME. */
const BASE64_LINES: ReadonlySet<number> = new Set([60, 64, 76]);
const LINE_BREAK = /\r?\n|(?:\\{1,7}r)?\\{1,7}n/y;
const IS_BASE64 = Uint8Array.from({ length: 128 }, (_, code) => Number(/[A-Za-z0-9+/_-]/.test(String.fromCharCode(code))));
/** One scan of a long text. */
export const WINDOW_CHARACTERS = 24 * 1024;
/** No pattern looks further back than this, and none needs more than this after its beginning to match. */
const MAX_LOOKBEHIND = 512;
const MAX_LOOKAHEAD = 8 * 1024;
const PRINTABLE = /^[\t\r\n\x20-\x7e]{16,}/;

/** Whether a text, or JSON with strings, needs a closer look. Nearly none does. */
export function mayHoldSecret(text: string): boolean {
  if (hasSecretSign(text, lowBytes(text))) return true;
  for (const trace of TRACES) if (hasTrace(text, trace)) return true;
  for (const { decoded } of listEncoded(text)) if (hasSecretSign(decoded) || TRACES.some((trace) => hasTrace(decoded, trace))) return true;
  return false;
}

/** All secrets in a text, from left to right, without overlaps. */
export function findSecrets(text: string): readonly SecretSpan[] {
  const steps = findSecretsInSteps(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** As `findSecrets`, in parts: each yields the number of characters scanned. */
export function* findSecretsInSteps(text: string): Generator<number, readonly SecretSpan[]> {
  const found: SecretSpan[] = [];
  let view = text;
  let places: Uint32Array | undefined;
  for (let depth = 0; ; depth++) {
    if (mayHoldSecret(view)) {
      const spans: SecretSpan[] = [];
      yield* seek(view, spans);
      for (const { decoded, start, end } of listEncoded(view)) {
        if (findSecretName(decoded) !== undefined) spans.push({ start, end, shape: "encoded secret" });
        yield (end - start) * ENCODED_COST;
      }
      for (const { start, end, shape } of spans) found.push({ start: places?.[start] ?? start, end: places?.[end] ?? end, shape });
    }
    if (depth === DEEPEST || !ESCAPED.test(view)) break;
    const decoded = decode(view, places);
    view = decoded.view;
    places = decoded.places;
  }
  return found.length < 2 ? found : apart(found);
}

/** The text with each span masked, one mark per code point, so that positions stay valid. */
export function maskSpans(text: string, spans: readonly SecretSpan[]): string {
  let masked = "";
  let from = 0;
  for (const { start, end } of spans) {
    masked += text.slice(from, start) + MASK_CHARACTER.repeat(countCodePoints(text, start, end));
    from = end;
  }
  return masked + text.slice(from);
}

/** The bytes to scan; undefined for a long text, which is scanned directly. */
function lowBytes(text: string): Uint8Array | undefined {
  if (text.length > SCRATCH.length) return undefined;
  SCRATCH.write(text, "latin1");
  return SCRATCH;
}

interface Encoded {
  readonly decoded: string;
  readonly start: number;
  readonly end: number;
}

/** The base64 runs that decode to text. Consecutive lines form one run. */
function* listEncoded(text: string): Generator<Encoded> {
  for (let start = 0; start < text.length; start++) {
    let end = endOfBase64(text, start);
    const length = end - start;
    // The first bytes distinguish random data from text.
    if (length >= MIN_BASE64 && length <= MAX_BASE64 && PRINTABLE.test(decodeBase64(text.slice(start, start + MIN_BASE64)))) {
      const lines = [text.slice(start, end)];
      if (BASE64_LINES.has(length)) end = takeLines(text, end, lines);
      yield { decoded: decodeBase64(lines.join("")), start, end };
    }
    start = end;
  }
}

/** End of the run that starts here, including its padding. */
function endOfBase64(text: string, start: number): number {
  let end = start;
  while (end < text.length && IS_BASE64[text.charCodeAt(end)] === 1) end++;
  if (end - start >= MIN_BASE64) for (let padding = 0; padding < 2 && text[end] === "="; padding++) end++;
  return end;
}

/** Adds the lines after the first: of equal length, except for the last. Returns their end. */
function takeLines(text: string, from: number, lines: string[]): number {
  const length = lines[0]?.length ?? 0;
  let end = from;
  for (let line = length; line === length && lines.length * length < MAX_BASE64; ) {
    LINE_BREAK.lastIndex = end;
    if (!LINE_BREAK.test(text)) break;
    const start = LINE_BREAK.lastIndex;
    const lineEnd = endOfBase64(text, start);
    line = lineEnd - start;
    if (line === 0 || line > length) break;
    lines.push(text.slice(start, lineEnd));
    end = lineEnd;
  }
  return end;
}

function decodeBase64(text: string): string {
  return Buffer.from(text, "base64").toString("latin1");
}

/** Checks each occurrence of the rare character. */
function hasTrace(text: string, { rare, pattern }: Trace): boolean {
  for (let at = text.indexOf(rare); at >= 0; at = text.indexOf(rare, at + 1)) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return true;
  }
  return false;
}

/** Scans one window after the other, so that no pattern runs over a long text at once. Secrets that reach past a window are found whole. */
function* seek(view: string, found: SecretSpan[]): Generator<number, void> {
  const reached = SEEKERS.map(() => 0);
  for (let from = 0; from < view.length; from += WINDOW_CHARACTERS) {
    const to = from + WINDOW_CHARACTERS;
    const offset = Math.max(0, from - MAX_LOOKBEHIND);
    const window = view.slice(offset, to + MAX_LOOKAHEAD);
    const signs = listSecretSigns(window);
    for (const [index, { shape, pattern, trace }] of SEEKERS.entries()) {
      if (trace === undefined ? !shape.signs.some((sign) => signs.has(sign)) : !hasTrace(window, trace)) continue;
      let next = Math.max(from, reached[index] ?? 0);
      while (next < to) {
        const match = execFrom(pattern, window, next - offset);
        if (match === null || offset + match.index >= to) break;
        const start = offset + match.index;
        const isCut = match.index + match[0].length === window.length && offset + window.length < view.length;
        const whole = isCut ? execFrom(pattern, view, start) : null;
        const end = start + (whole?.index === start ? whole[0] : match[0]).length;
        found.push({ start: start + (shape.introduced === true ? (match[1] ?? "").length : 0), end, shape: shape.name });
        next = Math.max(end, start + 1);
        reached[index] = next;
      }
      yield window.length;
    }
  }
}

function execFrom(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/** Resolves overlaps: the earlier start counts, then the longer one or the first in the catalogue. */
function apart(found: SecretSpan[]): readonly SecretSpan[] {
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  const spans: SecretSpan[] = [];
  let reached = 0;
  for (const { start, end, shape } of found) {
    if (end <= reached) continue;
    spans.push({ start: Math.max(start, reached), end, shape });
    reached = end;
  }
  return spans;
}

/** The decoded text of a string literal, with the original offset of each unit. */
function decode(text: string, before: Uint32Array | undefined): { readonly view: string; readonly places: Uint32Array } {
  const escapes = /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g;
  const places = new Uint32Array(text.length + 1);
  const pieces: string[] = [];
  let length = 0;
  let from = 0;
  const keep = (to: number): void => {
    if (to === from) return;
    pieces.push(text.slice(from, to));
    for (let index = from; index < to; index++) places[length++] = before?.[index] ?? index;
  };
  for (let match = escapes.exec(text); match !== null; match = escapes.exec(text)) {
    keep(match.index);
    const [whole, unit, letter] = match;
    pieces.push(unit === undefined ? (LETTERS[letter ?? ""] ?? "") : String.fromCharCode(Number.parseInt(unit, 16)));
    places[length++] = before?.[match.index] ?? match.index;
    from = match.index + whole.length;
  }
  keep(text.length);
  places[length] = before?.[text.length] ?? text.length;
  return { view: pieces.join(""), places };
}

const LETTERS: Readonly<Record<string, string>> = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
