import type { Utterance } from "./utterance.ts";

/** An event and its speech. */
export interface Step {
  readonly what: string;
  readonly said: readonly Utterance[];
}

export interface Scene {
  readonly title: string;
  readonly steps: Step[];
}

export function writeTranscript(scenes: readonly Scene[], about: string): string {
  const parts = scenes.map(({ title, steps }) => [`== ${title} ==`, ...steps.map(writeStep)].join("\n\n"));
  return `${[about, ...parts].join("\n\n")}\n`;
}

export function writeStep({ what, said }: Step): string {
  const heard = said.filter(({ heard, unheard }) => heard !== "" || unheard !== "");
  return [what, ...(heard.length === 0 ? ["    (nothing)"] : heard.map((one) => `    ${toLine(one)}`))].join("\n");
}

function toLine({ heard, unheard }: Utterance): string {
  return unheard === "" ? heard : `${heard} [broken off before: ${unheard}]`.trimStart();
}

/** All speech as one text. */
export function heardIn(steps: readonly Step[]): string {
  return steps.flatMap(({ said }) => said.map(({ heard }) => heard)).join(" ");
}
