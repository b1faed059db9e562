import type { IncomingMessage, ServerResponse } from "node:http";

export interface CorsOptions {
  /** Whether pages of this origin may read the answers. Without it, none may. Who they are is for `authorise` to say. */
  readonly allowOrigin?: (origin: string) => boolean;
}

/** Tells a browser what a page may read and send. */
export function tellOrigin(request: IncomingMessage, response: ServerResponse, { allowOrigin }: CorsOptions): void {
  const { origin } = request.headers;
  if (origin === undefined || allowOrigin?.(origin) !== true) return;
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("vary", "origin");
  response.setHeader("access-control-expose-headers", "location, retry-after");
  if (isPreflight(request)) {
    response.setHeader("access-control-allow-headers", "authorization, content-type, last-event-id, cache-control");
    response.setHeader("access-control-max-age", "600");
  }
}

export function isPreflight(request: IncomingMessage): boolean {
  return request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined;
}
