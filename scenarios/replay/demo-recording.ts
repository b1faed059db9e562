import { playDemo } from "../../packages/cli/src/demo/play.ts";
import { becomeAdmin, callJson } from "../../packages/hub/src/access/testing/test-device.ts";
import { HUB_SOURCE } from "../../packages/hub/src/home.ts";
import type { HubProcess } from "../hub/hub-process.ts";

/** Plays the demo into a hub without anyone answering, and returns its events in order. */
export async function recordDemo(hub: HubProcess): Promise<readonly string[]> {
  const admin = await becomeAdmin(hub.url, hub.viewer());
  const { token } = await callJson(hub.url, "/api/tokens", { name: "demo", role: "producer", owner: "tests" }, admin);
  await playDemo({
    url: hub.url,
    token: String(token),
    speed: 200,
    run: "recorded",
    print: () => {},
    signal: new AbortController().signal,
    answerSeconds: 1,
  });
  const { stdout } = hub.earshot("tail", "--no-follow", "--json");
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { readonly kind: string; readonly source: string; readonly event: unknown })
    .filter(({ kind, source }) => (kind === "event" || kind === "message") && source !== HUB_SOURCE)
    .map(({ event }) => JSON.stringify(event));
}
