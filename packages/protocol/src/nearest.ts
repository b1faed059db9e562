/** The known names closest to the input, best first, at most three. */
export function nearest(typed: string, known: readonly string[]): string[] {
  const wanted = typed.toLowerCase();
  return known
    .map((name) => ({ name, distance: score(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(2, name.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

function score(typed: string, name: string): number {
  if (typed.length >= 4 && name.includes(typed)) return 0.5;
  return editDistance(typed, name);
}

function editDistance(a: string, b: string): number {
  if (a.length > 200) return Number.POSITIVE_INFINITY;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const change = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(change, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
