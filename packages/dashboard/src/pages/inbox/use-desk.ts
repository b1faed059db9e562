import type { RequestView } from "@earshot/hub";
import { describeDecision } from "@earshot/narrate";
import { type RefObject, useRef, useState } from "react";
import { tellRegion } from "../../announce/regions.ts";
import { describe, presentation } from "../../words/request-words.ts";
import { problemWords, readRequest } from "./decide.ts";
import { useArmed } from "./use-armed.ts";

/** What became of a decision: how the requests stand, and what went wrong with some of them. */
export interface Done {
  readonly views: readonly RequestView[];
  readonly failure?: unknown;
}

/** Where the buttons of a card decide. */
export interface Desk {
  readonly isArmed: boolean;
  readonly isBusy: boolean;
  /** What is to be said about the last attempt. */
  readonly note: string | undefined;
  /** Decides, unless it is too early to be meant, or something is on its way already. */
  readonly decide: (does: () => Promise<Done>) => void;
  /** The same for what settles nothing: more time. `tells` says what came of it. */
  readonly change: (does: () => Promise<string>) => void;
  /** The requests may have ended by something else than a decision on the card. */
  readonly readAgain: () => void;
}

export interface DeskOptions {
  readonly card: RefObject<HTMLElement | null>;
  /** Changes when what is decided changes. */
  readonly content: string;
  readonly shown: readonly RequestView[];
  readonly onView: (view: RequestView) => void;
  readonly onDecided: () => void;
}

const TOO_EARLY = "That came too soon to be meant, and decided nothing. Press it once more if you mean it.";

export function useDesk({ card, content, shown, onView, onDecided }: DeskOptions): Desk {
  const { isArmed, mayDecide } = useArmed(card, content);
  const [isBusy, setBusy] = useState(false);
  const [note, setNote] = useState<string>();
  const busy = useRef(false);

  const tell = (words: string) => {
    setNote(words);
    tellRegion("polite", words);
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
        // It may have ended meanwhile: then the card says how.
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
        tellRegion("polite", toldOf(views));
        onDecided();
      }),
    readAgain: () => void readAgain(),
    change: (does) => run(async () => tell(await does())),
  };
}

/** With what it is about: by the time that it is heard, the focus is on the next card. */
function toldOf(views: readonly RequestView[]): string {
  const [first] = views;
  const words =
    first?.decision == null ? "Done." : describeDecision(first.decision, { ...first.card, what: describe(first).what }, presentation());
  return views.length > 1 ? `${views.length} requests: ${words}` : words;
}
