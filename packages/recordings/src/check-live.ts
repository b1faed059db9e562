// biome-ignore-all lint/performance/noBarrelFile: the public functions of this tool
export { openPeer, type PeerTarget } from "./check-live/peer/open-peer.ts";
export { checkProducer } from "./check-live/producer/check-producer.ts";
export { publicKeyOf } from "./check-live/producer/handshakes.ts";
export {
  DEFAULT_PATIENCE,
  DEFAULT_PROMPTS,
  defaultSituations,
  readLevel,
  readSeconds,
  readSituationsFile,
} from "./check-live/situations.ts";
export { checkSubscriber } from "./check-live/subscriber/check-subscriber.ts";
export { PlayedProducer } from "./check-live/subscriber/played-producer.ts";
export { writeLiveReport } from "./check-live/write-report.ts";
