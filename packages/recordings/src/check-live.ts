// biome-ignore-all lint/performance/noBarrelFile: the public functions of this tool
export { openPeer, type Target } from "./check-live/peer/open-peer.ts";
export { checkProducer } from "./check-live/producer/check-producer.ts";
export { keyOf } from "./check-live/producer/handshakes.ts";
export { DEFAULT_WORDS, defaultSituations, PATIENCE, readLevel, readSeconds, readSituationsFile } from "./check-live/situations.ts";
export { checkSubscriber } from "./check-live/subscriber/check-subscriber.ts";
export { Reception } from "./check-live/subscriber/reception.ts";
export { writeReport } from "./check-live/write-report.ts";
