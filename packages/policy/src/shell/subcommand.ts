import type { ShellWord } from "./shell-command.ts";

/** Options before the subcommand that take the next word with them. */
const GLOBAL_VALUES: Readonly<Record<string, ReadonlySet<string>>> = {
  git: new Set(["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix", "--attr-source"]),
  docker: new Set([
    "-H",
    "--host",
    "-c",
    "--context",
    "--config",
    "-l",
    "--log-level",
    "-f",
    "--file",
    "-p",
    "--project-name",
    "--profile",
  ]),
  podman: new Set(["--connection", "-c", "--url", "--log-level", "--root"]),
  "docker-compose": new Set(["-f", "--file", "-p", "--project-name", "--profile", "--env-file", "--project-directory"]),
  kubectl: new Set(["-n", "--namespace", "--context", "--kubeconfig", "--cluster", "--user", "-s", "--server", "--as", "--as-group", "-v"]),
  oc: new Set(["-n", "--namespace", "--context", "--kubeconfig"]),
  helm: new Set(["-n", "--namespace", "--kube-context", "--kubeconfig"]),
  terraform: new Set([]),
  tofu: new Set([]),
  npm: new Set(["--prefix", "-C", "-w", "--workspace", "--registry", "--loglevel", "--userconfig"]),
  pnpm: new Set(["-C", "--dir", "-F", "--filter"]),
  yarn: new Set(["--cwd"]),
  cargo: new Set(["--config", "-C", "-Z", "--color"]),
  go: new Set(["-C"]),
  aws: new Set(["--profile", "--region", "--output", "--endpoint-url", "--query", "--ca-bundle", "--cli-read-timeout"]),
  gcloud: new Set(["--project", "--account", "--configuration", "--format", "--verbosity"]),
  az: new Set(["--subscription", "--output", "-o", "--query"]),
  gh: new Set(["-R", "--repo"]),
  systemctl: new Set(["-H", "--host", "-M", "--machine", "-t", "--type", "-n", "--lines", "-o", "--output"]),
  heroku: new Set(["-a", "--app"]),
  fly: new Set(["-a", "--app", "-c", "--config", "-t"]),
  flyctl: new Set(["-a", "--app", "-c", "--config", "-t"]),
  make: new Set(["-C", "--directory", "-f", "--file", "--makefile", "-I", "-j", "-l", "-o", "-W"]),
};

export interface Subcommand {
  readonly name: string;
  /** What follows it. */
  readonly rest: readonly ShellWord[];
}

/** Whether an option before the subcommand takes the next word with it. */
export function takesValue(program: string, option: string): boolean {
  return Object.hasOwn(GLOBAL_VALUES, program) && GLOBAL_VALUES[program]?.has(option) === true;
}

/** The first word after the program's own options. */
export function subcommand(program: string, words: readonly ShellWord[]): Subcommand {
  for (let index = 1; index < words.length; index++) {
    const text = words[index]?.text ?? "";
    if (!text.startsWith("-")) return { name: text, rest: words.slice(index + 1) };
    if (takesValue(program, text)) index++;
  }
  return { name: "", rest: [] };
}

/** The words that are neither options nor values of the program's own options. */
export function operandsOf(program: string, words: readonly ShellWord[]): readonly string[] {
  const operands: string[] = [];
  for (let index = 1; index < words.length; index++) {
    const text = words[index]?.text ?? "";
    if (!text.startsWith("-")) operands.push(text);
    else if (takesValue(program, text)) index++;
  }
  return operands;
}

export function gitSubcommand(words: readonly ShellWord[]): Subcommand {
  return subcommand("git", words);
}

/** Whether the program is one that is told by its first word what to do. */
export function hasSubcommands(program: string): boolean {
  return Object.hasOwn(GLOBAL_VALUES, program) || OTHERS.has(program);
}

/** The program, then its subcommand and what follows, without the options in between: `git -C x push` is `git push`. */
export function withoutGlobalOptions(program: string, words: readonly ShellWord[]): readonly ShellWord[] {
  const [first] = words;
  if (first === undefined || !Object.hasOwn(GLOBAL_VALUES, program)) return words;
  const { name, rest } = subcommand(program, words);
  return name === "" || rest.length === words.length - 2 ? words : [first, { text: name }, ...rest];
}

const OTHERS: ReadonlySet<string> = new Set([
  "apt",
  "apt-get",
  "brew",
  "bun",
  "bundle",
  "composer",
  "conda",
  "deno",
  "dotnet",
  "earshot",
  "gradle",
  "hg",
  "just",
  "mvn",
  "pip",
  "pip3",
  "pipenv",
  "poetry",
  "pulumi",
  "rails",
  "rake",
  "rustup",
  "svn",
  "swift",
  "task",
  "turbo",
  "uv",
  "vagrant",
  "vercel",
  "wrangler",
]);
