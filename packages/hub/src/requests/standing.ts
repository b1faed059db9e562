import { PROTOCOLS, type ProtocolName } from "@earshot/protocol";
import type { Engine } from "./engine.ts";
import { LONGEST_POLL_MS } from "./engine.ts";

/** Whether a session may go on, as its producer is told. */
export interface Standing {
  readonly stopped: boolean;
  readonly reason?: string;
}

/** Waits until a session of a source is stopped, for a slice of time. `signal` says that nobody listens any more. */
export async function standingOf(
  { control, news }: Pick<Engine, "control" | "news">,
  { source, session }: { readonly source: string; readonly session: string },
  { waitMs, signal }: { readonly waitMs: number; readonly signal?: AbortSignal },
): Promise<Standing> {
  const until = performance.now() + Math.min(waitMs, LONGEST_POLL_MS);
  for (;;) {
    const { next } = news.after(Number.MAX_SAFE_INTEGER); // what happens from now on wakes
    const stopped = (Object.keys(PROTOCOLS) as ProtocolName[])
      .map((protocol) => control.stopped(protocol, source, session))
      .find((one) => one !== undefined);
    if (stopped !== undefined) return { stopped: true, ...(stopped.reason === undefined ? {} : { reason: stopped.reason }) };
    const leftMs = until - performance.now();
    if (leftMs <= 0 || signal?.aborted === true) return { stopped: false };
    await news.wait(next, leftMs, signal);
  }
}
