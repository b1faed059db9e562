import type { Subscriber } from "@earshot/aaep";
import type { Capabilities, SubscriptionAccepted } from "@earshot/protocol";
import { AaepSubscription, type SubscribeOptions, toSubscriberOptions } from "../subscribe/aaep-subscription.ts";

/** A producer that is run, and spoken with over its standard input and output. */
export interface ProducerCommand {
  /** A program and its arguments; no shell looks at them. */
  readonly command: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What it writes for people. */
  readonly onLog?: (text: string) => void;
}

/** Subscribes to a producer by `http`, `https`, `ws`, `wss` or `unix`, or to one that is run by this. */
export function subscribe(
  producer: string | URL | ProducerCommand,
  capabilities: Capabilities = {},
  options: SubscribeOptions = {},
): AaepSubscription {
  return new AaepSubscription(load(producer, capabilities, options), options);
}

/** See `trustKeys` of `@earshot/aaep`: only producers whose manifest one of these public keys has signed, as JWK. */
export function trustKeys(keys: readonly object[]): (accepted: SubscriptionAccepted) => Promise<void> {
  return async (accepted) => (await import("@earshot/aaep")).trustKeys(keys)(accepted);
}

/** An agent that only speaks does not load what listening takes. */
async function load(producer: string | URL | ProducerCommand, capabilities: Capabilities, options: SubscribeOptions): Promise<Subscriber> {
  const [{ readProducerAddress, Subscriber: Listening }, { createConnector }] = await Promise.all([
    import("@earshot/aaep"),
    import("@earshot/aaep/node"),
  ]);
  const isCommand = typeof producer === "object" && "command" in producer;
  const { headers = {}, token } = options;
  const connector = createConnector(isCommand ? producer : readProducerAddress(String(producer)), { headers, token });
  return new Listening(toSubscriberOptions(connector, capabilities, options));
}
