import { formatNumber } from "@earshot/narrate";
import { type ReactNode, useState } from "react";
import { VisibleText } from "../../content/visible-text.tsx";

const LONGEST = 20_000;

/** Text of an agent, as it really is: what a screen would hide is written out. */
export function ShownText({ text }: { readonly text: string }): ReactNode {
  return (
    <bdi>
      <VisibleText text={text} as="input" />
    </bdi>
  );
}

/** The same in lines of their own, from left to right whatever is in it. What is very long is shown when it is asked for. */
export function ShownLines({ text, what }: { readonly text: string; readonly what: string }): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const left = text.length - LONGEST;
  const isCut = left > 0 && !isWhole;
  return (
    <>
      <pre className="shown-lines" dir="ltr">
        <ShownText text={isCut ? text.slice(0, LONGEST) : text} />
      </pre>
      {isCut ? (
        <p>
          {`${formatNumber(left)} more characters. `}
          <button type="button" className="button small" onClick={() => setWhole(true)}>
            Show all of {what}
          </button>
        </p>
      ) : null}
    </>
  );
}
