import { type CommandIo, EXIT } from "@earshot/terminal/io";
import { type CliCommand, checkChoice, command, type Declaration, optionName } from "../command.ts";

interface Commands {
  readonly commands: Readonly<Record<string, { readonly load: () => Promise<CliCommand<never>> }>>;
  readonly prefixes: Readonly<Record<string, string>>;
}

export const createCompletionCommand = (all: Commands) =>
  command(
    {
      name: "completion",
      positionals: ["bash|zsh|fish"],
      about: `Prints a script that completes commands and options in your shell.

  bash   source <(earshot completion bash)          in ~/.bashrc
  zsh    source <(earshot completion zsh)           in ~/.zshrc, after compinit
  fish   earshot completion fish | source           in ~/.config/fish/config.fish`,
      options: {},
    },
    async ({ positionals: [shell = ""] }, io: CommandIo): Promise<number> => {
      checkChoice("completion", shell, ["bash", "zsh", "fish"]);
      const words = await completionWords(all);
      io.out(shell === "fish" ? fishScript(words) : shell === "zsh" ? zshScript(words) : bashScript(words));
      return EXIT.ok;
    },
  );

/** The words that may follow a command, by its name; "" for the first word. */
type Words = ReadonlyMap<string, readonly string[]>;

async function completionWords({ commands, prefixes }: Commands): Promise<Words> {
  const names = Object.keys(commands);
  const declared = await Promise.all(
    Object.entries(commands).map(async ([name, { load }]) => [name, wordsOf((await load()).declaration)] as const),
  );
  const words = new Map<string, readonly string[]>([
    ["", [...new Set([...names.map(firstWord), "help"])]],
    ["help", ["all", ...new Set(names.map(firstWord))]],
    ...declared,
  ]);
  for (const prefix of new Set([...Object.keys(prefixes), ...names.filter((name) => name.includes(" ")).map(firstWord)])) {
    const verbs = names.flatMap((name) => (name.startsWith(`${prefix} `) ? [name.slice(prefix.length + 1)] : []));
    words.set(prefix, [...verbs, ...(words.get(prefix) ?? [])]);
  }
  return words;
}

function firstWord(name: string): string {
  return name.split(" ", 1).join("");
}

/** Its options, and the words of a fixed choice: `[on|off]`. */
function wordsOf({ options, positionals }: Declaration): readonly string[] {
  const choices = positionals.flatMap((word) => (/^\[?[a-z]+(?:\|[a-z]+)+\]?$/.test(word) ? word.replaceAll(/[[\]]/g, "").split("|") : []));
  return [...choices, ...Object.entries(options).map(optionName), "--help"];
}

/** The longest matching command decides; files are completed after options with a value and for other words. */
function bashScript(words: Words): string {
  return `# bash completion for earshot
_earshot() {
  local current="\${COMP_WORDS[COMP_CWORD]}" one="" two="" words=""
  [ "$COMP_CWORD" -gt 1 ] && one="\${COMP_WORDS[1]}"
  [ "$COMP_CWORD" -gt 2 ] && two="$one \${COMP_WORDS[2]}"
  case "$two" in
${casesOf(words, (name) => name.includes(" "))}
  esac
  if [ -z "$words" ]; then
    case "$one" in
${casesOf(words, (name) => !name.includes(" "))}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _earshot earshot
`;
}

function casesOf(words: Words, isWanted: (name: string) => boolean): string {
  return [...words].flatMap(([name, list]) => (isWanted(name) ? [`    "${name}") words="${list.join(" ")}" ;;`] : [])).join("\n");
}

/** The bash script, which zsh can run. */
function zshScript(words: Words): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`;
}

function fishScript(words: Words): string {
  const lines = [...words].flatMap(([name, list]) => {
    const [one, two] = name.split(" ");
    const condition =
      name === ""
        ? "__fish_use_subcommand"
        : two === undefined
          ? `__fish_seen_subcommand_from ${one}`
          : `__fish_seen_subcommand_from ${one}; and __fish_seen_subcommand_from ${two}`;
    return list.map((word) =>
      word.startsWith("--")
        ? `complete -c earshot -n '${condition}' -l ${word.slice(2)}`
        : `complete -c earshot -n '${condition}' -a ${word}`,
    );
  });
  return `# fish completion for earshot\n${lines.join("\n")}\n`;
}
