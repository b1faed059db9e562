import { isObject, type JsonObject } from "../json.ts";
import { pointerTo } from "../problem.ts";
import { show } from "../schema.ts";
import { CORE_CONTEXT, type TypeName } from "./names.ts";
import { note } from "./notes.ts";

const RESERVED_PREFIXES = new Set(["aaep", "xsd", "rdf", "rdfs"]);

/** Prefixes that are used, by the type or under `extensions`, against what `@context` declares. */
export function checkExtensions(value: JsonObject, name: TypeName | undefined): void {
  const used = new Map<string, string>();
  if (name !== undefined && name.form === "compact" && name.prefix !== "aaep") used.set(name.prefix, "/type");
  const { extensions } = value;
  if (isObject(extensions))
    for (const prefix of Object.keys(extensions)) if (!used.has(prefix)) used.set(prefix, pointerTo("extensions", prefix));
  const context = value["@context"];
  const declared = Array.isArray(context) ? context.filter((uri): uri is string => typeof uri === "string" && uri !== CORE_CONTEXT) : [];
  if (name?.form === "uri" && name.prefix === "" && !declared.some((uri) => name.local.startsWith(uri))) {
    if (declared.length === 0)
      note("aaep/extension-declared", `The type ${show(name.local)} is foreign, and @context declares no extension.`, "/type");
    else note("aaep/extension-declared-clearly", `No @context entry is the beginning of the type ${show(name.local)}.`, "/type");
  }
  let unclear = 0;
  for (const [prefix, pointer] of used) {
    if (RESERVED_PREFIXES.has(prefix) || prefix.startsWith("@")) {
      note("aaep/extension-prefix", `The prefix ${show(prefix)} is reserved.`, pointer);
    } else if (declared.length === 0) {
      note("aaep/extension-declared", `The prefix ${show(prefix)} is used, and @context declares no extension.`, pointer);
    } else if (!declared.some((uri) => uri.toLowerCase().includes(prefix.toLowerCase()))) {
      unclear++;
      if (unclear === 1) note("aaep/extension-declared-clearly", `No @context entry names the prefix ${show(prefix)}.`, pointer);
    }
  }
}
