/** Shortens a path: `/home/ana/.earshot/policy.yaml` is `~/.earshot/policy.yaml`. */
export function homePath(path: string, home: string | undefined): string {
  const folder = home?.replace(/(?<![\\/])[\\/]+$/, "") ?? "";
  if (folder === "" || !path.startsWith(folder)) return path;
  const rest = path.slice(folder.length);
  return rest === "" || /^[\\/]/.test(rest) ? `~${rest}` : path;
}
