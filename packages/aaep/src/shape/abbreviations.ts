/** Abbreviations that a sentence rarely ends with, in lower case and without their last dot. */
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

/** Abbreviations that do end sentences: only a capital after them says so. */
const SOMETIMES_LAST = new Set("etc usw ecc inc ltd co corp jr sr u.s u.k u.n a.m p.m b.c a.d ph.d m.d".split(" "));

/** Languages that write ordinal numbers with a dot: `am 3. Oktober`. */
const DOTTED_ORDINALS = /^(?:de|da|nb|nn|no|fi|cs|sk|pl|hu|hr|sl|sr|et|lv|is|tr)\b/iu;

/**
 * Whether the dot that a text ends with belongs to an abbreviation, an initial, an ordinal or the number of a list, so that
 * what follows goes on with the same sentence.
 */
export function endsInAbbreviation(before: string, after: string, language: string): boolean {
  // All of it lies in the last few words, however long the text is.
  const end = /(?<start>^|[\s("'“„«[])(?<word>[\p{L}\p{N}][\p{L}\p{N}.-]*)\.\s*$/u.exec(before.slice(-40));
  const word = end?.groups?.["word"];
  if (end === null || word === undefined) return false;
  const lower = word.toLowerCase();
  if (NEVER_LAST.has(lower)) return true;
  if (SOMETIMES_LAST.has(lower)) return !/^[\s"'“„«(]*\p{Lu}/u.test(after);
  // `J. Smith`, `U. S.`: but not `plan B.` at the end of a line.
  if (/^\p{Lu}$/u.test(word) && !/^\s*[\n\r]/u.test(after)) return word !== "I";
  if (/^\d{1,3}$/u.test(word)) {
    const isListed = /(?:^|[\n\r])[\t >*-]*$/u.test(before.slice(-40).slice(0, end.index + (end.groups?.["start"]?.length ?? 0)));
    return isListed || (word.length <= 2 && DOTTED_ORDINALS.test(language));
  }
  return false;
}
