import { type AaepEndpoint, aaep, type ServeOptions } from "@earshot/sdk";
import { type Journal, play } from "./script.ts";
import { understand } from "./understand.ts";

export interface DemoAgentOptions {
  readonly serve: ServeOptions;
  /** Acknowledges the user input before opening its session, for drivers that consume the first item. */
  readonly acknowledges: boolean;
  readonly journal: Journal;
}

export interface DemoAgent extends AsyncDisposable {
  readonly endpoint: AaepEndpoint;
}

/** Starts the agent. It plays a session for each `user_input`, several at once if requested. */
export async function startDemoAgent({ serve, acknowledges, journal }: DemoAgentOptions): Promise<DemoAgent> {
  const agent = aaep({ agentId: "earshot-demo", agentName: "Demo agent", agentVersion: "1.0.0", language: "en", hub: false });
  const begin = (text: string): string => {
    const understood = understand(text);
    // The request text is not repeated, because it may hold a secret.
    const session = agent.session({ summary: `Working on a request: ${understood.part.replaceAll("-", " ")}.` });
    void play(session, understood, journal).then(
      () => session.end({ summary: "End of the timeline." }),
      (error: unknown) => session.fail(error, { category: "permanent", remedy: "Ask for something else." }),
    );
    return session.sessionId;
  };
  const endpoint = await agent.serve({
    ...serve,
    onMessage(message) {
      if (message["kind"] !== "user_input" || typeof message["text"] !== "string") return undefined;
      const session = begin(message["text"]);
      return acknowledges ? { control: { kind: "user_input.ack", session_id: session } } : {};
    },
  });
  return {
    endpoint,
    async [Symbol.asyncDispose]() {
      await agent.close();
    },
  };
}
