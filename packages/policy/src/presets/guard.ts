/** Asks about what does harm, and about code and wrappers that cannot be read; leaves everything else to the agent. */
export const GUARD = `# Guard: asks about what does harm, and about code that cannot be read. Everything else is left to the agent.
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
export const CAREFUL = `# Careful: asks about everything that is not known to do no harm.
${GUARD.slice(GUARD.indexOf("\n") + 1)}
  - name: not-understood
    match:
      moment: [action, permission]
      harmless: false
    answer: ask
    message: It is not known what this does.
`;
