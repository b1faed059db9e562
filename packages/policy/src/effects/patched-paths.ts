import type { NamedPath } from "../asked.ts";

const ENVELOPE = /^[ \t]*\*\*\*[ \t]+(Add|Update|Delete)[ \t]+File:[ \t]*(.+)$|^[ \t]*\*\*\*[ \t]+Move[ \t]+to:[ \t]*(.+)$/gim;
const UNIFIED = /^[ \t]*(?:\+\+\+|---)[ \t]+(?:[ab]\/)?(\S.*?)(?:\t.*)?$|^(?:rename|copy)[ \t]+(?:from|to)[ \t]+(.+)$|^Index:[ \t]+(.+)$/gm;
const GIT_HEADER = /^diff --git (?:a\/)?(\S+) (?:b\/)?(\S+)$/gm;

/** The files that a patch changes, in any of the forms in which agents and programs write one. */
export function patchedPaths(text: string): readonly NamedPath[] {
  const paths: NamedPath[] = [];
  for (const [, verb = "", file, moved] of text.matchAll(ENVELOPE)) {
    const path = (file ?? moved ?? "").trim();
    paths.push({ path, access: verb.toLowerCase() === "delete" ? "delete" : "write" });
  }
  for (const [, header, renamed, index] of text.matchAll(UNIFIED)) {
    const path = (header ?? renamed ?? index ?? "").trim();
    if (path !== "/dev/null" && path !== "") paths.push({ path, access: "write" });
  }
  for (const [, before = "", after = ""] of text.matchAll(GIT_HEADER))
    paths.push({ path: before, access: "write" }, { path: after, access: "write" });
  return [...new Map(paths.map((one) => [`${one.access} ${one.path}`, one])).values()];
}
