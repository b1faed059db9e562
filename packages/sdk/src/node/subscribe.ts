import type { Subscriber } from "@earshot/aaep";
import type { Capabilities, SubscriptionAccepted } from "@earshot/protocol";
import { AaepSubscription, type SubscribeOptions, toSubscriberOptions } from "../subscribe/aaep-subscription.ts";

/** A producer that is started as a process and reached over its standard streams. */
export interface ProducerCommand {
  /** A program and its arguments, run without a shell. */
  readonly command: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Receives its standard error. */
  readonly onLog?: (text: string) => void;
}

/** Subscribes to a producer by `http`, `https`, `ws`, `wss` or `unix`, or to one started as a process. */
export function subscribe(
  producer: string | URL | ProducerCommand,
  capabilities: Capabilities = {},
  options: SubscribeOptions = {},
): AaepSubscription {
  return new AaepSubscription(load(producer, capabilities, options), options);
}

/** See `trustKeys` of `@earshot/aaep`: accepts only producers whose manifest is signed by one of these public JWKs. */
export function trustKeys(keys: readonly object[]): (accepted: SubscriptionAccepted) => Promise<void> {
  return async (accepted) => (await import("@earshot/aaep")).trustKeys(keys)(accepted);
}

/** Loaded on demand, so that agents that only report do not load the subscriber. */
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
