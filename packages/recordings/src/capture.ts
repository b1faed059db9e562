// biome-ignore-all lint/performance/noBarrelFile: the public functions of this tool
export type { CommandExit } from "./capture/command-source.ts";
export { openSource } from "./capture/open-source.ts";
export { endsSession } from "./capture/read-event.ts";
export { RecordingWriter } from "./capture/recorder.ts";
export { type CapturePorts, runCapture } from "./capture/run-capture.ts";
