import type { Access } from "../asked.ts";

/** What a program does with the paths it is given. Where it may do more than that, it is not `plain`. */
export interface ProgramPaths {
  /** What it does with its operands; `none`: they are no paths. */
  readonly operands: Access | "none";
  /** What it does with the last one, when there are several. */
  readonly last?: Access;
  /** So many operands at the beginning are no paths: a mode, an owner. */
  readonly skip?: number;
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
  /** `name=path` operands. */
  readonly named?: Readonly<Record<string, Access>>;
}

const LOOK: ProgramPaths = { operands: "read", readsUnless: [] };
const LIST: ProgramPaths = { operands: "read", here: true, readsUnless: [] };
const SAY: ProgramPaths = { operands: "none", readsUnless: [] };
const REMOVE: ProgramPaths = { operands: "delete" };
const CHANGE: ProgramPaths = { operands: "write" };
const COPY: ProgramPaths = { operands: "read", last: "write", writesTo: ["-t", "--target-directory"] };

const looks = ["cat", "bat", "head", "tail", "wc", "stat", "file", "cmp", "comm", "cut", "nl", "od", "hexdump", "strings", "zcat"];
const sums = ["md5", "md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "shasum", "cksum", "b2sum", "sum"];
const texts = ["column", "fold", "fmt", "paste", "join", "rev", "tac", "expand", "unexpand", "readlink", "realpath", "tr", "jq", "tsort"];
const tests = ["test", "[", "cd", "pushd"];
const says = ["echo", "true", "false", ":", "pwd", "basename", "dirname", "seq", "expr", "sleep", "whoami", "id", "uname", "nproc"];
const asks = [
  "uptime",
  "tty",
  "which",
  "type",
  "whereis",
  "arch",
  "groups",
  "logname",
  "cal",
  "factor",
  "popd",
  "dirs",
  "hash",
  "exit",
  "return",
];

function each(names: readonly string[], paths: ProgramPaths): Record<string, ProgramPaths> {
  return Object.fromEntries(names.map((name) => [name, paths]));
}

export const PROGRAM_PATHS: Readonly<Record<string, ProgramPaths>> = {
  ...each([...looks, ...sums, ...texts, ...tests], LOOK),
  ...each([...says, ...asks], SAY),
  ...each(["ls", "dir", "ll", "du", "df"], LIST),
  tree: { ...LIST, readsUnless: ["-o"], writesTo: ["-o"] },
  printf: { operands: "none", readsUnless: ["-v"] },
  date: { operands: "none", readsUnless: ["-s", "--set"] },
  grep: { ...LOOK, belowWith: ["-r", "-R", "--recursive", "--dereference-recursive", "-d", "--directories"] },
  egrep: { ...LOOK, belowWith: ["-r", "-R", "--recursive"] },
  fgrep: { ...LOOK, belowWith: ["-r", "-R", "--recursive"] },
  rg: { ...LIST, below: true, readsUnless: ["--pre", "--hostname-bin"] },
  ag: { ...LIST, below: true, readsUnless: ["--pager"] },
  ack: { ...LIST, below: true, readsUnless: ["--pager"] },
  find: { ...LIST, readsUnless: ["-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprint0", "-fprintf", "-fls"] },
  fd: { ...LIST, readsUnless: ["-x", "-X", "--exec", "--exec-batch"] },
  diff: { ...LOOK, belowWith: ["-r", "--recursive"], readsUnless: ["--output"] },
  sort: { ...LOOK, readsUnless: ["-o", "--output", "--compress-program", "-T"], writesTo: ["-o", "--output"] },
  uniq: { operands: "read", last: "write", readsUnless: [] },
  xxd: { operands: "read", last: "write", readsUnless: ["-r"] },
  yq: { ...LOOK, readsUnless: ["-i", "--inplace"] },
  sed: { operands: "read", writesTo: [] },
  awk: { operands: "read" },
  tee: { ...CHANGE },
  touch: { ...CHANGE },
  mkdir: { ...CHANGE },
  truncate: { ...CHANGE },
  chmod: { ...CHANGE, skip: 1 },
  chown: { ...CHANGE, skip: 1 },
  chgrp: { ...CHANGE, skip: 1 },
  chattr: { ...CHANGE },
  setfacl: { ...CHANGE },
  patch: { ...CHANGE },
  ex: { ...CHANGE },
  rm: REMOVE,
  rmdir: REMOVE,
  unlink: REMOVE,
  shred: REMOVE,
  srm: REMOVE,
  trash: REMOVE,
  rimraf: REMOVE,
  del: REMOVE,
  mv: { operands: "delete", last: "write", writesTo: ["-t", "--target-directory"] },
  rename: { operands: "delete" },
  cp: COPY,
  ln: COPY,
  install: COPY,
  rsync: { operands: "read", last: "write" },
  scp: { operands: "read", last: "write" },
  ditto: COPY,
  dd: { operands: "none", named: { if: "read", of: "write" } },
  tar: { operands: "write", writesTo: ["-C", "--directory", "-f", "--file"] },
  unzip: { operands: "read", writesTo: ["-d"] },
  curl: { operands: "none", writesTo: ["-o", "--output", "--output-dir", "-D", "--dump-header", "-c", "--cookie-jar"] },
  wget: { operands: "none", writesTo: ["-O", "--output-document", "-P", "--directory-prefix", "-o", "--output-file"] },
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
