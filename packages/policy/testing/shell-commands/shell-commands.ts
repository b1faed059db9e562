import { COMPOUND } from "./compound.ts";
import { HEREDOCS } from "./heredocs.ts";
import { OBFUSCATED } from "./obfuscated.ts";
import { PLAIN } from "./plain.ts";
import type { ShellCase } from "./shell-case.ts";
import { WRAPPED } from "./wrapped.ts";

/** Shell texts with their simple commands and the guard preset's answers: more than three hundred. */
export const SHELL_COMMANDS: readonly ShellCase[] = [...PLAIN, ...COMPOUND, ...WRAPPED, ...OBFUSCATED, ...HEREDOCS];
