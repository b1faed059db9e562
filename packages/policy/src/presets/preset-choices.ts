/** A beginning that is offered to whoever has no rules yet. */
export interface PresetChoice {
  readonly name: string;
  /** Follows the name, after a colon. */
  readonly does: string;
  readonly extends: string;
}

/** In the order in which they are offered; the first is taken where nobody chooses. */
export const PRESET_CHOICES: readonly PresetChoice[] = [
  { name: "guard", does: "asks about what is known to do harm, and leaves the rest to the agents", extends: "guard" },
  {
    name: "fewer-prompts",
    does: "the same, and lets pass what every session asks for: reading the project, its tests and checks",
    extends: "[fewer-prompts, guard]",
  },
  { name: "watch-only", does: "asks about nothing: everything is recorded, nothing is held", extends: "watch-only" },
];

/** The file that a choice begins with. */
export function presetText({ name, extends: extended }: PresetChoice): string {
  return `# Your rules, begun with ${name}. Add your own under \`rules:\`; \`earshot policy --help\` tells more.\nextends: ${extended}\n`;
}
