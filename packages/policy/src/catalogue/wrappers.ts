import type { WrapperKind } from "../shell/shell-command.ts";

/** A program that starts the program after its options. Lists are texts: letters, or words with spaces between them. */
export interface PrefixWrapper {
  readonly kind: WrapperKind;
  /** Words that stand between the name and the options, with `|` between those of which one is enough: `compose exec|run`. */
  readonly after?: string;
  /** One letter each, without a value; and with one: attached, or the next word. */
  readonly flags?: string;
  readonly values?: string;
  /** Long names without a value, or with one after `=`; and those whose value may be the next word. */
  readonly long?: string;
  readonly longValues?: string;
  /** `-10` is an option. */
  readonly numbers?: boolean;
  /** Operands before the program: the time of `timeout`, the host of `ssh`. */
  readonly skip?: number;
  /** `NAME=value` words before the program. */
  readonly assignments?: boolean;
  /** Options whose value is a shell text that runs instead. */
  readonly texts?: string;
  /** The words after the operands are joined and read by a shell. */
  readonly joined?: boolean;
  /** Options may stand between and after the operands, and none of these is a program. */
  readonly scattered?: boolean;
  /** Options that make it start a shell, or read the words with one. */
  readonly shells?: string;
  /** Options with which it only tells something. */
  readonly tells?: string;
  /** What runs when there is no program. */
  readonly alone?: "nothing" | "shell" | "itself";
}

const CONTAINER_EXEC: PrefixWrapper = {
  kind: "elsewhere",
  flags: "itdT",
  values: "euwnc",
  long: "--interactive --tty --detach --privileged --no-TTY --stdin --quiet",
  longValues: "--env --user --workdir --env-file --detach-keys --container --namespace --index --context",
  skip: 1,
};

const CONTAINER_RUN: PrefixWrapper = {
  kind: "elsewhere",
  flags: "itdPqTb",
  values: "evwpuhlmca",
  long: "--rm --interactive --tty --detach --privileged --init --read-only --no-deps --quiet --publish-all --service-ports --build --use-aliases --remove-orphans --no-TTY",
  longValues:
    "--name --env --env-file --volume --workdir --publish --network --net --user --entrypoint --memory --cpus --label --mount --platform --restart --hostname --add-host --gpus --ipc --pid --shm-size --tmpfs --ulimit --volumes-from --link --log-driver --log-opt --dns --expose --cap-add --cap-drop --security-opt --device --pull --userns --uts --memory-swap --cidfile --stop-signal --health-cmd --group-add --sysctl --runtime --annotation --profile --project-directory --index --network-alias --cpuset-cpus --ip",
  skip: 1,
  alone: "itself",
};

const SU: PrefixWrapper = {
  kind: "privileged",
  flags: "lmpfP",
  values: "csgGw",
  long: "--login --preserve-environment --fast --pty",
  longValues: "--command --shell --group --supp-group --whitelist-environment",
  texts: "-c --command --session-command",
  alone: "shell",
};

const PACKAGE_RUNNER: PrefixWrapper = {
  kind: "runner",
  flags: "yq",
  values: "pcw",
  long: "--yes --no --no-install --quiet --silent --ignore-existing --workspaces --bun",
  longValues: "--package --call --workspace",
  texts: "-c --call",
};

const RUN: PrefixWrapper = { kind: "runner", after: "run" };

