import type { ShellInput, ShellWord, SimpleCommand } from "./shell-command.ts";
import { isExact } from "./shell-command.ts";

/** What a command prints, where that can be told: so that what is piped into a shell, or written to a script, can be read. */
export function constantOutput({ name, words, input }: Pick<SimpleCommand, "name" | "words" | "input">): ShellWord | undefined {
  const rest = words.slice(1);
  if (name === "echo") return echoed(rest);
  if (name === "printf") return printed(rest);
  if (name === "tee") return textOf(input);
  if (name === "cat" && rest.every(({ text }) => text === "-")) return textOf(input);
  return undefined;
}

function textOf(input: ShellInput | undefined): ShellWord | undefined {
  return input?.kind === "text" && isExact(input.word) ? input.word : undefined;
}

function echoed(words: readonly ShellWord[]): ShellWord | undefined {
  const options = words.findIndex(({ text }) => !/^-[neE]+$/.test(text));
  const rest = options < 0 ? [] : words.slice(options);
  // Some shells decode backslashes by themselves, some only with -e.
  if (!rest.every(isExact) || rest.some(({ text }) => text.includes("\\"))) return undefined;
  return { text: rest.map(({ text }) => text).join(" ") };
}

function printed([format, ...values]: readonly ShellWord[]): ShellWord | undefined {
  if (format === undefined || !isExact(format) || !values.every(isExact)) return undefined;
  const plain = format.text.replaceAll("\\n", "\n");
  if (plain.includes("\\")) return undefined;
  if (!plain.includes("%")) return { text: plain };
  if (!/^%s\n?$/.test(plain) || values.some(({ text }) => text.includes("\\"))) return undefined;
  return { text: values.map(({ text }) => plain.replace("%s", () => text)).join("") };
}
