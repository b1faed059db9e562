/** Words that made this project's English hard to read, with what to write instead. */
const AVOIDED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bwhoever\b/i, "name the subject: the caller, the agent, a person"],
  [/\blately\b/i, "recently"],
  [/\bcounts once\b/i, "one-time"],
  [/\btold so\b/i, "say what is reported to whom"],
];
const OPENING = /^\s*(?:\/\/|\/\*\*?|\*)\s*(?:What|Who|Whose|Whoever|So many)\b/;
const OPENING_STRING = /["'`](?:Whoever|So many)\b/;
const BARE_CONSTANT = /\bconst (MOST|ENOUGH|FEW|LONG|LONGEST|SHORT|SOON|MUCH|ROOM|LITTLE)\b/;
const EXPORT = /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm;

/** One sentence per line of a source or document that breaks a rule of wording. */
export function findWordingFaults(path: string, text: string): readonly string[] {
  return text.split("\n").flatMap((line, index) => {
    const at = `${path}:${index + 1}`;
    const faults = AVOIDED.filter(([pattern]) => pattern.test(line)).map(([, instead]) => `${at}: ${instead}`);
    if (OPENING.test(line) || OPENING_STRING.test(line))
      faults.push(`${at}: begin with a thing in the code, not with What, Who or So many`);
    const bare = BARE_CONSTANT.exec(line)?.[1];
    if (bare !== undefined) faults.push(`${at}: name the noun and unit of ${bare}, as in MAX_OPEN_REQUESTS`);
    return faults;
  });
}

/** Names that several files export. */
export function findRepeatedExports(sources: ReadonlyMap<string, string>): readonly string[] {
  const exporters = new Map<string, number>();
  for (const source of sources.values())
    for (const name of new Set([...source.matchAll(EXPORT)].map(([, found = ""]) => found)))
      exporters.set(name, (exporters.get(name) ?? 0) + 1);
  return [...exporters]
    .filter(([, files]) => files > 1)
    .map(([name]) => name)
    .toSorted();
}
