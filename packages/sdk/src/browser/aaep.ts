import { type AaepAgent, type AaepAgentOptions, createAaepAgent } from "../aaep/aaep-agent.ts";
import { AaepSession } from "../aaep/aaep-session.ts";
import { ownOptions } from "../plain/own.ts";
import { toOptionalText } from "../plain/text.ts";
import { createBrowserPlatform } from "./browser-platform.ts";

export interface AaepOptions extends AaepAgentOptions {
  /** Base address of a hub. Default: the page's origin, because a hub rejects pages of other origins. `false`: no hub. */
  readonly hub?: string | false | undefined;
}

/** Creates an agent that speaks AAEP. One per page suffices for any number of sessions. */
export function aaep(options: AaepOptions): AaepAgent {
  const { hub } = ownOptions<AaepOptions>(options);
  const platform = hub === false ? undefined : createBrowserPlatform(toOptionalText(hub), "aaep");
  return createAaepAgent(options, platform, { newSession: (ports, sessionOptions) => new AaepSession(ports, sessionOptions) });
}
