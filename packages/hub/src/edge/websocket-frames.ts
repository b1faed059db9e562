import type { Packed } from "../fanout/packed.ts";

const FINAL_TEXT = 0x81;
const LENGTH_IN_TWO_BYTES = 126;
const LENGTH_IN_EIGHT_BYTES = 127;

/** Texts as WebSocket messages of a server, one after the other in one buffer (RFC 6455, 5.2: final, text, not masked). */
export function packMessages(texts: readonly string[]): Packed {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + headerLength(length) + length, 0));
  const starts: number[] = [];
  let at = 0;
  texts.forEach((text, index) => {
    const length = lengths[index] ?? 0;
    starts.push(at);
    at = writeHeader(bytes, at, length);
    at += bytes.write(text, at, length, "utf8");
  });
  return { bytes, starts };
}

export function textMessage(text: string): Buffer {
  return packMessages([text]).bytes;
}

function headerLength(length: number): number {
  return length < LENGTH_IN_TWO_BYTES ? 2 : length < 0x10000 ? 4 : 10;
}

function writeHeader(bytes: Buffer, at: number, length: number): number {
  bytes[at] = FINAL_TEXT;
  switch (headerLength(length)) {
    case 2:
      bytes[at + 1] = length;
      return at + 2;
    case 4:
      bytes[at + 1] = LENGTH_IN_TWO_BYTES;
      return bytes.writeUInt16BE(length, at + 2);
    default:
      bytes[at + 1] = LENGTH_IN_EIGHT_BYTES;
      bytes.writeUInt32BE(0, at + 2);
      return bytes.writeUInt32BE(length, at + 6);
  }
}
