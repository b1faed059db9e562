import type { OptionTable } from "./options.ts";
import type { WrapperKind } from "./shell-command.ts";

/** Programs that start the program after their options. */
export interface PrefixWrapper extends OptionTable {
  readonly kind: WrapperKind;
  /** Words that must stand between the name and the options: `uv run`. One of each list. */
  readonly after?: readonly (readonly string[])[];
  /** Operands before the program: the time of `timeout`, the host of `ssh`. */
  readonly skip?: number;
  /** `NAME=value` words before the program. */
  readonly assignments?: boolean;
  /** Options whose value is a shell text that runs instead. */
  readonly texts?: readonly string[];
  /** The words after the operands are joined and read by a shell. */
  readonly joined?: boolean;
  /** Options may stand between and after the operands, and none of these is a program. */
  readonly scattered?: boolean;
  /** Options that make it start a shell, or read the words with one. */
  readonly shells?: readonly string[];
  /** Options with which it only tells something. */
  readonly tells?: readonly string[];
  /** What runs when there is no program. */
  readonly alone?: "nothing" | "shell" | "itself";
}

const CONTAINER_EXEC: PrefixWrapper = {
  kind: "elsewhere",
  flags: "itdT",
  values: "euwnc",
  long: ["--interactive", "--tty", "--detach", "--privileged", "--no-TTY", "--stdin", "--quiet"],
  longValues: ["--env", "--user", "--workdir", "--env-file", "--detach-keys", "--container", "--namespace", "--index", "--context"],
  skip: 1,
};

const SU: PrefixWrapper = {
  kind: "privileged",
  flags: "lmpfP",
  values: "csgGw",
  long: ["--login", "--preserve-environment", "--fast", "--pty"],
  longValues: ["--command", "--shell", "--group", "--supp-group", "--whitelist-environment"],
  texts: ["-c", "--command", "--session-command"],
  alone: "shell",
};

const PACKAGE_RUNNER: PrefixWrapper = {
  kind: "runner",
  flags: "yq",
  values: "pcw",
  long: ["--yes", "--no", "--no-install", "--quiet", "--silent", "--ignore-existing", "--workspaces", "--bun"],
  longValues: ["--package", "--call", "--workspace"],
  texts: ["-c", "--call"],
};

