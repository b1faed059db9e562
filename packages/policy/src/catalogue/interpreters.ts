/** A program that takes code in a language other than the shell's. */
export interface Interpreter {
  readonly language: string;
  /** Options whose value is code. A single letter may end a cluster: `perl -ne`. */
  readonly options?: readonly string[];
  /** Subcommands whose first operand is code. */
  readonly words?: readonly string[];
  /** The first operand is code, when no option gives any. */
  readonly first?: boolean;
  /** Operands from here on are code: the second of `sqlite3 file 'select'`. */
  readonly from?: number;
  /** It reads code from the standard input when it is given none. */
  readonly input?: boolean;
  /** Subcommands that read code from the standard input. */
  readonly asks?: readonly string[];
  /** Options whose value is a file with code. */
  readonly files?: readonly string[];
}

const PYTHON: Interpreter = { language: "python", options: ["-c"], input: true };
const JAVASCRIPT: Interpreter = { language: "javascript", options: ["-e", "--eval", "-p", "--print", "-pe"], input: true };
const AWK: Interpreter = { language: "awk", options: ["-e", "--source"], first: true };
const SED: Interpreter = { language: "sed", options: ["-e", "--expression"], first: true };
const SQL: Interpreter = {
  language: "sql",
  options: ["-c", "--command", "-e", "--execute", "-Q", "-q", "--query", "--eval"],
  input: true,
  files: ["-f", "--file", "-i", "--input-file", "--queries-file"],
};
const LISP: Interpreter = { language: "other", options: ["-c", "-e", "--eval", "--exec", "-r", "-eval"], input: true };
const OTHER: Interpreter = { language: "other", options: ["-e", "-E", "--eval", "--execute", "-eval", "--expr", "-c", "-r"], input: true };

export const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  python: PYTHON,
  pypy: PYTHON,
  ipython: PYTHON,
  node: JAVASCRIPT,
  nodejs: JAVASCRIPT,
  bun: { ...JAVASCRIPT, input: false },
  tsx: JAVASCRIPT,
  "ts-node": JAVASCRIPT,
  zx: JAVASCRIPT,
  deno: { language: "javascript", words: ["eval"] },
  perl: { language: "perl", options: ["-e", "-E"], input: true },
  ruby: { language: "ruby", options: ["-e"], input: true },
  php: { language: "php", options: ["-r", "-B", "-R", "-E"], input: true },
  lua: { language: "lua", options: ["-e"], input: true },
  luajit: { language: "lua", options: ["-e"], input: true },
  rscript: { language: "r", options: ["-e"] },
  r: { language: "r", options: ["-e"] },
  osascript: { language: "applescript", options: ["-e"], input: true },
  swift: { language: "other", options: ["-e"], input: true },
  julia: OTHER,
  elixir: OTHER,
  iex: OTHER,
  erl: OTHER,
  groovy: OTHER,
  kotlin: OTHER,
  scala: OTHER,
  jshell: OTHER,
  ghc: OTHER,
  irb: OTHER,
  pry: OTHER,
  octave: OTHER,
  gnuplot: OTHER,
  nim: OTHER,
  clojure: LISP,
  clj: LISP,
  bb: LISP,
  guile: LISP,
  racket: LISP,
  sbcl: LISP,
  emacs: { language: "other", options: ["--eval", "-eval", "--execute"] },
  tclsh: { language: "other", input: true },
  dc: { language: "other", options: ["-e", "--expression"], input: true },
  m4: { language: "other", input: true },
  rails: { language: "ruby", words: ["runner", "r"], asks: ["console", "c", "dbconsole", "db"], input: true },
  artisan: { language: "php", options: ["--execute"], asks: ["tinker"], input: true },
  "manage.py": { language: "python", options: ["-c", "--command"], asks: ["shell", "dbshell", "shell_plus"], input: true },
  awk: AWK,
  gawk: AWK,
  mawk: AWK,
  nawk: AWK,
  sed: SED,
  gsed: SED,
  psql: SQL,
  pgcli: SQL,
  usql: SQL,
  mysql: SQL,
  mycli: SQL,
  mariadb: SQL,
  litecli: { ...SQL, from: 1 },
  sqlcmd: SQL,
  cqlsh: SQL,
  snowsql: SQL,
  cockroach: SQL,
  clickhouse: SQL,
  "clickhouse-client": SQL,
  duckdb: { ...SQL, from: 1 },
  sqlite3: { language: "sql", from: 1, options: ["-cmd"], input: true },
  sqlite: { language: "sql", from: 1, options: ["-cmd"], input: true },
  mongosh: { language: "javascript", options: ["--eval"], input: true },
  mongo: { language: "javascript", options: ["--eval"], input: true },
  "redis-cli": { language: "redis", from: 0, input: true },
  "valkey-cli": { language: "redis", from: 0, input: true },
  bq: { language: "sql", words: ["query"] },
};
