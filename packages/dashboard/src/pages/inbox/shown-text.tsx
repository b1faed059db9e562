import { formatNumber } from "@earshot/narrate";
import { createContext, type ReactNode, useContext } from "react";
import { VisibleText } from "../../content/visible-text.tsx";

/** A card whose content exceeds this length, as JSON, initially shows its long texts, lists and changes cut. */
export const MAX_UNCUT_CHARACTERS = 20_000;

/** False inside a card that is cut. */
export const IsWhole = createContext(true);

/** Text of an agent with its real content: invisible characters are escaped. */
export function ExactText({ text }: { readonly text: string }): ReactNode {
  return (
    <bdi>
      <VisibleText text={text} as="input" />
    </bdi>
  );
}

/** Like `ExactText`, on separate lines, always left to right. */
export function ExactLines({ text }: { readonly text: string }): ReactNode {
  const left = useContext(IsWhole) ? 0 : text.length - MAX_UNCUT_CHARACTERS;
  return (
    <>
      <pre className="shown-lines" dir="ltr">
        <ExactText text={left > 0 ? text.slice(0, MAX_UNCUT_CHARACTERS) : text} />
      </pre>
      {left > 0 ? <p>{`${formatNumber(left)} more characters.`}</p> : null}
    </>
  );
}
