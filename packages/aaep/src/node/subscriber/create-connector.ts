import { ChannelConnector } from "../../subscriber/channel-connector.ts";
import type { Connector } from "../../subscriber/connector.ts";
import type { ProducerAddress } from "../../subscriber/producer-address.ts";
import { SseConnector } from "../../subscriber/sse-connector.ts";
import { openLocalSocket } from "./local-socket.ts";
import { openStdio, type StdioCommand } from "./stdio.ts";
import { openNodeWebSocket } from "./web-socket.ts";

/** What is shown to a producer. */
export interface Credentials {
  readonly headers?: Readonly<Record<string, string>>;
  /** For sockets without headers, in the request. */
  readonly token?: string | undefined;
}

/** How a producer is reached from Node. */
export function createConnector(address: ProducerAddress | StdioCommand, { headers = {}, token }: Credentials = {}): Connector {
  if ("command" in address) return new ChannelConnector({ transport: "stdio", open: () => openStdio(address) });
  switch (address.kind) {
    case "http":
      return new SseConnector({ ...address, headers, fetch });
    case "websocket":
      return new ChannelConnector({ transport: "websocket", open: (signal) => openNodeWebSocket(address.url, headers, signal) });
    case "socket":
      return new ChannelConnector({ transport: "socket", token, open: (signal) => openLocalSocket(address.path, signal) });
  }
}
