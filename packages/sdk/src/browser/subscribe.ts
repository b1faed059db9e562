import { ChannelConnector, type Connector, openWebSocket, readProducerAddress, SseConnector, Subscriber } from "@earshot/aaep";
import type { Capabilities } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";
import { AaepSubscription, type SubscribeOptions, toSubscriberOptions } from "../subscribe/aaep-subscription.ts";

/** Subscribes to a producer by `http`, `https`, `ws` or `wss`. */
export function subscribe(url: string | URL, capabilities: Capabilities = {}, options: SubscribeOptions = {}): AaepSubscription {
  return new AaepSubscription(new Subscriber(toSubscriberOptions(connectorFor(String(url), options), capabilities, options)), options);
}

function connectorFor(url: string, { headers = {}, token }: SubscribeOptions): Connector {
  const address = readProducerAddress(url);
  switch (address.kind) {
    case "http":
      return new SseConnector({ ...address, headers, fetch: (input, init) => fetch(input, init) });
    case "websocket": {
      // A page cannot set WebSocket headers, so the hub takes its ticket as a subprotocol.
      const protocols = token === undefined ? [] : [`ticket.${token}`];
      return new ChannelConnector({ transport: "websocket", open: (signal) => openWebSocket(address.url, protocols, signal) });
    }
    case "socket":
      throw new EarshotError({ code: "WRONG_USAGE", message: "A page cannot open a local socket." });
  }
}
