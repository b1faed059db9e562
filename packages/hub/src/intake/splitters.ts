// biome-ignore-all lint/performance/noBarrelFile: the subpath `@earshot/hub/splitters`; each line is a promise
export { LineSplitter, type LineSplitterOptions } from "./line-splitter.ts";
export { REFUSED_HEAD_BYTES, type SplitterSink } from "./splitter-sink.ts";
export { ValueSplitter, type ValueSplitterOptions } from "./value-splitter.ts";
