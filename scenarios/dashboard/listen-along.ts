import type { BrowserContext } from "playwright-core";

/** Messages between the tabs of a browser: the positions of all entries in the order sent. */
export interface ListenAlong {
  positions(): Promise<readonly number[]>;
}

/** A page of the same origin without the dashboard. */
export async function listenAlong(context: BrowserContext, url: string): Promise<ListenAlong> {
  const page = await context.newPage();
  await page.goto(`${url}/health`);
  await page.evaluate(() => {
    const heard: number[] = [];
    const channel = new BroadcastChannel("earshot-live");
    channel.onmessage = ({ data }: MessageEvent<{ readonly entries?: readonly { readonly position: number }[] }>) => {
      for (const { position } of data.entries ?? []) heard.push(position);
    };
    Object.assign(globalThis, { heard, channel });
  });
  return { positions: () => page.evaluate(() => (globalThis as unknown as { heard: readonly number[] }).heard) };
}

/** Gaps, repetitions and steps back in the positions. */
export function findLeaps(positions: readonly number[]): readonly string[] {
  return positions.flatMap((position, index) => {
    const last = positions[index - 1];
    return last === undefined || position === last + 1 ? [] : [`${position} after ${last}`];
  });
}
