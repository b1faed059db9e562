import { expect, test } from "vitest";
import { readTestNumbers } from "./call-sentences.ts";

test.each([
  ["Vitest", " Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 28 passed (30)", { passed: 28, failed: 2 }],
  [
    "Vitest in colours",
    "\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m24 passed\u001b[39m\u001b[22m\u001b[90m (24)",
    { passed: 24, failed: 0 },
  ],
  ["Jest", "Test Suites: 1 failed, 2 passed, 3 total\nTests:       1 failed, 5 passed, 6 total", { passed: 5, failed: 1 }],
  ["pytest", "=== 1 failed, 12 passed, 1 warning in 0.30s ===", { passed: 12, failed: 1 }],
  [
    "Cargo, in two runs",
    "test result: ok. 3 passed; 0 failed; 1 ignored\ntest result: FAILED. 2 passed; 1 failed",
    { passed: 5, failed: 1 },
  ],
  ["Node", "ℹ tests 5\nℹ pass 5\nℹ fail 0", { passed: 5, failed: 0 }],
  ["TAP", "# pass 5\n# fail 2", { passed: 5, failed: 2 }],
  ["Mocha", "  12 passing (3s)\n  1 failing", { passed: 12, failed: 1 }],
  [".NET", "Failed!  - Failed:     1, Passed:    11, Skipped:     0", { passed: 11, failed: 1 }],
  ["anything else", "All good", undefined],
])("%s", (_runner, output, told) => {
  expect(readTestNumbers(output)).toEqual(told);
});
