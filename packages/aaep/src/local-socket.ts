// biome-ignore-all lint/performance/noBarrelFile: a separate entry: clients need the socket's path without loading the server
export { localSocketPath, prepareSocket } from "./node/local-socket.ts";
