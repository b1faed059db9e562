import type { Access } from "../asked.ts";

/** What a program does with the paths it is given. */
export interface ProgramPaths {
  /** What it does with its operands; `none`: they are no paths. */
  readonly operands: Access | "none";
  /** What it does with the last one, when there are several. */
  readonly last?: Access;
  /** What it does with the first one. */
  readonly first?: Access;
  /** Number of leading operands that are not paths, such as a mode or an owner. */
  readonly skip?: number;
  /** Options that take the place of the operand that is skipped: `grep -e`. */
  readonly skipUnless?: readonly string[];
  /** Without an operand it looks at the folder it runs in. */
  readonly here?: boolean;
  /** It looks into everything below the folders it is given. */
  readonly below?: boolean;
  /** Options with which it does look below. */
  readonly belowWith?: readonly string[];
  /** Nothing but reading: unless one of these options is there, an empty list when there are none. */
  readonly readsUnless?: readonly string[];
  /** Options whose value, attached or next, is a path that is written to. */
  readonly writesTo?: readonly string[];
  /** Options whose value is no path. */
  readonly values?: readonly string[];
  /** `name=path` operands. */
  readonly named?: Readonly<Record<string, Access>>;
  /** It shows names and sizes, but no file contents. */
  readonly hides?: boolean;
}

const LOOK: ProgramPaths = { operands: "read", readsUnless: [] };
const GLANCE: ProgramPaths = { operands: "read", readsUnless: [], hides: true };
const LIST: ProgramPaths = { operands: "read", here: true, readsUnless: [], hides: true };
const SAY: ProgramPaths = { operands: "none", readsUnless: [] };
const REMOVE: ProgramPaths = { operands: "delete" };
const CHANGE: ProgramPaths = { operands: "write" };
const COPY: ProgramPaths = { operands: "read", last: "write", writesTo: ["-t", "--target-directory"] };
const PACK: ProgramPaths = { operands: "read", first: "write" };
const UNPACK: ProgramPaths = { operands: "read", hides: true, writesTo: ["-d", "-C", "--directory"] };

const looks = "cat less more head tail cut nl od hexdump strings zcat tac rev base64 base32 csvlook glow mdcat hexyl most pr";
const texts = "column fold fmt paste join expand unexpand tsort comm cmp look";
const glances =
  "wc stat file md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum cksum b2sum sum readlink realpath test [ cd pushd";
const says = "echo true false : pwd basename dirname seq expr sleep whoami id uname nproc";
const asks = "uptime tty which type whereis arch groups logname cal factor popd dirs hash exit return";

const PATTERN = { skip: 1, skipUnless: ["-e", "--regexp", "-f", "--file", "--expression", "--files", "--from-file"] } as const;

function each(names: string, paths: ProgramPaths): Record<string, ProgramPaths> {
  return Object.fromEntries(names.split(" ").map((name) => [name, paths]));
}

export const PROGRAM_PATHS: Readonly<Record<string, ProgramPaths>> = {
  ...each(`${looks} ${texts}`, LOOK),
  ...each("bat batcat", { ...LOOK, readsUnless: ["--pager"] }),
  ...each(glances, GLANCE),
  ...each(`${says} ${asks}`, SAY),
  ...each("ls dir ll du df exa eza lsd", LIST),
  patch: { ...CHANGE, writesTo: ["-d", "--directory", "-o", "--output"] },
  truncate: { ...CHANGE, values: ["-s", "--size", "-r", "--reference"] },
  ...each("tee touch mkdir chattr setfacl ex sponge rmdir mkfifo mknod ed", CHANGE),
  ...each("rm unlink shred srm trash trash-put rimraf del rd erase", REMOVE),
  ...each("cp ln install ditto gcp", COPY),
  ...each("zip 7z 7za rar", { ...PACK, writesTo: ["-o"] }),
  ...each("unzip unrar gunzip bunzip2 unxz", UNPACK),
  ...each("time strace ltrace gtime", { operands: "none", writesTo: ["-o", "--output"] }),
  script: { operands: "write", values: ["-c", "--command"] },
  split: { operands: "read", last: "write", values: ["-l", "-b", "-n", "-a"] },
  shuf: { operands: "read", writesTo: ["-o", "--output"] },
  "[": { ...GLANCE, readsUnless: ["-v", "-R"] },
  test: { ...GLANCE, readsUnless: ["-v", "-R"] },
  tree: { ...LIST, readsUnless: ["-o"], writesTo: ["-o"] },
  printf: { operands: "none", readsUnless: ["-v"] },
  date: { operands: "none", readsUnless: ["-s", "--set"] },
  tr: SAY,
  jq: { ...LOOK, ...PATTERN },
  grep: { ...LOOK, ...PATTERN, belowWith: ["-r", "-R", "--recursive", "--dereference-recursive", "-d", "--directories"] },
  egrep: { ...LOOK, ...PATTERN, belowWith: ["-r", "-R", "--recursive"] },
  fgrep: { ...LOOK, ...PATTERN, belowWith: ["-r", "-R", "--recursive"] },
  rg: { ...LIST, ...PATTERN, hides: false, below: true, readsUnless: ["--pre", "--hostname-bin"] },
  ag: { ...LIST, ...PATTERN, hides: false, below: true, readsUnless: ["--pager"] },
  ack: { ...LIST, ...PATTERN, hides: false, below: true, readsUnless: ["--pager"] },
  find: {
    ...LIST,
    readsUnless: ["-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprint0", "-fprintf", "-fls"],
    writesTo: ["-fprint", "-fprintf", "-fls", "-fprint0"],
  },
  fd: { ...LIST, readsUnless: ["-x", "-X", "--exec", "--exec-batch"] },
  diff: { ...LOOK, belowWith: ["-r", "--recursive"], readsUnless: ["--output"] },
  sort: { ...LOOK, readsUnless: ["-o", "--output", "--compress-program", "-T"], writesTo: ["-o", "--output"] },
  uniq: { operands: "read", last: "write", readsUnless: [] },
  xxd: { operands: "read", last: "write", readsUnless: ["-r"] },
  yq: { ...LOOK, ...PATTERN, readsUnless: ["-i", "--inplace"] },
  sed: { operands: "read", ...PATTERN, writesTo: [] },
  awk: { operands: "read", ...PATTERN },
  chmod: { ...CHANGE, skip: 1 },
  chown: { ...CHANGE, skip: 1 },
  chgrp: { ...CHANGE, skip: 1 },
  mv: { operands: "delete", last: "write", writesTo: ["-t", "--target-directory"] },
  gmv: { operands: "delete", last: "write", writesTo: ["-t", "--target-directory"] },
  rename: { operands: "delete" },
  rsync: { operands: "read", last: "write" },
  scp: { operands: "read", last: "write" },
  stow: { operands: "none", writesTo: ["-t", "--target"] },
  dd: { operands: "none", named: { if: "read", of: "write" } },
  openssl: { operands: "none", writesTo: ["-out", "-keyout"] },
  cpio: { operands: "none", writesTo: ["-D", "--directory", "-F", "-O"] },
  curl: {
    operands: "none",
    writesTo: ["-o", "--output", "--output-dir", "-D", "--dump-header", "-c", "--cookie-jar", "--trace", "--trace-ascii", "--stderr"],
  },
  wget: {
    operands: "none",
    writesTo: ["-O", "--output-document", "-P", "--directory-prefix", "-o", "--output-file", "-a", "--append-output", "--save-cookies"],
  },
};