/** One name may have several forms: the first whose `after` fits counts. */
export const PREFIX_WRAPPERS: Readonly<Record<string, readonly PrefixWrapper[]>> = {
  sudo: [
    {
      kind: "privileged",
      flags: "AbBEHikKlnNPsSvVe",
      values: "CDghprRtTuU",
      long: "--askpass --background --bell --preserve-env --set-home --login --list --non-interactive --no-update --preserve-groups --shell --stdin --validate --reset-timestamp --remove-timestamp --version --help --edit",
      longValues: "--user --group --host --prompt --close-from --chdir --chroot --role --type --command-timeout --other-user",
      assignments: true,
      shells: "-s -i --shell --login",
      tells: "-l --list -v --validate -k -K -V --version --help --reset-timestamp --remove-timestamp -e --edit",
      alone: "itself",
    },
  ],
  doas: [{ kind: "privileged", flags: "nsL", values: "uCa", shells: "-s", alone: "itself" }],
  pkexec: [{ kind: "privileged", long: "--disable-internal-agent --keep-cwd", longValues: "--user", alone: "shell" }],
  run0: [{ kind: "privileged", longValues: "--user --group --chdir", alone: "shell" }],
  su: [{ ...SU, scattered: true }],
  runuser: [{ ...SU, values: "cugGsw", scattered: true }],
  sg: [{ kind: "privileged", skip: 1, values: "c", texts: "-c", alone: "shell" }],
  newgrp: [{ kind: "privileged", skip: 1, alone: "shell" }],
  chroot: [{ kind: "elsewhere", longValues: "--userspec --groups", long: "--skip-chdir", skip: 1, alone: "shell" }],
  env: [
    {
      kind: "transparent",
      flags: "i0v",
      values: "uCSP",
      long: "--ignore-environment --null --debug --block-signal --default-signal --ignore-signal --list-signal-handling",
      longValues: "--unset --chdir --split-string --argv0",
      assignments: true,
      texts: "-S --split-string",
      alone: "itself",
    },
  ],
  nohup: [{ kind: "transparent" }],
  nice: [{ kind: "transparent", values: "n", longValues: "--adjustment", numbers: true, alone: "itself" }],
  ionice: [{ kind: "transparent", flags: "t", values: "cnpPu", long: "--ignore", longValues: "--class --classdata", alone: "itself" }],
  time: [
    {
      kind: "transparent",
      flags: "apvlh",
      values: "fo",
      long: "--append --portability --verbose --quiet",
      longValues: "--format --output",
    },
  ],
  gtime: [{ kind: "transparent", flags: "apv", values: "fo" }],
  timeout: [
    {
      kind: "transparent",
      flags: "vfp",
      values: "ks",
      long: "--foreground --preserve-status --verbose",
      longValues: "--kill-after --signal",
      skip: 1,
    },
  ],
  gtimeout: [{ kind: "transparent", flags: "v", values: "ks", longValues: "--kill-after --signal", skip: 1 }],
  stdbuf: [{ kind: "transparent", values: "ioe", longValues: "--input --output --error" }],
  unbuffer: [{ kind: "transparent", flags: "p" }],
  setsid: [{ kind: "transparent", flags: "cfw", long: "--ctty --fork --wait" }],
  chronic: [{ kind: "transparent", flags: "ve" }],
  caffeinate: [{ kind: "transparent", flags: "dimsu", values: "tw", alone: "itself" }],
  taskset: [{ kind: "transparent", flags: "ac", long: "--all-tasks --cpu-list", skip: 1 }],
  chrt: [
    {
      kind: "transparent",
      flags: "abfiorRmv",
      values: "TPD",
      long: "--batch --fifo --idle --other --rr",
      skip: 1,
      alone: "itself",
    },
  ],
  strace: [{ kind: "transparent", flags: "cCdfFhiknqrtTvVwxyYzZ", values: "aAbeEIoOpPsSuUX", longValues: "--output", alone: "itself" }],
  ltrace: [{ kind: "transparent", flags: "bcCfhilLrStTVw", values: "aAdDeFnopsux", longValues: "--output", alone: "itself" }],
  command: [{ kind: "transparent", flags: "pvV", tells: "-v -V", alone: "itself" }],
  builtin: [{ kind: "transparent", alone: "itself" }],
  exec: [{ kind: "transparent", flags: "cl", values: "a", alone: "itself" }],
  // Precommand modifiers in zsh, program names in bash.
  noglob: [{ kind: "transparent" }],
  nocorrect: [{ kind: "transparent" }],
  repeat: [{ kind: "transparent", skip: 1 }],
  busybox: [{ kind: "transparent", long: "--list --help", tells: "--list --help", alone: "itself" }],
  toybox: [{ kind: "transparent", alone: "itself" }],
  "cross-env": [{ kind: "transparent", assignments: true }],
  "cross-env-shell": [{ kind: "transparent", assignments: true, joined: true }],
  dotenv: [{ kind: "runner", flags: "o", values: "efpcv" }],
  "xvfb-run": [{ kind: "transparent", flags: "a", values: "efnps", long: "--auto-servernum", longValues: "--server-args --server-num" }],
  "dbus-run-session": [{ kind: "transparent", longValues: "--config-file" }],
  watch: [
    {
      kind: "transparent",
      flags: "bcdegptvwx",
      values: "nq",
      long: "--beep --color --differences --errexit --chgexit --precise --no-title --exec",
      longValues: "--interval",
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
      long: "--shared --exclusive --nonblock --unlock --close --no-fork --verbose",
      longValues: "--wait --timeout --conflict-exit-code --command",
      texts: "-c --command",
      skip: 1,
      alone: "itself",
    },
  ],
  script: [
    {
      kind: "transparent",
      flags: "aefq",
      values: "cEmo",
      long: "--append --return --flush --quiet --force",
      longValues: "--command --log-io --log-out --log-in",
      texts: "-c --command",
      skip: 1,
      alone: "shell",
    },
  ],
  docker: [
    { ...CONTAINER_EXEC, after: "exec" },
    { ...CONTAINER_EXEC, after: "container|compose exec" },
    { ...CONTAINER_RUN, after: "run|create" },
    { ...CONTAINER_RUN, after: "container|compose run|create" },
  ],
  podman: [
    { ...CONTAINER_EXEC, after: "exec" },
    { ...CONTAINER_RUN, after: "run|create" },
  ],
  nerdctl: [
    { ...CONTAINER_EXEC, after: "exec" },
    { ...CONTAINER_RUN, after: "run|create" },
  ],
  "docker-compose": [
    { ...CONTAINER_EXEC, after: "exec" },
    { ...CONTAINER_RUN, after: "run" },
  ],
  kubectl: [{ ...CONTAINER_EXEC, after: "exec" }],
  k: [{ ...CONTAINER_EXEC, after: "exec" }],
  oc: [{ ...CONTAINER_EXEC, after: "exec|rsh" }],
  npx: [{ ...PACKAGE_RUNNER }],
  bunx: [{ ...PACKAGE_RUNNER }],
  pnpx: [{ ...PACKAGE_RUNNER }],
  uvx: [{ ...PACKAGE_RUNNER, values: "p", longValues: "--from --with --python", texts: "" }],
  npm: [{ ...PACKAGE_RUNNER, after: "exec|x" }],
  pnpm: [{ ...PACKAGE_RUNNER, after: "exec|dlx", flags: "cr", values: "", texts: "" }],
  yarn: [{ ...PACKAGE_RUNNER, after: "exec|dlx", flags: "q", values: "p", texts: "" }],
  bun: [{ ...PACKAGE_RUNNER, after: "x" }],
  uv: [
    {
      ...RUN,
      flags: "qv",
      values: "p",
      long: "--frozen --locked --no-sync --isolated --quiet --no-project --all-extras --dev",
      longValues: "--with --python --extra --group --project --directory --env-file",
    },
  ],
  poetry: [RUN],
  pipenv: [RUN],
  pipx: [{ ...RUN, longValues: "--spec --python" }],
  hatch: [RUN],
  rye: [RUN],
  pdm: [RUN],
  bundle: [{ kind: "runner", after: "exec", long: "--keep-file-descriptors" }],
  mise: [{ kind: "runner", after: "exec|x", longValues: "--cd" }],
  direnv: [{ kind: "runner", after: "exec", skip: 1 }],
};

