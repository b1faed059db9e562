import fc from "fast-check";
import { type ScriptedAct, scriptedThought, scriptedWords } from "./script.ts";

const FILES = ["./src/cart.ts", "./src/coupon.ts", "./README.md"];
const COMMANDS = ["npm test", "npm run build", "git status", "ls -la src"];

const anyCall: fc.Arbitrary<ScriptedAct> = fc.oneof(
  fc.record({
    does: fc.constant("call" as const),
    tool: fc.constantFrom("Read", "Edit"),
    input: fc.constantFrom(...FILES).map((file_path) => ({ file_path })),
    failed: fc.boolean(),
  }),
  fc.record({
    does: fc.constant("call" as const),
    tool: fc.constant("Bash"),
    input: fc.constantFrom(...COMMANDS).map((command) => ({ command })),
    result: fc.constantFrom("done", "13 passed", "2 failed"),
    failed: fc.boolean(),
  }),
);

const anyWords: fc.Arbitrary<ScriptedAct> = fc
  .tuple(fc.boolean(), fc.constantFrom("It is fine.", "The total is wrong.", "Let me look at the cart.", "All tests pass."))
  .map(([isSaid, text]) => (isSaid ? scriptedWords(text) : scriptedThought(text)));

/** Generated actions of an agent. They repeat often, so that several alignments are possible. */
export const arbitraryActs = fc.array(fc.oneof(anyCall, anyCall, anyWords), { maxLength: 24 });
