// biome-ignore-all lint/performance/noBarrelFile: the subpath `@earshot/hub/splitters`; each line is public API
export { HeldBytes, REFUSED_HEAD_BYTES, refusedHeadOf, type SplitterSink, tooLarge } from "./held-bytes.ts";
export { LineSplitter, type LineSplitterOptions } from "./line-splitter.ts";
export { decodeUtf8 } from "./piece.ts";
