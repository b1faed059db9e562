import { expect, it } from "vitest";
import { countTools } from "./count-tools.ts";

it("counts calls by tool, and lists what differs most first", () => {
  const calls = (tool: string, ...states: readonly ("succeeded" | "failed")[]) => states.map((state) => ({ tool, state }));
  const counts = countTools(
    [...calls("Read", "succeeded"), ...calls("Bash", "failed", "succeeded")],
    [...calls("Read", "succeeded"), ...calls("Edit", "succeeded")],
  );
  expect(counts.map(({ tool, left, right }) => [tool, left.calls, left.failed, right.calls])).toEqual([
    ["Bash", 2, 1, 0],
    ["Edit", 0, 0, 1],
    ["Read", 1, 0, 1],
  ]);
});
