import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";

/** What the head of a request says, and over which connection. A request of `node:http` is one of these. */
export interface Asked {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Pick<Socket, "localAddress" | "localPort" | "remoteAddress">;
}
