import type { Io } from "../io.ts";
import { ask, hasKeyboard } from "../terminal/ask.ts";
import { usage } from "../usage.ts";

/** Whether to go on with something that cannot be undone. Without a person to ask, `--yes` must have said so. */
export async function confirm(io: Io, question: string, isAgreed: boolean): Promise<boolean> {
  if (isAgreed) return true;
  if (!hasKeyboard(io))
    throw usage("There is no terminal to ask in, and this cannot be undone.", "Add --yes to do it without being asked.");
  const answer = await ask(io, `${question} [y/N] `);
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}
