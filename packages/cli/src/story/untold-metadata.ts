import { jsonInWords } from "./json-in-words.ts";
import type { Labelled } from "./saying.ts";

/** What an agent added of its own accord, without what was told already: tokens, cost, steps, the model. */
export function untoldMetadata(metadata: object, told: readonly unknown[]): readonly Labelled[] {
  const isTold = (name: string, value: unknown) => /token|cost|step|llm|model/.test(name) && value !== undefined && told.includes(value);
  const others = Object.entries(metadata).filter(([name, value]) => !isTold(name, value));
  return others.length === 0 ? [] : [{ label: "Metadata", text: jsonInWords(Object.fromEntries(others)) }];
}
