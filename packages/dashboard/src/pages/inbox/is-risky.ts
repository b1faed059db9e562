import type { Inspection } from "@earshot/hub";

/** Whether silence, and a single click for several, may never stand for a yes. */
export function isRisky({ irreversible, risk, uninspectable }: Pick<Inspection, "irreversible" | "risk" | "uninspectable">): boolean {
  return irreversible || risk === "high" || uninspectable !== undefined;
}
