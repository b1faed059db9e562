import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A container as a hook sees it: another root file system with only the mounted paths. */
export interface Container {
  readonly name: string;
  /** Why it is unavailable here; undefined if it is available. */
  readonly whyNot: () => string | undefined;
  /** Runs a script inside; every path is mounted at the same place. */
  readonly run: (script: string, input: string, mounts: readonly string[]) => Ran;
}

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc"].filter((path) => existsSync(path));
const ENVIRONMENT = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };

const namespace: Container = {
  name: "a mount namespace",
  whyNot: () => {
    const { status } = spawnSync("unshare", ["--mount", "--propagation", "private", "true"]);
    return status === 0 ? undefined : "this user may not make a mount namespace";
  },
  run(script, input, mounts) {
    return inRoot([...SYSTEM, "/dev", ...mounts], (root, folders) => {
      const bind = folders.map((path) => `mount --bind "${path}" "${root}${path}"`).join(" && ");
      const words = ["--mount", "--propagation", "private", "/bin/sh", "-c", `${bind} && exec chroot "${root}" /bin/sh -c "$0"`, script];
      return spawnSync("unshare", words, { input, encoding: "utf8", env: ENVIRONMENT });
    });
  },
};

/** Default options, then options for environments that cannot set limits or create cgroups. */
const PODMAN_OPTIONS: readonly (readonly string[])[] = [
  [],
  ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1000:1000", "--runtime", "runc"],
];

function podman(
  options: readonly string[],
  script: string,
  { input, mounts }: { readonly input: string; readonly mounts: readonly string[] },
): Ran {
  return inRoot([...SYSTEM, ...mounts], (root, folders) => {
    const volumes = folders.flatMap((path) => ["-v", `${path}:${path}${mounts.includes(path) ? "" : ":ro"}`]);
    const words = ["--cgroup-manager=cgroupfs", "--log-level=error", "run", "--rm", "-i", "--network", "none", ...options, ...volumes];
    return spawnSync("podman", [...words, "--rootfs", root, "/bin/sh", "-c", script], {
      input,
      encoding: "utf8",
      env: { ...ENVIRONMENT, HOME: root },
    });
  });
}

let working: readonly string[] | undefined;

const withPodman: Container = {
  name: "a container of Podman",
  whyNot: () => {
    if (spawnSync("podman", ["--version"]).error !== undefined) return "there is no podman";
    working = PODMAN_OPTIONS.find((options) => podman(options, "true", { input: "", mounts: [] }).status === 0);
    return working === undefined ? "podman can start no container" : undefined;
  },
  run: (script, input, mounts) => podman(working ?? [], script, { input, mounts }),
};

export const CONTAINERS: readonly Container[] = [namespace, withPodman];

function inRoot<Value>(folders: readonly string[], use: (root: string, folders: readonly string[]) => Value): Value {
  const root = mkdtempSync(join(tmpdir(), "es-root-"));
  try {
    for (const path of [...folders, "/tmp", "/proc", "/sys", "/dev", "/run"]) {
      const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
      mkdirSync(join(root, isFile ? dirname(path) : path), { recursive: true });
      if (isFile) writeFileSync(join(root, path), "");
    }
    return use(root, folders);
  } finally {
    // Mounts end with the namespace. If one remained, removing the folder would delete through it.
    if (!readFileSync("/proc/mounts", "utf8").includes(root)) rmSync(root, { recursive: true, force: true });
  }
}
