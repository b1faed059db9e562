const MOST_LANGUAGES = 32;
const known = new Map<string, Segmenters>();

export interface Segmenters {
  readonly sentence: Intl.Segmenter;
  readonly word: Intl.Segmenter;
}

/** What cuts text in a language. Making one takes a millisecond, so that they are kept. A tag that is none counts as English. */
export function segmentersFor(language: string): Segmenters {
  const found = known.get(language);
  if (found !== undefined) return found;
  const made = make(language) ?? make("en");
  if (made === undefined) throw new Error("This runtime cannot cut text: Intl.Segmenter knows no English.");
  if (known.size >= MOST_LANGUAGES) known.clear();
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
    // Not every tag that an agent may write is one that the runtime takes.
    return undefined;
  }
}
