import { withoutEscapes } from "../sentences/speakable.ts";

/** How many tests passed and failed. */
export interface TestsTold {
  readonly passed: number;
  readonly failed: number;
}

const MOST_CHARACTERS = 100_000;

/** Numbers before and after the words that test runners use: `2 failed | 28 passed`, `# pass 5`, `5 passing`, `Failures: 1`. */
const PASSED = [/\b(\d{1,7}) (?:tests? )?(?:passed|passing|succeeded)\b/gi, /^(?:#|ℹ) pass (\d{1,7})$/gim, /\bPassed:\s+(\d{1,7})/g];
const FAILED = [
  /\b(\d{1,7}) (?:tests? )?(?:failed|failing|failures?)\b/gi,
  /^(?:#|ℹ) fail (\d{1,7})$/gim,
  /\b(?:Failed|Failures):\s+(\d{1,7})/g,
];
/** Where one line is about files and another about tests, the tests count. */
const SUITES = /^[ \t]*(?:Test Files|Test Suites|Suites|Snapshots|Files)\b.*$/gim;

/** What a test runner printed, in two numbers; undefined where it does not say. Several runs are added up. */
export function testsTold(output: string): TestsTold | undefined {
  const text = withoutEscapes(output.slice(-MOST_CHARACTERS)).replaceAll(SUITES, "");
  const passed = sumOf(text, PASSED);
  const failed = sumOf(text, FAILED);
  return passed === undefined && failed === undefined ? undefined : { passed: passed ?? 0, failed: failed ?? 0 };
}

function sumOf(text: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const found = [...text.matchAll(pattern)].map(([, number]) => Number(number));
    if (found.length > 0) return found.reduce((sum, one) => sum + one, 0);
  }
  return undefined;
}
