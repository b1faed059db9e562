import texts from "./presets.json" with { type: "json" };

const [, ...guard] = texts.guard;
const [title = "", ...careful] = texts.careful;

function joinLines(...lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

/** The texts of the policies that Earshot ships. */
export const PRESETS: Readonly<Record<string, string>> = {
  // Records everything and holds nothing, not even what the agent itself asks about.
  "watch-only": joinLines(...texts["watch-only"]),
  // Asks about harmful effects, and about code and wrappers that cannot be read; leaves everything else to the agent.
  guard: joinLines(...texts.guard),
  // Like `guard`, and asks about everything else that is not known to be harmless.
  careful: joinLines(title, ...guard, ...careful),
  // Allows what every session needs: reading the workspace, and the project's own tests, linters and builds.
  "fewer-prompts": joinLines(...texts["fewer-prompts"]),
};

/** A starting policy that is offered if there are no rules yet. */
export interface PresetChoice {
  readonly name: string;
  /** Shown after the name and a colon. */
  readonly does: string;
  readonly extends: string;
}

/** In display order; the first is the default. */
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

/** The initial file of a choice. */
export function presetText({ name, extends: extended }: PresetChoice): string {
  return `# Your rules, begun with ${name}. Add your own under \`rules:\`; \`earshot policy --help\` tells more.\nextends: ${extended}\n`;
}
