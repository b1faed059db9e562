import { spawnSync } from "node:child_process";

/** Refuses commits whose subject is longer than this. Commits before this check are not judged. */
const MAX_SUBJECT_CHARACTERS = 72;

const git = (...words: readonly string[]) => spawnSync("git", words, { cwd: import.meta.dirname, encoding: "utf8" }).stdout?.trim() ?? "";
const [added] = git("log", "--diff-filter=A", "--format=%H", "--", "commit-subjects.ts").split("\n").toReversed();
const subjects = added ? git("log", "--format=%h %s", `${added}..HEAD`).split("\n") : [];
for (const line of subjects) {
  const subject = line.slice(line.indexOf(" ") + 1);
  if (subject.length <= MAX_SUBJECT_CHARACTERS) continue;
  console.log(`${line}\n  The subject has ${subject.length} characters; the limit is ${MAX_SUBJECT_CHARACTERS}.`);
  process.exitCode = 1;
}
