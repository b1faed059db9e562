/** An address that a person may follow. Only the web's and mail's; anything else, such as `javascript:`, stays text. */
export function readWebAddress(text: string): URL | undefined {
  if (!/^(https?:\/\/|mailto:)/i.test(text)) return undefined;
  try {
    return new URL(text);
  } catch {
    return undefined; // looks like one, and is none
  }
}

/** Where it leads, for whoever reads a link that says something else: `example.com`. */
export function hostOf(address: URL): string {
  return address.protocol === "mailto:" ? address.pathname : address.host;
}
