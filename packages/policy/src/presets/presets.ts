import texts from "./presets.json" with { type: "json" };

const [, ...guard] = texts.guard;
const [title = "", ...careful] = texts.careful;

function joinLines(...lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

/** The policies that ship, as the texts that they are. */
export const PRESETS: Readonly<Record<string, string>> = {
  // Records everything, and holds nothing: not even what the agent itself asks about.
  "watch-only": joinLines(...texts["watch-only"]),
  // Asks about what does harm, and about code and wrappers that cannot be read; leaves everything else to the agent.
  guard: joinLines(...texts.guard),
  // The same, and everything else that is not known to do no harm.
  careful: joinLines(title, ...guard, ...careful),
  // Lets pass what every session asks for: reading the workspace, and the project's own tests, linters and builds.
  "fewer-prompts": joinLines(...texts["fewer-prompts"]),
};

/** A beginning that is offered where there are no rules yet. */
export interface PresetChoice {
  readonly name: string;
  /** Follows the name, after a colon. */
  readonly does: string;
  readonly extends: string;
}

/** In the order in which they are offered; the first is the default. */
export const PRESET_CHOICES: readonly PresetChoice[] = [
  { name: "guard", does: "asks about what does harm, and leaves the rest to the agents", extends: "guard" },
  {
    name: "fewer-prompts",
    does: "the same, and lets pass what every session asks for: reading the project, its tests and checks",
    extends: "[fewer-prompts, guard]",
  },
  { name: "careful", does: "asks about everything that is not known to do no harm", extends: "careful" },
  { name: "watch-only", does: "asks about nothing: everything is recorded, nothing is held", extends: "watch-only" },
];

/** The file that a choice begins with. */
export function presetText({ name, extends: extended }: PresetChoice): string {
  return `# Your rules, begun with ${name}. Add your own under \`rules:\`; \`earshot policy --help\` tells more.\nextends: ${extended}\n`;
}