/** Subcommands of git that only look, with the options that make them do more. */
export const GIT_LOOKS: Readonly<Record<string, readonly string[]>> = {
  status: [],
  diff: ["--output", "--ext-diff", "--no-index", "--textconv"],
  log: ["--output", "--ext-diff", "--textconv"],
  show: ["--output", "--ext-diff", "--textconv"],
  blame: ["--contents"],
  "rev-parse": [],
  "rev-list": [],
  "ls-files": [],
  "ls-tree": [],
  describe: [],
  shortlog: ["--output"],
  "cat-file": ["--textconv", "--filters"],
  "merge-base": [],
  "name-rev": [],
  "show-ref": [],
  "for-each-ref": [],
  whatchanged: ["--output", "--ext-diff"],
  version: [],
  help: [],
};

/** Those of them that show what is in files. */
export const GIT_SHOWS: ReadonlySet<string> = new Set(["show", "log", "cat-file", "blame", "diff"]);

/** Subcommands that change the repository, and none of the files that they name. */
export const GIT_KEEPS: ReadonlySet<string> = new Set(
  "add commit check-ignore check-attr grep rev-parse hash-object update-index shortlog archive bundle format-patch".split(" "),
);

/** Subcommands that change the repository, and whose operands are remotes, branches or settings instead of files. */
export const GIT_NAMES: ReadonlySet<string> = new Set("push fetch tag branch config remote notes ls-remote".split(" "));

/** Build output, which can be regenerated. */
export const MADE =
  /^(?:node_modules|bower_components|dist|dist-.*|build|build-.*|out|output|\.output|target|\.next|\.nuxt|\.svelte-kit|\.turbo|\.vite|\.parcel-cache|\.cache|\.angular|\.expo|coverage|\.nyc_output|htmlcov|\.coverage|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.hypothesis|\.tox|\.nox|\.venv|venv|\.eggs|.*\.egg-info|\.gradle|obj|bin\/debug|tmp|temp|\.tmp|logs?|generated|__generated__|\.generated|gen|__snapshots__|storybook-static|test-results|playwright-report|\.dart_tool|\.terraform|DerivedData|cmake-build-.*|bazel-(?:bin|out|testlogs)|site|_site|_build|public\/build|.*\.(?:pyc|pyo|o|a|so|class|log|tmp|swp|swo|orig|rej|tsbuildinfo|map|out|pid|cache|gcda|gcno|profraw|tgz)|package-lock\.json|yarn\.lock|pnpm-lock\.yaml|poetry\.lock|uv\.lock|Cargo\.lock|Gemfile\.lock|\.DS_Store|\.eslintcache|nohup\.out|npm-debug\.log.*)$/i;

/** Data files that are usually not under version control. */
export const UNVERSIONED =
  /\.(?:db|db3|sqlite3?|mdb|accdb|dump|dmp|rdb|parquet|ldb|kdbx|pst|ova|vmdk|qcow2|vdi|env)$|\/\.env(?:\.(?!example|sample|template)[^/]*)?$|\/\.git(?:\/(?!.*\.lock$)|$)/i;

/** Folders in the home folder that hold copies of what is kept elsewhere. */
export const HOME_CACHES =
  /^~\/(?:\.cache|\.npm|\.yarn|\.pnpm-store|\.bun\/install|\.cargo\/(?:registry|git)|\.m2\/repository|\.gradle\/caches|\.nuget\/packages|\.local\/share\/(?:pnpm|Trash)|\.terraform\.d\/plugin-cache|\.rustup\/(?:tmp|downloads)|\.docker\/(?:scout|buildx)|\.deno|\.expo|\.dotnet\/tools|\.gem\/cache|\.conda\/pkgs|\.claude\/(?:projects|plans|todos|worktrees|shell-snapshots|tmp)|Library\/(?:Caches|Developer\/Xcode\/DerivedData)|go\/pkg)(?:\/|$)/;
