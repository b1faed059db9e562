const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** The words in a screen reader's SSML output, which marks each word. */
export function plainWords(marked: string): readonly string[] {
  return marked
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .split(/\s+/)
    .filter((word) => word !== "");
}
