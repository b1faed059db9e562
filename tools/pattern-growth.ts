import { parseSync } from "vite";

/** A text on which a pattern may be slow: `unit` repeated between two fixed parts. */
interface Attack {
  readonly before: string;
  readonly unit: string;
  readonly after: string;
}

const SUFFIXES = ["", "(", "!\n", "\u0000"];
const FACTOR = 4;
/** Growth is not measured below this duration at the larger size, because the clock is too coarse. */
const IGNORED_MS = 25;

/**
 * How many times longer a pattern takes for a text four times as long: 4 for linear time, 16 for quadratic time. 0 when it is too fast to
 * measure. The lowest of three runs counts, because compiling and garbage collection only add time.
 */
function measureGrowth(pattern: RegExp, attack: Attack, length: number): number {
  const large = timeOf(pattern, textOf(attack, length * FACTOR));
  if (large < IGNORED_MS) return 0;
  const small = timeOf(pattern, textOf(attack, length));
  return large / Math.max(small, 0.05);
}

/** Between linear (4) and quadratic (16) growth. */
export const LINEAR_GROWTH = 10;

/** Whether any text makes a pattern take superlinear time. Measured twice, because a garbage collection may fall into one. */
export function isSlow(pattern: RegExp, length = 12_000): boolean {
  const isAttack = (attack: Attack) => measureGrowth(pattern, attack, length) > LINEAR_GROWTH;
  return attacksOn(pattern.source).some((attack) => isAttack(attack) && isAttack(attack));
}

/** CPU time of this thread: other programs do not add to it. */
export function measureCpuMs(run: () => unknown): number {
  const began = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1000;
}

/** The regular expressions that a source file writes as literals. */
export function patternsIn(path: string, source: string): readonly RegExp[] {
  const patterns: RegExp[] = [];
  const collect = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(collect);
    else if (typeof node === "object" && node !== null) {
      const { regex } = node as { readonly regex?: { readonly pattern: string; readonly flags: string } };
      if (regex !== undefined) patterns.push(new RegExp(regex.pattern, regex.flags));
      else Object.values(node).forEach(collect);
    }
  };
  collect(parseSync(path, source).program.body);
  return patterns;
}

function textOf({ before, unit, after }: Attack, length: number): string {
  return before + unit.repeat(Math.ceil(length / unit.length)) + after;
}

function timeOf(pattern: RegExp, text: string): number {
  const everywhere = new RegExp(pattern.source, [...new Set(`${pattern.flags.replace("y", "")}g`)].join(""));
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && best > IGNORED_MS; run++) {
    best = Math.min(
      best,
      measureCpuMs(() => text.replace(everywhere, "")),
    );
  }
  return best;
}

/** Texts made from the pattern's own parts: each repetition and the whole pattern, repeated, with a failing end. */
function attacksOn(source: string): readonly Attack[] {
  const parsed = new Sampler(source).read();
  const units = new Map<string, Attack>();
  const add = (before: string, unit: string) => {
    if (unit === "") return;
    for (const after of SUFFIXES) units.set(JSON.stringify([before, unit, after]), { before, unit, after });
  };
  add("", parsed.text);
  for (const { before, unit } of parsed.repetitions) {
    add(before, unit);
    add("", before + unit);
    add("", unit);
  }
  return [...units.values()];
}

interface Sample {
  readonly text: string;
  readonly repetitions: readonly Omit<Attack, "after">[];
}

const CLASSES: Readonly<Record<string, string>> = {
  d: "1",
  w: "a",
  s: " ",
  S: "a",
  D: "a",
  W: " ",
  b: "",
  B: "",
  n: "\n",
  t: "\t",
  r: "\r",
};

/** Writes one text that roughly matches a pattern; assertions are skipped. */
class Sampler {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): Sample {
    let chosen: Sample = { text: "", repetitions: [] };
    let isFirst = true;
    const others: Omit<Attack, "after">[] = [];
    for (;;) {
      const branch = this.#sequence();
      if (isFirst) chosen = branch;
      else others.push(...branch.repetitions);
      isFirst = false;
      if (this.#source[this.#at] !== "|") break;
      this.#at++;
    }
    return { text: chosen.text, repetitions: [...chosen.repetitions, ...others] };
  }

  #sequence(): Sample {
    let text = "";
    const repetitions: Omit<Attack, "after">[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#source.charAt(this.#at))) {
      const part = this.#atom();
      repetitions.push(...part.repetitions.map(({ before, unit }) => ({ before: text + before, unit })));
      const [least, most] = this.#quantifier();
      if (most > 7 && part.text !== "") repetitions.push({ before: text, unit: part.text });
      text += part.text.repeat(Math.min(Math.max(least, 1), 64));
    }
    return { text, repetitions };
  }

  #atom(): Sample {
    const source = this.#source;
    const start = source.charAt(this.#at++);
    if (start === "(") {
      const [opening = ""] = /^\?(?:[:=!]|<[=!]|<\w+>|[a-z-]+:)/.exec(source.slice(this.#at)) ?? [];
      this.#at += opening.length;
      const inner = this.read();
      this.#at++;
      return /[=!]$/.test(opening) ? { text: "", repetitions: inner.repetitions } : inner;
    }
    if (start === "[") return { text: this.#class(), repetitions: [] };
    if (start === "\\") return { text: this.#escape(), repetitions: [] };
    if (start === "^" || start === "$") return { text: "", repetitions: [] };
    return { text: start === "." ? "a" : start, repetitions: [] };
  }

  #escape(): string {
    const letter = this.#source.charAt(this.#at++);
    const [hex] = letter === "x" ? (/^[0-9a-fA-F]{2}/.exec(this.#source.slice(this.#at)) ?? []) : [];
    const [unicode] = letter === "u" ? (/^(?:[0-9a-fA-F]{4}|\{[0-9a-fA-F]+\})/.exec(this.#source.slice(this.#at)) ?? []) : [];
    const code = hex ?? unicode;
    if (code !== undefined) {
      this.#at += code.length;
      return String.fromCodePoint(Number.parseInt(code.replaceAll(/[{}]/g, ""), 16));
    }
    if (letter === "p" || letter === "P") this.#at = this.#source.indexOf("}", this.#at) + 1;
    return CLASSES[letter] ?? letter;
  }

  #class(): string {
    const start = this.#at;
    for (; this.#at < this.#source.length && this.#source[this.#at] !== "]"; this.#at++) if (this.#source[this.#at] === "\\") this.#at++;
    const inside = this.#source.slice(start, this.#at++);
    const matches = new RegExp(`[${inside}]`, "u");
    return ["1", "a", "A", " ", "=", "-", "/", "+", "\n", '"', "\\"].find((one) => isMatch(matches, one)) ?? inside.charAt(0);
  }

  #quantifier(): readonly [number, number] {
    const [all = "", least, comma, most] = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at)) ?? [];
    this.#at += all.length;
    if (all === "") return [1, 1];
    if (least === undefined) return all.startsWith("?") ? [0, 1] : [all.startsWith("+") ? 1 : 0, Number.POSITIVE_INFINITY];
    return [Number(least), comma === "" ? Number(least) : most === "" ? Number.POSITIVE_INFINITY : Number(most)];
  }
}

function isMatch(pattern: RegExp, text: string): boolean {
  return pattern.test(text);
}
