// biome-ignore-all lint/performance/noBarrelFile: the entry that needs Node; each line is public API
export { DEFAULT_PREFIX, type HttpBindingPorts, type LocalBindingPorts, unsentBytes } from "./node/binding.ts";
export { createConnector, openChannel, type ProducerCredentials, type StdioCommand } from "./node/connectors.ts";
export type { CorsOptions } from "./node/http-answers.ts";
export { HttpBinding, type HttpBindingOptions, MANIFEST_PATH } from "./node/http-binding.ts";
export { localSocketPath } from "./node/local-socket.ts";
export { readBytes } from "./node/read-body.ts";
export { SOCKET_FRAMING, SocketBinding, type SocketBindingOptions } from "./node/socket-binding.ts";
export { type StdioBindingOptions, serveStdio } from "./node/stdio-binding.ts";
export { CLOSE_CODES, WebSocketBinding } from "./node/websocket-binding.ts";
export type { SubscriberChannel } from "./subscriber/channel-connector.ts";
