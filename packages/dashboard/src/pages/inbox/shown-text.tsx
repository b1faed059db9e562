import { formatNumber } from "@earshot/narrate";
import { createContext, type ReactNode, useContext } from "react";
import { VisibleText } from "../../content/visible-text.tsx";

/** A card whose content is longer, as JSON, begins with its long texts, lists and changes cut. */
export const MAX_UNCUT_CHARACTERS = 20_000;

/** False inside a card that is cut. */
export const IsWhole = createContext(true);

/** Text of an agent, as it really is: what a screen would hide is written out. */
export function ShownText({ text }: { readonly text: string }): ReactNode {
  return (
    <bdi>
      <VisibleText text={text} as="input" />
    </bdi>
  );
}

/** The same in lines of their own, from left to right whatever is in it. */
export function ShownLines({ text }: { readonly text: string }): ReactNode {
  const left = useContext(IsWhole) ? 0 : text.length - MAX_UNCUT_CHARACTERS;
  return (
    <>
      <pre className="shown-lines" dir="ltr">
        <ShownText text={left > 0 ? text.slice(0, MAX_UNCUT_CHARACTERS) : text} />
      </pre>
      {left > 0 ? <p>{`${formatNumber(left)} more characters.`}</p> : null}
    </>
  );
}
