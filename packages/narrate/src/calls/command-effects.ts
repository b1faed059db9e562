/** The effect of a shell command, judged by its name. */
export type CommandEffect = keyof typeof EFFECTS;

/** By program, or program and subcommand: the longest match counts. `npm/yarn add/remove` stands for all four combinations. */
const EFFECTS = {
  "remove-folder": "rmdir,git clean",
  destroy: "terraform destroy,kubectl delete,docker system/volume,helm uninstall,mkfs,dd,shred,dropdb",
  discard: "git reset/restore,git checkout --/.",
  "force-push": "",
  publish: "npm/yarn/pnpm/cargo/poetry/uv publish,gem/docker push",
  deploy: "terraform/kubectl apply,helm install/upgrade,vercel,fly/firebase/serverless deploy",
  push: "git push",
  permissions: "chmod,chown,chgrp,icacls",
  kill: "kill,pkill,killall,taskkill",
  "remove-file": "rm,unlink,del,remove-item,git rm",
  connect: "ssh,nc,sftp",
  database: "psql,mysql,sqlite3,mongosh,redis-cli,prisma",
  "pull-request": "gh pr,glab mr",
  commit: "git commit",
  uninstall: "npm/yarn/pnpm/bun/cargo/apt/apt-get/poetry/uv remove,npm/pnpm/pip/pip3/brew uninstall",
  install:
    "npm/pnpm i/ci,npm/yarn/pnpm/bun/cargo/poetry/uv/apk/dotnet add,npm/yarn/pnpm/bun/pip/pip3/cargo/apt/apt-get/dnf/yum/brew/go/gem/bundle/composer/poetry install,yarn,go get/mod,bundle,uv sync/pip",
  rebase: "git rebase",
  merge: "git merge/cherry-pick",
  pull: "git pull/fetch",
  clone: "git clone",
  switch: "git checkout/switch/branch/worktree",
  stash: "git stash",
  stage: "git add",
  tag: "git tag",
  test: "npm/yarn/pnpm/bun/deno/cargo/go/make/mvn/gradle/gradlew/dotnet/mix/swift/rake/zig/flutter test,npm t,npm run test,pytest,vitest,jest,mocha,playwright,cypress,phpunit,rspec,tox,make check,mvn verify,node --test,python/python3 -m pytest/unittest",
  typecheck: "tsc,mypy,pyright,npm run typecheck/types,cargo check,vue-tsc",
  lint: "eslint,biome,ruff,flake8,npm run lint,go vet,cargo clippy,shellcheck,oxlint",
  format: "prettier,biome/ruff format,black,gofmt,go/cargo fmt,npm run format",
  build:
    "npm/bun run build,yarn/pnpm/cargo/go/dotnet/vite/swift/zig/next/flutter build,make,cmake,mvn,gradle,gradlew,webpack,rollup,esbuild,gcc,g++,clang,rustc,javac,xcodebuild",
  image: "docker/podman build",
  container: "docker,podman,docker-compose,kubectl,helm",
  script: "npm/yarn/pnpm/bun run,npm/yarn/pnpm start,deno task,just,rake",
  "run-file": "node,deno,bun,python,python3,ruby,php,perl,bash,sh,zsh,tsx,ts-node,java,go/cargo/dotnet/uv/poetry run,source,.",
  download: "curl,wget,http,scp,rsync",
  archive: "tar,zip,unzip,gzip",
  move: "mv,git mv",
  copy: "cp,ln",
  "make-folder": "mkdir",
  create: "touch,tee",
  search: "grep,rg,ag,find,fd,git grep,which",
  read: "cat,head,tail,less,more,sed,awk,jq,wc,type,file,stat,sort,diff",
  list: "ls,tree,dir,du,df",
  look: "git,gh,ps,env,whoami,uname,date,printenv",
  wait: "sleep,wait",
  print: "echo,printf,true,:",
  go: "cd,pushd,popd,export,set,for,while,until,if,fi,done,case,esac,{,}",
  run: "",
} as const satisfies Readonly<Record<string, string>>;

/** Harmful effects are named first, in the order of the table. */
const ORDER: readonly CommandEffect[] = Object.keys(EFFECTS).filter(isEffect);

const BY_NAME: ReadonlyMap<string, CommandEffect> = new Map(
  ORDER.flatMap((effect) =>
    EFFECTS[effect].split(",").flatMap((name) => expand(name).map((one): [string, CommandEffect] => [one, effect])),
  ),
);

function expand(name: string): readonly string[] {
  return name
    .split(" ")
    .reduce<readonly string[]>(
      (before, word) => before.flatMap((one) => word.split("/").map((each) => (one === "" ? each : `${one} ${each}`))),
      [""],
    );
}

/** The effect of the first known name. */
export function effectNamed(...names: readonly string[]): CommandEffect {
  for (const name of names) {
    const effect = BY_NAME.get(name);
    if (effect !== undefined) return effect;
  }
  return "run";
}

/** Orders effects by harm. */
export function byHarm(one: CommandEffect, other: CommandEffect): number {
  return ORDER.indexOf(one) - ORDER.indexOf(other);
}

function isEffect(name: string): name is CommandEffect {
  return Object.hasOwn(EFFECTS, name);
}
