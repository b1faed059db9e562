import { RE2JS } from "re2js";
import type { PatternEngine } from "./text-pattern.ts";

/** Linear in the text: what an agent says cannot stall it, and no pattern can. */
export const re2: PatternEngine = (source) => {
  const pattern = RE2JS.compile(source);
  return { whole: (text) => pattern.testExact(text), anywhere: (text) => pattern.test(text) };
};
