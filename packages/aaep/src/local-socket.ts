// biome-ignore-all lint/performance/noBarrelFile: an entry of its own, so that knowing the place does not load what serves there
export { localSocketPath, prepareSocket } from "./node/local-socket.ts";
