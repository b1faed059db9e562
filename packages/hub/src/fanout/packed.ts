/** Frames one after the other in one buffer, and where each begins. */
export interface Packed {
  readonly bytes: Buffer;
  readonly starts: readonly number[];
}

export function pack(texts: readonly string[]): Packed {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 0));
  const starts: number[] = [];
  let at = 0;
  for (const text of texts) {
    starts.push(at);
    at += bytes.write(text, at);
  }
  return { bytes, starts };
}
