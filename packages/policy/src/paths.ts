/** Paths as texts. Nothing here accesses the disk. */

/** An empty or dot segment anywhere except at the beginning of an absolute path. */
const UNTIDY = /(?:^|\/)\.{1,2}(?:\/|$)|\/\/|.\/$/;
const DRIVE = /^[A-Za-z]:[\\/]/;

export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || DRIVE.test(path) || path.startsWith("\\\\");
}

/** The absolute path with forward slashes, without `.` and `..`; undefined for a relative path if the folder is unknown. */
export function resolvePath(path: string, cwd: string | undefined): string | undefined {
  const windows = DRIVE.test(path) || path.startsWith("\\\\") || (!path.startsWith("/") && cwd !== undefined && DRIVE.test(cwd));
  const slashed = windows ? path.replaceAll("\\", "/") : path;
  if (isAbsolute(slashed)) return normalisePath(slashed);
  if (cwd === undefined) return undefined;
  return normalisePath(`${windows ? cwd.replaceAll("\\", "/") : cwd}/${slashed}`);
}

/** A path with an unknown beginning stays relative and may begin with `..`. */
export function normalisePath(path: string): string {
  if (path !== "" && !UNTIDY.test(path)) return path;
  const segments: string[] = [];
  const absolute = path.startsWith("/");
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    const last = segments.at(-1);
    if (segment !== ".." || (last === undefined && !absolute) || last === "..") segments.push(segment);
    else segments.pop();
  }
  const joined = segments.join("/");
  return absolute ? `/${joined}` : joined === "" ? "." : joined;
}

export function basename(path: string): string {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return at < 0 || at === path.length - 1 ? path : path.slice(at + 1);
}

export function isInside(path: string, folder: string): boolean {
  const base = folder.endsWith("/") ? folder.slice(0, -1) : folder;
  return path === base || path.startsWith(`${base}/`) || base === "";
}

/** The name of a program without its folder, in lowercase: on some disks `RM` is `rm`. */
export function programName(word: string): string {
  // In zsh `=rm` is the path of rm.
  const plain = word.length > 1 && word.startsWith("=") ? word.slice(1) : word;
  return basename(plain)
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat|com)$/, "");
}

/** A package without its version: `earshot@1.2.3` is `earshot`, `@scope/a@1` is `@scope/a`. */
export function withoutPackageVersion(name: string): string {
  const at = name.indexOf("@", Math.max(1, name.lastIndexOf("/") + 1));
  return at < 0 ? name : name.slice(0, at);
}
