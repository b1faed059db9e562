import { plainText } from "../../terminal/plain-text.ts";

/** A name from elsewhere, short and harmless. */
export function name(text: string, longest = 80): string {
  const plain = plainText(text.length > longest ? `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, "")}…` : text);
  return plain.trim() === "" ? "(empty)" : plain;
}
