import { isExact, type ShellInput, type ShellWord, type SimpleCommand, UNKNOWN_PART, UNKNOWN_TEXT } from "./shell-command.ts";

type Printing = Pick<SimpleCommand, "name" | "words" | "input">;

/** A command's output if it is constant, so that text piped into a shell or written to a script can be read. */
export function constantOutput({ name, words, input }: Printing): ShellWord | undefined {
  const rest = words.slice(1);
  if (name === "echo") return echoed(rest);
  if (name === "printf") return printed(rest);
  return name === "tee" || (name === "cat" && rest.every(({ text }) => text === "-")) ? textOf(input) : undefined;
}

/** The value of `$(…)` if it is known; a shape if only its folder is. */
export function substitutedOutput(command: Printing): ShellWord | undefined {
  if (command.name === "mktemp") {
    const isPlain = command.words
      .slice(1)
      .every(({ text }) => /^-(?:[dqut]+|-directory|-quiet|-tmpdir)$|^(?=([\w.-]*XXX))\1[\w.]*$/.test(text));
    return isPlain ? { text: "$(mktemp)", shape: `/tmp/tmp.${UNKNOWN_TEXT}` } : undefined;
  }
  const output = constantOutput(command);
  if (output === undefined) return undefined;
  const { text, shape } = output;
  return shape === undefined ? { text: text.replace(/(?<!\n)\n+$/, "") } : { text, shape };
}

function textOf(input: ShellInput | undefined): ShellWord | undefined {
  return input?.kind === "text" && isExact(input.word) ? input.word : undefined;
}

function echoed(words: readonly ShellWord[]): ShellWord | undefined {
  const options = words.findIndex(({ text }) => !/^-[neE]+$/.test(text));
  const rest = options < 0 ? [] : words.slice(options);
  // Some shells always decode backslashes, some only with -e.
  if (rest.some(({ text }) => text.includes("\\"))) return undefined;
  const text = rest.map((word) => word.text).join(" ");
  if (rest.every(isExact)) return { text };
  const [only, ...others] = rest;
  const isPattern = others.length === 0 && only?.process === undefined && only?.shape?.includes(UNKNOWN_PART) === false;
  return isPattern ? { text, ...(only.shape === undefined ? {} : { shape: only.shape }) } : undefined;
}

function printed([format, ...values]: readonly ShellWord[]): ShellWord | undefined {
  if (format === undefined || !isExact(format) || !values.every(isExact)) return undefined;
  const plain = format.text.replaceAll("\\n", "\n");
  if (plain.includes("\\")) return undefined;
  if (!plain.includes("%")) return { text: plain };
  const holes = plain.match(/%s/g)?.length ?? 0;
  if (holes === 0 || /%[^s]/.test(plain) || values.some(({ text }) => text.includes("\\"))) return undefined;
  const rounds = Math.max(1, Math.ceil(values.length / holes));
  let index = 0;
  return { text: plain.repeat(rounds).replaceAll("%s", () => values[index++]?.text ?? "") };
}
