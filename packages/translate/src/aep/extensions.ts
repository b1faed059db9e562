import { isObject, type JsonObject } from "@earshot/protocol/json";
import { collect, collectAs, type Tally } from "../supplied.ts";

/** What extensions say: under names that begin with `x-` (`x-cost-usd` is `cost_usd`), and each vendor in an object of its own. */
export function collectExtensions(tally: Tally | undefined, extensions: JsonObject): Tally | undefined {
  let found = tally;
  for (const key in extensions) {
    const value = extensions[key];
    found = collectAs(found, plainName(key), value, extensions);
    if (isObject(value)) found = collect(found, value);
  }
  return found;
}

function plainName(key: string): string {
  return key.startsWith("x-") ? key.slice(2).replaceAll("-", "_") : key;
}

/** A text that an extension says under one of these names. */
export function extensionText(event: JsonObject, ...names: readonly string[]): string | undefined {
  const { extensions } = event;
  if (!isObject(extensions)) return undefined;
  for (const name of names) {
    const value = extensions[`x-${name}`];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}
