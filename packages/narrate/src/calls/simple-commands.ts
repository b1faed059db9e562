/** One command of a line, as its words. */
export interface SimpleCommand {
  readonly words: readonly string[];
  /** Through `sudo` and the like. */
  readonly elevated: boolean;
  /** Stands after a pipe. */
  readonly isFed: boolean;
}

const MOST_COMMANDS = 50;
/** Text for a command to read: it is no command itself. */
const HERE_DOCUMENT = /<<-?[ \t]*(["']?)(\w+)\1([^\n]*)\n(?:[^\n]*\n)*?[ \t]*\2(?![^\n])/g;
const TOKEN = /"(?:[^"\\]|\\.)*"?|'[^']*'?|\|\||&&|[|;&\n]|(?:[^\s"'|;&\\]|\\.|&(?=\d)|(?<=>)&)+/g;
const BETWEEN = /^(?:\|\||&&|[|;&\n])$/;

/** The simple commands of a shell text, what they are wrapped in taken off. What stands in quotation marks is one word. */
export function simpleCommands(text: string): readonly SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  let isFed = false;
  const end = (feeds: boolean) => {
    if (words.length > 0 && commands.length < MOST_COMMANDS) commands.push({ ...unwrapped(words), isFed });
    words = [];
    isFed = feeds;
  };
  for (const [token] of text.replaceAll(HERE_DOCUMENT, "$3").matchAll(TOKEN)) {
    if (BETWEEN.test(token)) end(token === "|");
    else words.push(token);
  }
  end(false);
  return commands;
}

const ELEVATING = new Set(["sudo", "doas", "su", "runas", "pkexec"]);
const WRAPPERS = new Set("env time nohup nice exec command timeout xargs npx bunx pnpx stdbuf setsid then do else !".split(" "));

function unwrapped(words: readonly string[]): Omit<SimpleCommand, "isFed"> {
  let elevated = false;
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    const name = baseName(word);
    const isOption = at > 0 && (/^(?:-|\d+[smhd]?$)/.test(word) || /^-[ug]$/.test(words[at - 1] ?? ""));
    if (ELEVATING.has(name)) elevated = true;
    else if (!WRAPPERS.has(name) && !isOption && !/^\w+=/.test(word)) break;
  }
  return { words: words.slice(at).map(unquoted), elevated };
}

export function baseName(path: string): string {
  const parts = unquoted(path).split(/[/\\]/);
  return parts.findLast((part) => part !== "") ?? path;
}

function unquoted(word: string): string {
  return word.replace(/^(["'])(.*)\1$/s, "$2");
}
