/** Negative if the first is older, positive if newer. A prerelease (`1.2.0-rc.1`) is older than its release. */
export function compareVersions(first: string, second: string): number {
  const [a, b] = [parse(first), parse(second)];
  for (let index = 0; index < 3; index++) {
    const difference = (a.numbers[index] ?? 0) - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.suffix === b.suffix) return 0;
  if (a.suffix === "") return 1;
  if (b.suffix === "") return -1;
  return a.suffix.localeCompare(b.suffix, "en", { numeric: true });
}

function parse(version: string): { readonly numbers: readonly number[]; readonly suffix: string } {
  const [core = "", ...rest] = version.replace(/\+.*/s, "").split("-");
  return { numbers: core.split(".").map((part) => Number.parseInt(part, 10) || 0), suffix: rest.join("-") };
}
