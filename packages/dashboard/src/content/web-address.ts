/** Returns an address that is safe to link: web and mail only. Anything else, such as `javascript:`, stays text. */
export function readWebAddress(text: string): URL | undefined {
  if (!/^(https?:\/\/|mailto:)/i.test(text)) return undefined;
  try {
    return new URL(text);
  } catch {
    return undefined; // looks like one, and is none
  }
}

/** Returns the host, shown beside a link whose text differs from its address: `example.com`. */
export function hostOf(address: URL): string {
  return address.protocol === "mailto:" ? address.pathname : address.host;
}
