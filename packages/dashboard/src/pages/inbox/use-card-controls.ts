import type { RequestView } from "@earshot/hub";
import { describeDecision } from "@earshot/narrate";
import { type RefObject, useRef, useState } from "react";
import { announceInRegion } from "../../announce/regions.ts";
import { describeForPage, pagePresentation } from "../../words/request-words.ts";
import { problemWords, readRequest } from "./decide.ts";
import { useArmed } from "./use-armed.ts";

/** The result of a decision: the new state of the requests, and the failure of some of them. */
export interface DecisionResult {
  readonly views: readonly RequestView[];
  readonly failure?: unknown;
}

/** State and actions for the buttons of a card. */
export interface CardControls {
  readonly isArmed: boolean;
  readonly isBusy: boolean;
  /** Message about the last attempt. */
  readonly note: string | undefined;
  /** Decides, unless the card is not armed yet or another action is running. */
  readonly decide: (does: () => Promise<DecisionResult>) => void;
  /** Like `decide`, for actions that do not settle the request, such as an extension. The promise yields the message to announce. */
  readonly change: (does: () => Promise<string>) => void;
  /** The requests may have ended without a decision on this card. */
  readonly readAgain: () => void;
}

export interface CardControlsOptions {
  readonly card: RefObject<HTMLElement | null>;
  /** Changes when the content to be decided changes. */
  readonly content: string;
  readonly shown: readonly RequestView[];
  readonly onView: (view: RequestView) => void;
  readonly onDecided: () => void;
}

const TOO_EARLY = "The button was pressed too soon after it appeared, so nothing was decided. Press it again to confirm.";

export function useCardControls({ card, content, shown, onView, onDecided }: CardControlsOptions): CardControls {
  const { isArmed, mayDecide } = useArmed(card, content);
  const [isBusy, setBusy] = useState(false);
  const [note, setNote] = useState<string>();
  const busy = useRef(false);

  const tell = (words: string) => {
    setNote(words);
    announceInRegion("polite", words);
  };

  const readAgain = async () => {
    for (const { id } of shown) await readRequest(id).then(onView, () => {});
  };

  const run = (does: () => Promise<void>) => {
    if (busy.current) return;
    if (!mayDecide()) {
      tell(TOO_EARLY);
      return;
    }
    busy.current = true;
    setBusy(true);
    setNote(undefined);
    does()
      .catch(async (error: unknown) => {
        tell(problemWords(error));
        // The request may have ended in the meantime: the card then shows how.
        await readAgain();
      })
      .finally(() => {
        busy.current = false;
        setBusy(false);
      });
  };

  return {
    isArmed,
    isBusy,
    note,
    decide: (does) =>
      run(async () => {
        const { views, failure } = await does();
        for (const view of views) onView(view);
        if (failure !== undefined) throw failure;
        announceInRegion("polite", toldOf(views));
        onDecided();
      }),
    readAgain: () => void readAgain(),
    change: (does) => run(async () => tell(await does())),
  };
}

/** Names the object: when this is announced, the focus is already on the next card. */
function toldOf(views: readonly RequestView[]): string {
  const [first] = views;
  const words =
    first?.decision == null
      ? "Done."
      : describeDecision(first.decision, { ...first.card, what: describeForPage(first).what }, pagePresentation());
  return views.length > 1 ? `${views.length} requests: ${words}` : words;
}
