/** Returns an address that is safe to link: web and mail only. Anything else, such as `javascript:`, stays text. */
export function readWebAddress(text: string): URL | undefined {
  if (!/^(https?:\/\/|mailto:)/i.test(text)) return undefined;
  try {
    return new URL(text);
  } catch {
    return undefined; // looks like one, and is none
  }
}
