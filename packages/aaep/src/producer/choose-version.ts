/**
 * The version that both can speak; undefined when there is none. Within one major version everything newer is only added, so
 * any of it will do: best the very one, else the newest that the other side knows, else the oldest there is.
 */
export function chooseVersion(asked: string, offered: readonly string[]): string | undefined {
  if (offered.includes(asked)) return asked;
  const wanted = partsOf(asked);
  const family = offered.filter((version) => partsOf(version)[0] === wanted[0] && wanted[0] !== 0).sort(byAge);
  return family.findLast((version) => compare(partsOf(version), wanted) <= 0) ?? family[0];
}

function byAge(one: string, other: string): number {
  return compare(partsOf(one), partsOf(other));
}

function compare(one: readonly number[], other: readonly number[]): number {
  return (one[0] ?? 0) - (other[0] ?? 0) || (one[1] ?? 0) - (other[1] ?? 0);
}

function partsOf(version: string): readonly number[] {
  return version.split("-", 1)[0]?.split(".").map(Number) ?? [];
}
