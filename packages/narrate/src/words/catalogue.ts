import type { ENGLISH } from "./english.ts";

/** The same keys and parameters with other words. A missing sentence or a different parameter does not compile. */
type Translated<Entry> = Entry extends string
  ? string
  : Entry extends RegExp
    ? RegExp
    : Entry extends (...parameters: infer Parameters) => infer Result
      ? (...parameters: Parameters) => Result
      : { readonly [Key in keyof Entry]: Translated<Entry[Key]> };

/** One language: words and how they are combined. The logic that selects them is shared by all languages. */
export type Catalogue = Translated<typeof ENGLISH>;
