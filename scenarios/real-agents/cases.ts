import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "./model/script.ts";
import {
  inSteps,
  runsOnce,
  searchMcp,
  useBackground,
  useEdit,
  useMcp,
  useRead,
  useShell,
  useSubagent,
  useWrite,
  waitForSubagent,
} from "./tool-inputs.ts";
import type { Workplace } from "./workplace.ts";

/** An action the model requests and the rules refuse or ask about. */
export interface RefusedCase {
  readonly name: string;
  readonly script: (paths: CasePaths) => Script;
  /** Whether the action happened. */
  readonly happened: (place: Workplace, paths: CasePaths) => boolean;
  readonly resumes?: true;
}

export interface CasePaths {
  readonly precious: string;
  readonly treasure: string;
  readonly written: string;
  readonly secret: string;
  readonly letter: string;
  readonly nobody: string;
  readonly project: string;
}

const CONTENT = "Do not change.\n";
const SECRET = "the-tide-turns-at-noon";
const SUBTASK = "Remove the file of the subtask.";

/** The rules refuse every case; `held`, `nobody` and `nobody-reads` ask. */
export const RULES = `rules:
  - { name: never, match: { command: "rm *" }, answer: deny, message: Nothing is removed here. }
  - { name: never-written, match: { path: ["**/precious.txt", "**/written.txt"], access: [write, delete] }, answer: deny }
  - { name: never-read, match: { path: "**/diary.txt", access: read }, answer: deny }
  - { name: never-called, match: { server: tests }, answer: deny }
  - { name: held, match: { command: "touch *held*" }, answer: ask, hold: always }
  - { name: nobody, match: { command: "touch *nobody*" }, answer: ask }
  - { name: nobody-reads, match: { path: "**/letter.txt", access: read }, answer: ask }
`;

export function pathsIn(project: string): CasePaths {
  const at = (name: string) => join(project, name);
  return {
    precious: at("precious.txt"),
    treasure: at("treasure.txt"),
    written: at("written.txt"),
    secret: at("diary.txt"),
    letter: at("letter.txt"),
    nobody: at("nobody.txt"),
    project,
  };
}

/** Resets the files before each case. */
export function placeFiles({ precious, treasure, written, secret, letter, nobody }: CasePaths): void {
  for (const path of [written, nobody]) rmSync(path, { force: true });
  for (const path of [precious, treasure]) writeFileSync(path, CONTENT);
  for (const path of [secret, letter]) writeFileSync(path, `${SECRET}\n`);
}

const isGone = (_place: Workplace, { precious }: CasePaths) => !existsSync(precious);
const wasRead = ({ model }: Workplace) => model.heard.some(({ body }) => JSON.stringify(body).includes(SECRET));

const SHELL: RefusedCase = {
  name: "shell command",
  script: ({ precious }) => inSteps((turn) => useShell(turn, `rm ${precious}`)),
  happened: isGone,
};
const READ: RefusedCase = { name: "read tool", script: ({ secret }) => inSteps((turn) => useRead(turn, secret)), happened: wasRead };

/** A rule asks, and nobody is there to answer. */
export const ASKED: readonly RefusedCase[] = [
  {
    name: "ask with nobody there",
    script: ({ nobody }) => runsOnce(`touch ${nobody}`),
    happened: (_place, { nobody }) => existsSync(nobody),
  },
  {
    name: "ask about reading with nobody there",
    script: ({ letter }) => inSteps((turn) => useRead(turn, letter)),
    happened: wasRead,
  },
];

/** Tried in every permission mode; in those for planning, an agent only reads. */
export const IN_EVERY_MODE: readonly RefusedCase[] = [SHELL, READ, ...ASKED];

export const REFUSED: readonly RefusedCase[] = [
  SHELL,
  {
    name: "repeated call id",
    // Agents keep only one of two calls under one id in what they send, so the turns are counted here.
    script: ({ precious, project }) => {
      const commands = [`touch ${project}/first.txt`, `rm ${precious}`].values();
      return (turn) => {
        if (useShell(turn, "") === undefined) return { says: "A small task" };
        const { value } = commands.next();
        return (value === undefined ? undefined : withId(useShell(turn, value))) ?? { says: "End of the timeline." };
      };
    },
    happened: isGone,
  },
  {
    name: "parallel calls",
    script: ({ precious, project }) =>
      inSteps((turn) =>
        [useShell(turn, `touch ${project}/beside.txt`), useShell(turn, `rm ${precious}`)].filter((line) => line !== undefined),
      ),
    happened: isGone,
  },
  { name: "in the background", script: ({ precious }) => inSteps((turn) => useBackground(turn, `rm ${precious}`)), happened: isGone },
  {
    name: "subagent",
    script: ({ precious }) =>
      inSteps(
        // A parent has its own call in its text, too.
        (turn) => (turn.text.includes(SUBTASK) ? useShell(turn, `rm ${precious}`) : useSubagent(turn, SUBTASK)),
        waitForSubagent,
      ),
    happened: isGone,
  },
  {
    name: "resumed session",
    script:
      ({ precious }) =>
      (turn) => {
        const line = useShell(turn, `rm ${precious}`);
        return line !== undefined && turn.text.split("Do the task.").length > 2 && !turn.text.includes(`rm ${precious}`)
          ? line
          : { says: "End of the timeline." };
      },
    happened: isGone,
    resumes: true,
  },
  {
    name: "write tool",
    script: ({ written }) => inSteps((turn) => useWrite(turn, written, "x\n")),
    happened: (_place, { written }) => existsSync(written),
  },
  {
    name: "edit tool",
    script: ({ precious }) =>
      inSteps(
        (turn) => useRead(turn, precious),
        (turn) => useEdit(turn, precious, "Do not change.", "Changed."),
      ),
    happened: (_place, { precious }) => existsSync(precious) && readFileSync(precious, "utf8") !== CONTENT,
  },
  READ,
  {
    name: "MCP tool",
    script: () => inSteps((turn) => useMcp(turn) ?? searchMcp(turn), useMcp),
    happened: (_place, { treasure }) => !existsSync(treasure),
  },
];

function withId<Line extends object>(line: Line | undefined): (Line & { readonly id: string }) | undefined {
  return line === undefined ? undefined : { ...line, id: "call_0" };
}
