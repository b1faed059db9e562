// biome-ignore-all lint/performance/noBarrelFile: the subpath `@earshot/hub/splitters`; each line is public API
export { HeldBytes, headOf, REFUSED_HEAD_BYTES, type SplitterSink, tooLarge } from "./held-bytes.ts";
export { LineSplitter, type LineSplitterOptions } from "./line-splitter.ts";
export { toText } from "./piece.ts";