/** One name may have several forms: the first whose `after` fits counts. */
export const PREFIX_WRAPPERS: Readonly<Record<string, readonly PrefixWrapper[]>> = {
  sudo: [
    {
      kind: "privileged",
      flags: "AbBEHikKlnNPsSvV",
      values: "CDghprRtTuU",
      long: [
        "--askpass",
        "--background",
        "--bell",
        "--preserve-env",
        "--set-home",
        "--login",
        "--list",
        "--non-interactive",
        "--no-update",
        "--preserve-groups",
        "--shell",
        "--stdin",
        "--validate",
        "--reset-timestamp",
        "--remove-timestamp",
        "--version",
        "--help",
      ],
      longValues: [
        "--user",
        "--group",
        "--host",
        "--prompt",
        "--close-from",
        "--chdir",
        "--chroot",
        "--role",
        "--type",
        "--command-timeout",
        "--other-user",
      ],
      assignments: true,
      shells: ["-s", "-i", "--shell", "--login"],
      tells: ["-l", "--list", "-v", "--validate", "-k", "-K", "-V", "--version", "--help", "--reset-timestamp", "--remove-timestamp"],
      alone: "itself",
    },
  ],
  doas: [{ kind: "privileged", flags: "nsL", values: "uCa", shells: ["-s"], alone: "itself" }],
  pkexec: [{ kind: "privileged", long: ["--disable-internal-agent", "--keep-cwd"], longValues: ["--user"], alone: "shell" }],
  run0: [{ kind: "privileged", longValues: ["--user", "--group", "--chdir"], alone: "shell" }],
  su: [{ ...SU, scattered: true }],
  runuser: [{ ...SU, values: "cugGsw", scattered: true }],
  sg: [{ kind: "privileged", skip: 1, values: "c", texts: ["-c"], alone: "shell" }],
  chroot: [{ kind: "elsewhere", longValues: ["--userspec", "--groups"], long: ["--skip-chdir"], skip: 1, alone: "shell" }],
  env: [
    {
      kind: "transparent",
      flags: "i0v",
      values: "uCSP",
      long: [
        "--ignore-environment",
        "--null",
        "--debug",
        "--block-signal",
        "--default-signal",
        "--ignore-signal",
        "--list-signal-handling",
      ],
      longValues: ["--unset", "--chdir", "--split-string", "--argv0"],
      assignments: true,
      texts: ["-S", "--split-string"],
      alone: "itself",
    },
  ],
  nohup: [{ kind: "transparent" }],
  nice: [{ kind: "transparent", values: "n", longValues: ["--adjustment"], numbers: true, alone: "itself" }],
  ionice: [
    { kind: "transparent", flags: "t", values: "cnpPu", long: ["--ignore"], longValues: ["--class", "--classdata"], alone: "itself" },
  ],
  time: [
    {
      kind: "transparent",
      flags: "apvlh",
      values: "fo",
      long: ["--append", "--portability", "--verbose", "--quiet"],
      longValues: ["--format", "--output"],
    },
  ],
  gtime: [{ kind: "transparent", flags: "apv", values: "fo" }],
  timeout: [
    {
      kind: "transparent",
      flags: "vfp",
      values: "ks",
      long: ["--foreground", "--preserve-status", "--verbose"],
      longValues: ["--kill-after", "--signal"],
      skip: 1,
    },
  ],
  gtimeout: [{ kind: "transparent", flags: "v", values: "ks", longValues: ["--kill-after", "--signal"], skip: 1 }],
  stdbuf: [{ kind: "transparent", values: "ioe", longValues: ["--input", "--output", "--error"] }],
  unbuffer: [{ kind: "transparent", flags: "p" }],
  setsid: [{ kind: "transparent", flags: "cfw", long: ["--ctty", "--fork", "--wait"] }],
  chronic: [{ kind: "transparent", flags: "ve" }],
  caffeinate: [{ kind: "transparent", flags: "dimsu", values: "tw", alone: "itself" }],
  taskset: [{ kind: "transparent", flags: "ac", long: ["--all-tasks", "--cpu-list"], skip: 1 }],
  chrt: [
    {
      kind: "transparent",
      flags: "abfiorRmv",
      values: "TPD",
      long: ["--batch", "--fifo", "--idle", "--other", "--rr"],
      skip: 1,
      alone: "itself",
    },
  ],
  strace: [{ kind: "transparent", flags: "cCdfFhiknqrtTvVwxyYzZ", values: "aAbeEIoOpPsSuUX", alone: "itself" }],
  ltrace: [{ kind: "transparent", flags: "bcCfhilLrStTVw", values: "aAdDeFnopsux", alone: "itself" }],
  command: [{ kind: "transparent", flags: "pvV", tells: ["-v", "-V"], alone: "itself" }],
  builtin: [{ kind: "transparent", alone: "itself" }],
  exec: [{ kind: "transparent", flags: "cl", values: "a", alone: "itself" }],
  // What zsh reads before a command, and bash takes for a program.
  noglob: [{ kind: "transparent" }],
  nocorrect: [{ kind: "transparent" }],
  repeat: [{ kind: "transparent", skip: 1 }],
  busybox: [{ kind: "transparent", long: ["--list", "--help"], tells: ["--list", "--help"], alone: "itself" }],
  toybox: [{ kind: "transparent", alone: "itself" }],
  "cross-env": [{ kind: "transparent", assignments: true }],
  "cross-env-shell": [{ kind: "transparent", assignments: true, joined: true }],
  dotenv: [{ kind: "runner", flags: "o", values: "efpcv" }],
  "xvfb-run": [
    { kind: "transparent", flags: "a", values: "efnps", long: ["--auto-servernum"], longValues: ["--server-args", "--server-num"] },
  ],
  "dbus-run-session": [{ kind: "transparent", longValues: ["--config-file"] }],
  watch: [
    {
      kind: "transparent",
      flags: "bcdegptvwx",
      values: "nq",
      long: ["--beep", "--color", "--differences", "--errexit", "--chgexit", "--precise", "--no-title", "--exec"],
      longValues: ["--interval"],
      joined: true,
    },
  ],
  ssh: [
    {
      kind: "elsewhere",
      flags: "46AaCfGgKkMNnqsTtVvXxYy",
      values: "BbcDEeFIiJLlmOopPQRSWw",
      skip: 1,
      joined: true,
      alone: "shell",
    },
  ],
  flock: [
    {
      kind: "transparent",
      flags: "seoxnuFv",
      values: "wEc",
      long: ["--shared", "--exclusive", "--nonblock", "--unlock", "--close", "--no-fork", "--verbose"],
      longValues: ["--wait", "--timeout", "--conflict-exit-code", "--command"],
      texts: ["-c", "--command"],
      skip: 1,
      alone: "itself",
    },
  ],
  script: [
    {
      kind: "transparent",
      flags: "aefq",
      values: "cEmo",
      long: ["--append", "--return", "--flush", "--quiet", "--force"],
      longValues: ["--command", "--log-io", "--log-out", "--log-in"],
      texts: ["-c", "--command"],
      skip: 1,
      alone: "shell",
    },
  ],
  docker: [
    { ...CONTAINER_EXEC, after: [["exec"]] },
    { ...CONTAINER_EXEC, after: [["container"], ["exec"]] },
    { ...CONTAINER_EXEC, after: [["compose"], ["exec"]] },
  ],
  podman: [{ ...CONTAINER_EXEC, after: [["exec"]] }],
  nerdctl: [{ ...CONTAINER_EXEC, after: [["exec"]] }],
  "docker-compose": [{ ...CONTAINER_EXEC, after: [["exec"]] }],
  kubectl: [{ ...CONTAINER_EXEC, after: [["exec"]] }],
  oc: [{ ...CONTAINER_EXEC, after: [["exec", "rsh"]] }],
  npx: [{ ...PACKAGE_RUNNER }],
  bunx: [{ ...PACKAGE_RUNNER }],
  pnpx: [{ ...PACKAGE_RUNNER }],
  uvx: [{ ...PACKAGE_RUNNER, values: "p", longValues: ["--from", "--with", "--python"], texts: [] }],
  npm: [{ ...PACKAGE_RUNNER, after: [["exec", "x"]] }],
  pnpm: [{ ...PACKAGE_RUNNER, after: [["exec", "dlx"]], flags: "cr", values: "", texts: [] }],
  yarn: [{ ...PACKAGE_RUNNER, after: [["exec", "dlx"]], flags: "q", values: "p", texts: [] }],
  bun: [{ ...PACKAGE_RUNNER, after: [["x"]] }],
  uv: [
    {
      kind: "runner",
      after: [["run"]],
      flags: "qv",
      values: "p",
      long: ["--frozen", "--locked", "--no-sync", "--isolated", "--quiet", "--no-project", "--all-extras", "--dev"],
      longValues: ["--with", "--python", "--extra", "--group", "--project", "--directory", "--env-file"],
    },
  ],
  poetry: [{ kind: "runner", after: [["run"]] }],
  pipenv: [{ kind: "runner", after: [["run"]] }],
  pipx: [{ kind: "runner", after: [["run"]], longValues: ["--spec", "--python"] }],
  hatch: [{ kind: "runner", after: [["run"]] }],
  rye: [{ kind: "runner", after: [["run"]] }],
  bundle: [{ kind: "runner", after: [["exec"]], long: ["--keep-file-descriptors"] }],
  mise: [{ kind: "runner", after: [["exec", "x"]], longValues: ["--cd"] }],
  direnv: [{ kind: "runner", after: [["exec"]], skip: 1 }],
};
