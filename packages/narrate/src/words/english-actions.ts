/** An action in all the forms that sentences need. */
export interface Conjugated {
  /** `runs the tests`. */
  readonly does: string;
  /** After `has`. */
  readonly done: string;
  /** After `may` and `wants to`. */
  readonly infinitive: string;
  /** After `may`, negated. */
  readonly not: string;
  /** After `trying`. */
  readonly to: string;
}

/** An action on an object; without one, on a general word for it. */
export type ConjugateAction = (what?: string) => Conjugated;

/** Forms of the verb ("it runs, it has run, to run") and its object. */
function verb(forms: string, object: string | ((what: string | undefined) => string)): ConjugateAction {
  const [does = "", done = "", infinitive = ""] = forms.split(" ");
  return (what) => {
    const to = typeof object === "string" ? object : object(what);
    const all = (form: string) => `${form} ${to}`;
    return { does: all(does), done: all(done), infinitive: all(infinitive), not: `not ${all(infinitive)}`, to: `to ${all(infinitive)}` };
  };
}

/** Tool actions in English, the reference: every other language has the same keys. */
export const ENGLISH_ACTIONS = {
  // Tools.
  use: verb("uses used use", (what) => what || "a tool"),
  "use-skill": verb("uses used use", (what) => `the skill ${what ?? ""}`),
  command: verb("runs run run", (what) => what || "a command"),
  edit: verb("edits edited edit", (what) => what || "a file"),
  write: verb("writes written write", (what) => what || "a file"),
  read: verb("reads read read", (what) => what || "a file"),
  delete: verb("deletes deleted delete", (what) => what || "a file"),
  list: verb("lists listed list", (what) => what || "files"),
  search: verb("searches searched search", "the files"),
  "web-search": verb("searches searched search", "the web"),
  fetch: verb("opens opened open", (what) => what || "a web page"),
  plan: verb("updates updated update", "its plan"),
  subagent: verb("starts started start", (what) => what || "a helper"),
  question: verb("puts put put", "a question to you"),
  memory: verb("updates updated update", "its memory"),
  watch: verb("looks looked look", "at a running command"),
  stop: verb("stops stopped stop", "a running command"),
  // Commands.
  test: verb("runs run run", "the tests"),
  typecheck: verb("checks checked check", "the types"),
  lint: verb("checks checked check", "the code style"),
  format: verb("formats formatted format", "the code"),
  build: verb("builds built build", "the project"),
  install: verb("installs installed install", "packages"),
  uninstall: verb("removes removed remove", "packages"),
  script: verb("runs run run", (what) => `the script ${what || "of the project"}`),
  "run-file": verb("runs run run", (what) => what || "a program"),
  commit: verb("commits committed commit", "changes"),
  push: verb("pushes pushed push", "commits"),
  "force-push": verb("force-pushes force-pushed force-push", "commits"),
  pull: verb("fetches fetched fetch", "commits"),
  clone: verb("clones cloned clone", "a repository"),
  switch: verb("works worked work", "on branches"),
  merge: verb("merges merged merge", "commits"),
  rebase: verb("rebases rebased rebase", "commits"),
  stash: verb("puts put put", "changes aside"),
  discard: verb("discards discarded discard", "changes"),
  look: verb("looks looked look", "at the state of things"),
  stage: verb("stages staged stage", "changes"),
  tag: verb("works worked work", "on tags"),
  "pull-request": verb("works worked work", "on a pull request"),
  publish: verb("publishes published publish", "a package"),
  deploy: verb("deploys deployed deploy", "the project"),
  destroy: verb("destroys destroyed destroy", "data or services"),
  "remove-folder": verb("removes removed remove", (what) => `${what || "a folder"} with everything in it`),
  "remove-file": verb("removes removed remove", (what) => what || "files"),
  copy: verb("copies copied copy", "files"),
  move: verb("moves moved move", "files"),
  "make-folder": verb("makes made make", "a folder"),
  download: verb("talks talked talk", (what) => `to ${what || "the network"}`),
  permissions: verb("changes changed change", "who may use files"),
  kill: verb("ends ended end", "processes"),
  container: verb("works worked work", "with containers"),
  image: verb("builds built build", "a container image"),
  database: verb("works worked work", "on a database"),
  connect: verb("connects connected connect", (what) => `to ${what || "another machine"}`),
  archive: verb("works worked work", "with an archive"),
  wait: verb("waits waited wait", "a moment"),
  print: verb("prints printed print", "a text"),
  go: verb("goes gone go", "to another folder"),
} as const satisfies Readonly<Record<string, ConjugateAction>>;

export type ActionName = keyof typeof ENGLISH_ACTIONS;
