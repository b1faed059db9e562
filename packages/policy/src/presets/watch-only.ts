/** Hears everything, and holds nothing: not even what the agent itself asks about. */
export const WATCH_ONLY = `# Watch only: nothing is held, nothing is asked, nothing is answered.
rules:
  - name: everything
    answer: abstain
    hold: never
`;
