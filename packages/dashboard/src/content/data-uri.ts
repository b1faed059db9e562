export type MediaKind = "image" | "video" | "audio";

export interface Media {
  readonly kind: MediaKind;
  readonly type: string;
  readonly source: string;
  readonly sizeBytes: number;
}

/** Types that browsers render or play without running or fetching anything. SVG can do both in other contexts and stays text. */
const TYPES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
  "image/bmp",
  "video/mp4",
  "video/webm",
  "video/ogg",
  "audio/mpeg",
  "audio/mp4",
  "audio/ogg",
  "audio/wav",
  "audio/webm",
  "audio/flac",
  "audio/aac",
]);
const SHAPE = /^data:([a-z]+\/[a-z0-9.+-]+)(?:;[a-z0-9-]+=[a-z0-9-]+)*;base64,([A-Za-z0-9+/]+={0,2})$/i;

/** Reads images and sounds embedded in the event itself. Nothing is ever fetched: an address gives undefined. */
export function readDataUri(text: string): Media | undefined {
  const [, type = "", data = ""] = SHAPE.exec(text.trim()) ?? [];
  const name = type.toLowerCase();
  if (!TYPES.has(name)) return undefined;
  const kind = name.slice(0, name.indexOf("/")) as MediaKind;
  return { kind, type: name, source: `data:${name};base64,${data}`, sizeBytes: Math.floor((data.length * 3) / 4) };
}
