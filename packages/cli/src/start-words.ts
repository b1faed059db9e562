import type { HubAddress } from "@earshot/hub/home";

const USUAL_PORT = "4747";

/** The same options, and the same port even if it was chosen automatically, because listeners reconnect to it. */
export function startArgumentsFor(
  { startedWith = [], url }: Pick<HubAddress, "startedWith" | "url">,
  configuredPort: number | undefined,
): readonly string[] {
  const words = startedWith.filter((word) => word !== "--open" && word !== "--no-open");
  const isNamed = configuredPort !== undefined || words.some((word) => word === "--port" || word.startsWith("--port="));
  const { port } = new URL(url);
  return isNamed || port === USUAL_PORT ? words : [...words, "--port", port];
}
