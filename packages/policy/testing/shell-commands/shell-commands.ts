import { COMPOUND } from "./compound.ts";
import { HEREDOCS } from "./heredocs.ts";
import { OBFUSCATED } from "./obfuscated.ts";
import { PLAIN } from "./plain.ts";
import type { ShellCase } from "./shell-case.ts";
import { WRAPPED } from "./wrapped.ts";

/** What is in a shell text, and what the guard says to it: more than three hundred of them. */
export const SHELL_COMMANDS: readonly ShellCase[] = [...PLAIN, ...COMPOUND, ...WRAPPED, ...OBFUSCATED, ...HEREDOCS];
