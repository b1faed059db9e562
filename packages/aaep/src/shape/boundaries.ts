/**
 * Where a growing text may be cut, given its latest piece: offsets from the start of that piece, negative for earlier text. `NO_BOUNDARY`:
 * nowhere. Only the following text shows that a period ended a sentence rather than an abbreviation, or that a word was complete, so the
 * end of the text counts only after white space. No cut splits a grapheme cluster.
 */
export interface TextBoundaries {
  readonly word: number;
  readonly sentence: number;
  readonly paragraph: number;
  /** The text looks like the end of a sentence so far. */
  readonly looksDone: boolean;
  /** The text since the last sentence end, needed to read the next piece. */
  readonly tail: string;
}

export const NO_BOUNDARY = Number.NEGATIVE_INFINITY;

/** Only the last part of a longer sentence is examined. */
const LONGEST_TAIL = 512;
const WORD_WINDOW = 48;

const SENTENCE_MARK = /[\p{Sentence_Terminal}\u2026\n\r\u0085\u2028\u2029]/u;
/** Only a letter or a mark decides whether the previous text was a sentence: `Done. (see` continues, `Done. (See` does not. */
const DECIDES = /[\p{L}\p{Sentence_Terminal}\n\r\u0085\u2028\u2029]/u;
const LOOKS_DONE = /(?:[\p{Sentence_Terminal}\u2026][\p{Pe}\p{Pf}"'*_`]*|[\n\r])\s*$/u;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Thai and Lao have no full stop: a space separates sentences, and some clauses. */
const SPACED_SENTENCE = /[\p{Script=Thai}\p{Script=Lao}\p{M}]\s+(?=[\p{Script=Thai}\p{Script=Lao}])/gu;
const SHORTEST_SPACED = 24;
/** Characters that belong to the previous one. */
const CONTINUES = /^(?:\p{M}|\p{Emoji_Modifier}|\u200c|\u200d|[\u{e0020}-\u{e007f}]|[\udc00-\udfff])/u;

export function findTextBoundaries(tail: string, piece: string, language: string): TextBoundaries {
  const text = tail + piece;
  const base = tail.length;
  const sentence = lastSentence(text, language);
  const word = Math.max(lastWord(text, base, language), sentence);
  const paragraph = lastParagraph(text);
  const looksDone = LOOKS_DONE.test(text.slice(-WORD_WINDOW)) && !endsInAbbreviation(text, "", language);
  // Includes the preceding white space, which may begin a blank line.
  const kept = text.slice(text.slice(0, sentence).trimEnd().length);
  return {
    word: toOffset(word, base, piece),
    sentence: toOffset(sentence, base, piece),
    paragraph: toOffset(paragraph, base, piece),
    looksDone,
    tail: kept.length > LONGEST_TAIL ? kept.slice(-LONGEST_TAIL) : kept,
  };
}

/** Moves a cut to the border of two pieces if only white space lies between: most pieces then stay whole. */
function toOffset(index: number, base: number, piece: string): number {
  if (index <= 0) return NO_BOUNDARY;
  const offset = index - base;
  return offset > 0 && offset < piece.length && piece.slice(0, offset).trim() === "" ? 0 : offset;
}

function lastSentence(text: string, language: string): number {
  let last = 0;
  if (SENTENCE_MARK.test(text)) {
    let before = 0;
    for (const { index } of segmentersFor(language).sentence.segment(text)) {
      if (index === 0 || !isDecided(text, index)) continue;
      const sentence = text.slice(before, index);
      if (sentence.trim() !== "" && !endsInAbbreviation(sentence, text.slice(index), language)) {
        last = index;
        before = index;
      }
    }
  }
  for (const found of text.matchAll(SPACED_SENTENCE)) {
    const end = found.index + found[0].length;
    if (end - last >= SHORTEST_SPACED) last = end;
  }
  return last;
}

function isDecided(text: string, index: number): boolean {
  return DECIDES.test(text.slice(index)) && !CONTINUES.test(text.slice(index, index + 2));
}

function lastWord(text: string, base: number, language: string): number {
  const from = Math.max(0, Math.min(base, text.length) - WORD_WINDOW, text.length - 4 * WORD_WINDOW);
  const recent = text.slice(from);
  let last = 0;
  if (UNSPACED.test(recent)) {
    const starts = Array.from(segmentersFor(language).word.segment(recent), ({ index }) => index);
    // The window may begin inside a word, and a dictionary may revise the last word when more letters arrive.
    for (let turn = starts.length - 1; turn > (from === 0 ? 0 : 1); turn--) {
      const start = starts[turn] ?? 0;
      if (recent.charAt(start).trim() === "") continue;
      if (turn === starts.length - 1 && recent.charAt(start - 1).trim() !== "") continue;
      last = start;
      break;
    }
    if (recent.at(-1)?.trim() === "") last = recent.length;
    if (CONTINUES.test(recent.slice(last, last + 2))) last = 0;
  } else {
    const spaced = /^.*\s/su.exec(recent);
    if (spaced !== null && !CONTINUES.test(recent.slice(spaced[0].length, spaced[0].length + 2))) last = spaced[0].length;
  }
  return last > 0 ? from + last : 0;
}

/** After the last blank line. */
function lastParagraph(text: string): number {
  let end = text.lastIndexOf("\u2029") + 1;
  for (let line = text.lastIndexOf("\n"); line > 0 && line + 1 > end; ) {
    const former = text.lastIndexOf("\n", line - 1);
    if (former < 0) break;
    if (text.slice(former + 1, line).trim() === "") {
      end = Math.max(end, line + 1);
      break;
    }
    line = former;
  }
  return end;
}

const MAX_LANGUAGES = 32;
const known = new Map<string, Segmenters>();

interface Segmenters {
  readonly sentence: Intl.Segmenter;
  readonly word: Intl.Segmenter;
}

/** The segmenters of a language, cached because creating one takes a millisecond. An invalid tag counts as English. */
export function segmentersFor(language: string): Segmenters {
  const found = known.get(language);
  if (found !== undefined) return found;
  const made = make(language) ?? make("en");
  if (made === undefined) throw new Error("This runtime cannot cut text: Intl.Segmenter knows no English.");
  if (known.size >= MAX_LANGUAGES) known.clear();
  known.set(language, made);
  return made;
}

function make(language: string): Segmenters | undefined {
  try {
    return {
      sentence: new Intl.Segmenter(language, { granularity: "sentence" }),
      word: new Intl.Segmenter(language, { granularity: "word" }),
    };
  } catch {
    // The runtime rejects some tags that agents write.
    return undefined;
  }
}

/** Abbreviations that rarely end a sentence, in lower case without their last period. */
const NEVER_LAST = new Set(
  [
    "mr mrs ms dr prof rev hon st mt ft gen col sgt capt lt maj gov sen rep pres vs viz cf eg ie al approx appr est dept univ fig figs eq no nos vol vols pp ed eds ch sec art para ca resp incl excl min max tel ext",
    "e.g i.e a.k.a w.r.t",
    // German
    "z.b d.h u.a u.u o.ä z.t i.d.r v.a s.o bzw usf evtl ggf vgl bspw sog zzgl abzgl nr str hr fr frl abs abb kap bd s std mio mrd geb gest",
    // French, Spanish, Portuguese, Italian
    "mme mlle mgr env p.ex c.-à-d av apr sra srta ud uds pág págs núm ej p.ej art. exmo exma sig dott prof.ssa ecc.",
    // Dutch, Scandinavian, Polish, Czech, Russian
    "dhr mevr bijv o.a d.w.z bl.a t.ex m.fl osv f.eks dvs np tzn tzw ul al. pan např tj т.е т.д т.п г ул им см",
  ]
    .join(" ")
    .split(/\s+/)
    .map((word) => word.replace(/\.$/u, "")),
);

/** Abbreviations that may end sentences, which only a following capital shows. */
const SOMETIMES_LAST = new Set("etc usw ecc inc ltd co corp jr sr u.s u.k u.n a.m p.m b.c a.d ph.d m.d".split(" "));

/** Languages that write ordinal numbers with a period: `am 3. Oktober`. */
const DOTTED_ORDINALS = /^(?:de|da|nb|nn|no|fi|cs|sk|pl|hu|hr|sl|sr|et|lv|is|tr)\b/iu;

/** Whether the final period belongs to an abbreviation, initial, ordinal or list number, so that the sentence continues. */
export function endsInAbbreviation(before: string, after: string, language: string): boolean {
  // The last few words suffice, however long the text is.
  const end = /(?<start>^|[\s("'“„«[])(?<word>[\p{L}\p{N}][\p{L}\p{N}.-]*)\.\s*$/u.exec(before.slice(-40));
  const word = end?.groups?.["word"];
  if (end === null || word === undefined) return false;
  const lower = word.toLowerCase();
  if (NEVER_LAST.has(lower)) return true;
  if (SOMETIMES_LAST.has(lower)) return !/^[\s"'“„«(]*\p{Lu}/u.test(after);
  // `J. Smith`, `U. S.`, but not `plan B.` at the end of a line.
  if (/^\p{Lu}$/u.test(word) && !/^\s*[\n\r]/u.test(after)) return word !== "I";
  if (/^\d{1,3}$/u.test(word)) {
    const isListed = /(?:^|[\n\r])[\t >*-]*$/u.test(before.slice(-40).slice(0, end.index + (end.groups?.["start"]?.length ?? 0)));
    return isListed || (word.length <= 2 && DOTTED_ORDINALS.test(language));
  }
  return false;
}
