import type { ENGLISH } from "./english.ts";

/** The same keys and parameters with other words. A sentence that a language lacks, or gives another parameter, does not compile. */
type Translated<Entry> = Entry extends string
  ? string
  : Entry extends RegExp
    ? RegExp
    : Entry extends (...parameters: infer Parameters) => infer Result
      ? (...parameters: Parameters) => Result
      : { readonly [Key in keyof Entry]: Translated<Entry[Key]> };

/** One language: words, and how they are put together. What is said when is the same for all of them, and is written once. */
export type Catalogue = Translated<typeof ENGLISH>;
