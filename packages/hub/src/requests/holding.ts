/** Which requests currently wait for an approver, and why. It depends on whether an approver is present. */
export interface HoldingView {
  readonly holds: "everything" | "dangerous" | "nothing";
  /** Whole sentences, for every surface alike. */
  readonly words: string;
  /** How to change it; null where everything is held. */
  readonly change: string | null;
}

export interface Presence {
  readonly isPaused: boolean;
  readonly isAway: boolean;
  readonly isActive: boolean;
  readonly hasApprover: boolean;
}

export function describeHolding({ isPaused, isAway, isActive, hasApprover }: Presence): HoldingView {
  if (isPaused) {
    return { holds: "nothing", words: "Nothing is held: Earshot is paused.", change: "End the pause: earshot pause off." };
  }
  if (isAway)
    return { holds: "everything", words: "Everything that a rule asks about waits: an approver is away and can be reached.", change: null };
  if (isActive) return { holds: "everything", words: "Everything that a rule asks about waits: an approver is here.", change: null };
  if (hasApprover) {
    return {
      holds: "dangerous",
      words: "Only what is dangerous waits: no approver was active in the last five minutes. The rest is left to the agents.",
      change: "Do something in the Inbox, or let everything wait with earshot away.",
    };
  }
  return {
    holds: "nothing",
    words: "Nothing is held: no approver is set up, so that nobody can be asked.",
    change: "Run earshot start in a terminal and follow the link.",
  };
}

/** Why an agent's hooks cannot block its tool calls. */
export interface GateFault {
  /** The agent's slug, and its name for people. */
  readonly agent: string;
  readonly name: string;
  /** A whole sentence. */
  readonly reason: string;
  readonly advice: string;
}
