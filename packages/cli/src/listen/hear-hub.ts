import type { Ear } from "@earshot/sdk/ear";
import { type FollowRequestsOptions, followRequests, type Happening } from "../inbox/follow-requests.ts";
import { follow } from "../tail/follow.ts";
import { readAlert, readEntry } from "./read-entry.ts";

export interface HubHearing extends Pick<FollowRequestsOptions, "open" | "signal" | "wait"> {
  readonly ear: Ear;
  /** Something was heard. */
  readonly onHeard: () => void;
  readonly onHappening: (happening: Happening) => Promise<void>;
  /** Away for so long that it should be said; and back after that. */
  readonly onAway: () => void;
  readonly onBack: () => void;
}

/** A hub that comes back within this time was not away. */
const AWAY_MS = 3000;

/** Feeds the ear with what the hub tells, until the signal. After an absence it goes on where it was: nothing is missed. */
export async function hearHub({ ear, open, signal, wait, onHeard, onHappening, onAway, onBack }: HubHearing): Promise<void> {
  const absence = watchAbsence(onAway, onBack);
  const entries = async () => {
    for await (const { kind, json, position } of follow({ open, signal, wait, filter: { alerts: "1" }, after: "now", ...absence })) {
      const entry = kind === "entry" ? readEntry(json) : undefined;
      const alert = kind === "alert" ? readAlert(json) : undefined;
      ear.hear(
        {
          position,
          entries: entry === undefined ? [] : [entry],
          alerts: alert === undefined ? [] : [alert],
          requests: [],
          leftOut: 0,
        },
        false,
      );
      onHeard();
    }
  };
  const requests = async () => {
    // The entries' own connection tells that the hub is away: once is enough.
    for await (const happening of followRequests({ open, signal, wait, onGone: () => {}, onBack: () => {} })) {
      await onHappening(happening);
      onHeard();
    }
  };
  try {
    await Promise.all([entries(), requests()]);
  } finally {
    absence.onBack();
  }
}

function watchAbsence(onAway: () => void, onBack: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let isTold = false;
  return {
    onGone: () => {
      timer = setTimeout(() => {
        isTold = true;
        onAway();
      }, AWAY_MS);
    },
    onBack: () => {
      clearTimeout(timer);
      if (isTold) onBack();
      isTold = false;
    },
  };
}
