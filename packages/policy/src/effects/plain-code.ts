import { HARMLESS_MODULES, LOOKING_MEMBERS, PLAIN_WORDS } from "../catalogue/code-names.ts";

/** Whether all words of code are known: its modules, and the members it uses of modules that could be harmful. */
export function isPlainCode(language: string, bare: string, names: readonly string[], texts: readonly string[]): boolean {
  if (language !== "python" && language !== "javascript") {
    const isVariable = (name: string) => [`$${name}`, `@${name}`, `|${name}|`].some((use) => bare.includes(use));
    return names.every((name) => name.length === 1 || PLAIN_WORDS.test(name) || isVariable(name));
  }
  const loaded = language === "python" ? importedIn(bare) : requiredIn(bare, texts);
  if (!loaded.every((name) => HARMLESS_MODULES.test(name))) return false;
  const members = bare.matchAll(/\b(?:os|fs|shutil|process|globalThis|global|window|Deno|Bun|sys)\s*\.\s*([A-Za-z_]\w*)/g);
  return [...members].every(([, name = ""]) => LOOKING_MEMBERS.test(name)) && !/\b(?:input|breakpoint|globalThis|Deno|Bun)\b/.test(bare);
}

function importedIn(bare: string): readonly string[] {
  const lists = [...bare.matchAll(/(?:^|[\n;:])[^\S\n]*import\s+([^\n;]+)/g)].flatMap(([, list = ""]) => list.split(","));
  const sources = [...bare.matchAll(/(?:^|[\n;:])[^\S\n]*from\s+([\w.]+)\s+import/g)].map(([, name = ""]) => name);
  return [...lists.map((one) => one.trim().split(/\s+/)[0] ?? ""), ...sources];
}

function requiredIn(bare: string, texts: readonly string[]): readonly string[] {
  const loaded = [...bare.matchAll(/\b(?:require|import|from)\s*(?:\(\s*)?\ue002(\d+)\ue003/g)].map(
    ([, index]) => texts[Number(index)] ?? "",
  );
  return loaded.filter((name) => !/^\.{1,2}\/.*\.json$/.test(name));
}
