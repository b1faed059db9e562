import type { AnswerBody } from "@earshot/hub";
import { readJson } from "@earshot/protocol";
import { usage } from "../usage.ts";

/** `POINTER=JSON`: puts a value where the pointer leads in the input. A text needs its quotes: `/command="ls"`. */
export function parseEdit(text: string): NonNullable<AnswerBody["edit"]>[number] {
  const at = text.indexOf("=");
  const pointer = text.slice(0, at);
  if (at < 0 || (pointer !== "" && !pointer.startsWith("/"))) throw usage(`--edit cannot be ${JSON.stringify(text)}.`, EXAMPLE);
  const read = readJson(text.slice(at + 1));
  if (!read.ok) throw usage(`What --edit puts at ${JSON.stringify(pointer)} is no JSON.`, EXAMPLE);
  return { pointer, value: read.value };
}

const EXAMPLE = `--edit '/command="ls -l"': a JSON Pointer into the input, = and a JSON value`;
