import type { CallView } from "@earshot/hub";

interface ToolCount {
  readonly calls: number;
  readonly failed: number;
}

export interface ToolCounts {
  readonly tool: string;
  readonly left: ToolCount;
  readonly right: ToolCount;
}

type Call = Pick<CallView, "tool" | "state">;

/** Counts the calls of each tool in two sessions, largest difference first. */
export function countTools(left: readonly Call[], right: readonly Call[]): readonly ToolCounts[] {
  const tools = [...new Set([...left, ...right].map(({ tool }) => tool))];
  const count = (calls: readonly Call[], tool: string): ToolCount => {
    const own = calls.filter((call) => call.tool === tool);
    return { calls: own.length, failed: own.filter(({ state }) => state === "failed" || state === "timeout").length };
  };
  const counts = tools.map((tool) => ({ tool, left: count(left, tool), right: count(right, tool) }));
  const difference = ({ left: one, right: other }: ToolCounts) => Math.abs(one.calls - other.calls) + Math.abs(one.failed - other.failed);
  return counts.sort((one, other) => difference(other) - difference(one) || one.tool.localeCompare(other.tool));
}