/** Programs that start other programs in ways that are not parsed here. */
export const OPAQUE_WRAPPERS: Readonly<Record<string, string>> = {
  parallel: "starts commands built from other input",
  bwrap: "starts a program in a sandbox of its own",
  firejail: "starts a program in a sandbox of its own",
  unshare: "starts a program in other namespaces",
  nsenter: "starts a program in other namespaces",
  "systemd-run": "has systemd start a program",
  setpriv: "starts a program with other rights",
  capsh: "starts a program with other rights",
  proot: "starts a program under another root",
  fakechroot: "starts a program under another root",
  "start-stop-daemon": "starts a program in the background",
  daemonize: "starts a program in the background",
  entr: "starts a program whenever files change",
  expect: "runs a script that types into programs",
  at: "runs commands later",
  batch: "runs commands later",
  screen: "starts programs in another terminal",
  dtach: "starts programs in another terminal",
};

/** Programs of which an option's value is a command line. */
export const OPTION_TEXTS: Readonly<Record<string, string>> = {
  rsync: "-e --rsh --rsync-path",
  tar: "--to-command --use-compress-program -I --rsh-command --rmt-command --checkpoint-action --info-script -F",
  bsdtar: "--use-compress-program",
  go: "-exec -toolexec -vettool",
  man: "-P --pager -H",
  bat: "--pager",
  batcat: "--pager",
  delta: "--pager",
  rg: "--pre --hostname-bin",
  sort: "--compress-program",
  scp: "-S",
  sftp: "-S",
  git: "--upload-pack --receive-pack --exec -x --extcmd --tree-filter --index-filter --msg-filter --env-filter",
  zip: "-TT --unzip-command",
  split: "--filter",
  tcpdump: "-z",
  mysql: "--pager",
  mapfile: "-C",
  readarray: "-C",
  complete: "-C",
  ctest: "--build-makeprogram",
  nix: "--command -c",
  "nix-shell": "--run --command",
  vagrant: "-c --command",
  fly: "-C --command",
  cargo: "-s --shell",
  nodemon: "--exec -x",
  watchexec: "--shell",
};

