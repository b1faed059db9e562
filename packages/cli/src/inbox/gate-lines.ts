import type { ControlView, NewsList } from "@earshot/hub";
import { type HubAccess, requestFromHub } from "../hub-client.ts";
import { visibleBeginning } from "./visible-text.ts";

/** The requests that currently wait for an approver, and the agents that are not gated; most urgent first. */
export function gateLines({ holding, notGated }: Pick<ControlView, "holding" | "notGated">): readonly string[] {
  const { words, change } = holding;
  return [
    ...notGated.map(({ name, reason, advice }) => visibleBeginning(`NOT GATED: ${name}. ${reason} ${advice}`, 600)),
    change === null ? words : `${words} ${change}`,
  ];
}

export async function readGateLines(hub: HubAccess): Promise<readonly string[]> {
  return gateLines((await (await requestFromHub(hub, "/api/control")).json()) as ControlView);
}

export interface FollowGateOptions {
  readonly open: () => Promise<HubAccess>;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

const WAIT_MS = 20_000;

/** Prints the current state, then every new line when it changes, until the signal or until the hub is gone. */
export async function followGate({ open, signal, print }: FollowGateOptions): Promise<void> {
  let printed: readonly string[] = [];
  let after = 0;
  try {
    while (!signal.aborted) {
      const hub = await open();
      const lines = await readGateLines(hub);
      for (const line of lines) if (!printed.includes(line)) print(line);
      printed = lines;
      const wait = after === 0 ? 0 : WAIT_MS;
      const { url, headers } = hub;
      const response = await fetch(`${url}/api/requests/news?after=${after}&wait=${wait}`, { headers, signal });
      if (!response.ok) return;
      after = ((await response.json()) as NewsList).next;
    }
  } catch {
    // The code that follows the hub reports that it is gone.
  }
}
