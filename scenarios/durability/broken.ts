import { resolve } from "node:path";
import type { HubProcessOptions } from "../hub/hub-process.ts";

/** How to start a hub with a defect. */
export function broken(fault: string): Pick<HubProcessOptions, "bin" | "args" | "nodeArguments"> {
  const bin = resolve("scenarios/durability/broken-hub.ts");
  return { bin, args: ["--fault", fault] };
}