/** Options before the subcommand whose value is the next word. */
export const GLOBAL_VALUES: Readonly<Record<string, string>> = {
  git: "-C -c --git-dir --work-tree --namespace --config-env --super-prefix --attr-source",
  docker: "-H --host -c --context --config -l --log-level -f --file -p --project-name --profile --env-file --project-directory",
  podman: "--connection -c --url --log-level --root",
  "docker-compose": "-f --file -p --project-name --profile --env-file --project-directory",
  kubectl: "-n --namespace --context --kubeconfig --cluster --user -s --server --as --as-group -v --token --request-timeout",
  oc: "-n --namespace --context --kubeconfig",
  helm: "-n --namespace --kube-context --kubeconfig",
  terraform: "",
  tofu: "",
  npm: "--prefix -C -w --workspace --registry --loglevel --userconfig --otp --tag",
  pnpm: "-C --dir -F --filter",
  yarn: "--cwd",
  cargo: "--config -C -Z --color --manifest-path",
  go: "-C",
  aws: "--profile --region --output --endpoint-url --query --ca-bundle --cli-read-timeout",
  gcloud: "--project --account --configuration --format --verbosity",
  az: "--subscription --output -o --query",
  gh: "-R --repo",
  systemctl: "-H --host -M --machine -t --type -n --lines -o --output",
  heroku: "-a --app",
  fly: "-a --app -c --config -t",
  flyctl: "-a --app -c --config -t",
  make: "-C --directory -f --file --makefile -I -j -l -o -W",
};

/** Other programs whose first word is a subcommand. */
export const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set(
  "apt apt-get brew bun bundle composer conda deno dotnet earshot gradle hg just mvn pip pip3 pipenv poetry pulumi rails rake rustup svn swift task turbo uv vagrant vercel wrangler".split(
    " ",
  ),
);
