import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "./model/script.ts";
import { inSteps, useBackground, useEdit, useMcp, useRead, useShell, useSubagent, useWrite } from "./tool-inputs.ts";
import type { Workplace } from "./workplace.ts";

/** An action the model requests and the rules refuse. */
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
  readonly project: string;
}

const CONTENT = "Do not change.\n";
const SECRET = "the-tide-turns-at-noon";
const SUBTASK = "Remove the file of the subtask.";

/** The rules refuse every case; `held` and `nobody` ask. */
export const RULES = `rules:
  - { name: never, match: { command: "rm *" }, answer: deny, message: Nothing is removed here. }
  - { name: never-written, match: { path: ["**/precious.txt", "**/written.txt"], access: [write, delete] }, answer: deny }
  - { name: never-read, match: { path: "**/diary.txt", access: read }, answer: deny }
  - { name: never-called, match: { server: tests }, answer: deny }
  - { name: held, match: { command: "touch *held*" }, answer: ask, hold: always }
  - { name: nobody, match: { command: "touch *nobody*" }, answer: ask }
`;

export function pathsIn(project: string): CasePaths {
  const at = (name: string) => join(project, name);
  return { precious: at("precious.txt"), treasure: at("treasure.txt"), written: at("written.txt"), secret: at("diary.txt"), project };
}

/** Resets the files before each case. */
export function placeFiles({ precious, treasure, written, secret }: CasePaths): void {
  rmSync(written, { force: true });
  for (const path of [precious, treasure]) writeFileSync(path, CONTENT);
  writeFileSync(secret, `${SECRET}\n`);
}

const isGone = (_place: Workplace, { precious }: CasePaths) => !existsSync(precious);

export const REFUSED: readonly RefusedCase[] = [
  { name: "shell command", script: ({ precious }) => inSteps((turn) => useShell(turn, `rm ${precious}`)), happened: isGone },
  {
    name: "repeated call id",
    // Agents may merge two results with one id, so they are not counted.
    script:
      ({ precious, project }) =>
      (turn) => {
        if (turn.text.includes(`rm ${precious}`)) return { says: "That is all." };
        const command = turn.results === 0 ? `touch ${project}/first.txt` : `rm ${precious}`;
        return withId(useShell(turn, command)) ?? { says: "A small task" };
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
      inSteps((turn) => (turn.text.includes(SUBTASK) ? useShell(turn, `rm ${precious}`) : useSubagent(turn, SUBTASK))),
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
          : { says: "That is all." };
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
  {
    name: "read tool",
    script: ({ secret }) => inSteps((turn) => useRead(turn, secret)),
    happened: ({ model }) => model.heard.some(({ body }) => JSON.stringify(body).includes(SECRET)),
  },
  { name: "MCP tool", script: () => inSteps((turn) => useMcp(turn)), happened: (_place, { treasure }) => !existsSync(treasure) },
];

function withId<Line extends object>(line: Line | undefined): (Line & { readonly id: string }) | undefined {
  return line === undefined ? undefined : { ...line, id: "call_0" };
}
