import type { Desktop } from "./desktop.ts";
import type { RunProgram } from "./run-program.ts";

/** The words come as arguments, so that nothing in them is read as a script. */
const SCRIPT = ["on run argv", "display notification (item 2 of argv) with title (item 1 of argv)", "end run"] as const;

/** macOS. What was shown cannot be taken away again. */
export function createMacDesktop(osascript: string, run: RunProgram): Desktop {
  return {
    name: "Notification Centre, by osascript",
    withdraws: false,
    async show({ title, body }) {
      await run([osascript, ...SCRIPT.flatMap((line) => ["-e", line]), title, body]);
      return undefined;
    },
    async withdraw() {},
  };
}
