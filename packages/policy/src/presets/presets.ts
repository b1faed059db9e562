import { FEWER_PROMPTS } from "./fewer-prompts.ts";

/** Asks about what does harm, and about code and wrappers that cannot be read; leaves everything else to the agent. */
const GUARD = `# Guard: asks about what does harm, and about code that cannot be read. Everything else is left to the agent.
rules:
  - name: earshot
    match:
      danger: [earshot-decides, earshot-loosens, earshot-stops, earshot-removes, earshot-files]
    answer: ask
    message: This would change what Earshot asks about, or who decides.

  - name: agent-settings
    match:
      danger: [agent-settings, agent-unwatched]
    answer: ask
    message: The hooks that let Earshot hear the agent may be changed by this.

  - name: destructive
    match:
      danger: any
    answer: ask

  - name: unreadable
    match:
      inspectable: false
    answer: ask
    message: The command or the arguments cannot be read, so nobody can say what it would do.
`;

/** The same, and everything else that is not known to do no harm. */
const CAREFUL = `# Careful: asks about everything that is not known to do no harm.
${GUARD.slice(GUARD.indexOf("\n") + 1)}
  - name: not-understood
    match:
      moment: [action, permission]
      harmless: false
    answer: ask
    message: It is not known what this does.
`;

/** Records everything, and holds nothing: not even what the agent itself asks about. */
const WATCH_ONLY = `# Watch only: nothing is held, nothing is asked, nothing is answered.
rules:
  - name: everything
    answer: abstain
    hold: never
`;

/** The policies that ship, as the texts that they are. */
export const PRESETS: Readonly<Record<string, string>> = {
  "watch-only": WATCH_ONLY,
  guard: GUARD,
  careful: CAREFUL,
  "fewer-prompts": FEWER_PROMPTS,
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
