/** Compares a recording with the events sent: empty if each event is in it once, in order, unchanged. */
export function compare(recorded: readonly string[], said: readonly string[]): readonly string[] {
  const wrong: string[] = [];
  const count = new Map<string, number>();
  for (const line of recorded) count.set(line, (count.get(line) ?? 0) + 1);
  for (const text of said) if (!count.has(text)) wrong.push(`missing: ${text.slice(0, 200)}`);
  const known = new Set(said);
  for (const [line, howOften] of count) {
    if (howOften > 1) wrong.push(`${howOften} times: ${line.slice(0, 200)}`);
    if (!known.has(line)) wrong.push(`never said: ${line.slice(0, 200)}`);
  }
  if (wrong.length === 0 && recorded.join("\n") !== said.join("\n")) wrong.push("in another order");
  return wrong.slice(0, 20);
}
