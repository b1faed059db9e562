/** What a text holds, where it is JSON of some structure; else undefined. */
export function readJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // the beginning of one that was too long, or something else that begins so
  }
}
