import { type AaepAgent, type AaepAgentOptions, createAaepAgent } from "../aaep/aaep-agent.ts";
import { AaepSession } from "../aaep/aaep-session.ts";
import { own } from "../plain/own.ts";
import { toOptionalText } from "../plain/text.ts";
import { createBrowserPlatform } from "./browser-platform.ts";

export interface AaepOptions extends AaepAgentOptions {
  /** Base address of a hub. Otherwise the origin of the page: a hub answers no page of another origin. `false`: no hub is told. */
  readonly hub?: string | false | undefined;
}

/** An agent that speaks AAEP. One per page is enough, for any number of sessions. */
export function aaep(options: AaepOptions): AaepAgent {
  const { hub } = own<AaepOptions>(options);
  const platform = hub === false ? undefined : createBrowserPlatform(toOptionalText(hub), "aaep");
  return createAaepAgent(options, platform, { newSession: (ports, sessionOptions) => new AaepSession(ports, sessionOptions) });
}
