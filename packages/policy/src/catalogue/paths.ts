import type { Access } from "../asked.ts";
import { expandNames } from "./expand-names.ts";
import paths from "./paths.json" with { type: "json" };

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

export const PROGRAM_PATHS = expandNames(paths.programs) as Readonly<Record<string, ProgramPaths>>;

/** Subcommands of git that only look, with the options that make them do more. */
export const GIT_LOOKS: Readonly<Record<string, readonly string[]>> = paths.gitLooks;

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
