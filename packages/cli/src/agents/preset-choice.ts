import { nearest } from "@earshot/protocol/nearest";
import { EarshotError } from "@earshot/protocol/problem";
import type { Io } from "../io.ts";
import { ask, hasKeyboard } from "../terminal/ask.ts";

export interface Preset {
  readonly name: string;
  readonly does: string;
  readonly extends: string;
}

/** In the order in which they are offered; the first is taken where nobody chooses. */
export const PRESET_CHOICES: readonly Preset[] = [
  { name: "guard", does: "asks about what is known to do harm, and leaves the rest to the agents", extends: "guard" },
  {
    name: "fewer-prompts",
    does: "the same, and lets pass what every session asks for: reading the project, its tests and checks",
    extends: "[fewer-prompts, guard]",
  },
  { name: "watch-only", does: "asks about nothing: everything is recorded, nothing is held", extends: "watch-only" },
];

export function presetText({ name, extends: extended }: Preset): string {
  return `# Your rules, begun by \`earshot init\` with ${name}. Add your own under \`rules:\`; \`earshot policy --help\` tells more.\nextends: ${extended}\n`;
}

export function findPreset(name: string): Preset {
  const found = PRESET_CHOICES.find((preset, index) => preset.name === name || String(index + 1) === name);
  if (found !== undefined) return found;
  const names = PRESET_CHOICES.map((preset) => preset.name);
  const [near] = nearest(name, names);
  throw new EarshotError({
    code: "WRONG_USAGE",
    message: `There is no preset ${JSON.stringify(name)}.`,
    hint: near === undefined ? `There are ${names.join(", ")}.` : `Did you mean ${near}?`,
  });
}

/** Asks by number, where there is a person; undefined when they give up. Elsewhere the first is taken. */
export async function choosePreset(io: Io): Promise<Preset | undefined> {
  const [first] = PRESET_CHOICES;
  if (!hasKeyboard(io)) return first;
  io.err("What should be asked about? You can change it at any time.\n");
  for (const [index, { name, does }] of PRESET_CHOICES.entries()) io.err(`  ${index + 1}  ${name}: ${does}\n`);
  for (;;) {
    const said = await ask(io, "Number [1]: ");
    if (said === undefined) return undefined;
    if (said.trim() === "") return first;
    const chosen = PRESET_CHOICES[Number(said) - 1];
    if (chosen !== undefined) return chosen;
    io.err(`1 to ${PRESET_CHOICES.length}, please.\n`);
  }
}
