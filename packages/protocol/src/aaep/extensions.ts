import { isObject, type JsonObject } from "../json.ts";
import { pointerTo } from "../problem.ts";
import { defineRule } from "../rule.ts";
import { quoteJsonValue } from "../schema.ts";
import { OPSX, startedWith } from "./example-events.ts";
import { CORE_CONTEXT, type TypeName } from "./names.ts";
import { addNote } from "./notes.ts";

const ANY = ["*"];

export const AAEP_EXTENSIONS_RULES = {
  "aaep/extensions-objects": defineRule(["error", "event", 1, "§3.4.3, §7.4", ["*/extensions"]], {
    title: "`extensions` maps a prefix to an object.",
    hint: 'Nest the value: {"extensions":{"opsx":{"ticket":"OPS-7"}}}.',
    examples: () =>
      startedWith({ "@context": OPSX, extensions: { opsx: { ticket: "OPS-7" } } }, { "@context": OPSX, extensions: { opsx: "OPS-7" } }),
  }),
  "aaep/extension-declared": defineRule(["error", "event", 1, "§3.4.3, §3.11.4", ["*/extensions"]], {
    title: "Each extension prefix that is used is declared in `@context`.",
    hint: "Make `@context` a list: the core URI first, then the URI of each extension.",
    examples: () =>
      startedWith({ "@context": OPSX, extensions: { opsx: { ticket: "OPS-7" } } }, { extensions: { opsx: { ticket: "OPS-7" } } }),
  }),
  "aaep/extension-declared-clearly": defineRule(["warning", "event", 1, "§7.3", ["*/extensions"]], {
    title: "It can be seen which `@context` entry declares a prefix.",
    hint: "Let the extension's URI contain its prefix, as in https://acme.example/opsx/v1 for opsx.",
    oncePerSession: true,
    examples: () =>
      startedWith(
        { "@context": OPSX, extensions: { opsx: { ticket: "OPS-7" } } },
        { "@context": [CORE_CONTEXT, "https://acme.example/v1"], extensions: { opsx: { ticket: "OPS-7" } } },
      ),
  }),
  "aaep/extension-prefix": defineRule(["error", "event", 1, "§7.2, §7.3", ["*/extensions"]], {
    title: "An extension does not use a reserved prefix.",
    hint: "aaep, xsd, rdf, rdfs and names beginning with @ are taken: choose a prefix of 3 to 12 characters.",
    examples: () => startedWith({ "@context": OPSX, extensions: { opsx: {} } }, { "@context": OPSX, extensions: { aaep: {} } }),
  }),
  "aaep/no-custom-fields": defineRule(["error", "event", 1, "§3.5", ANY], {
    title: "A core event has no top-level fields of the producer's own.",
    hint: "Move the field under `extensions` and a prefix of your own: a later version may define that name.",
    examples: () => startedWith({ "@context": OPSX, extensions: { opsx: { ticket: "OPS-7" } } }, { ticket: "OPS-7" }),
  }),
} as const;

const RESERVED_PREFIXES = new Set(["aaep", "xsd", "rdf", "rdfs"]);

/** Compares the prefixes used by the type and under `extensions` with the declarations in `@context`. */
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
      addNote("aaep/extension-declared", `The type ${quoteJsonValue(name.local)} is foreign, and @context declares no extension.`, "/type");
    else
      addNote("aaep/extension-declared-clearly", `No @context entry is the beginning of the type ${quoteJsonValue(name.local)}.`, "/type");
  }
  let unclear = 0;
  for (const [prefix, pointer] of used) {
    if (RESERVED_PREFIXES.has(prefix) || prefix.startsWith("@")) {
      addNote("aaep/extension-prefix", `The prefix ${quoteJsonValue(prefix)} is reserved.`, pointer);
    } else if (declared.length === 0) {
      addNote("aaep/extension-declared", `The prefix ${quoteJsonValue(prefix)} is used, and @context declares no extension.`, pointer);
    } else if (!declared.some((uri) => uri.toLowerCase().includes(prefix.toLowerCase()))) {
      unclear++;
      if (unclear === 1)
        addNote("aaep/extension-declared-clearly", `No @context entry names the prefix ${quoteJsonValue(prefix)}.`, pointer);
    }
  }
}
