import type { ControlView, RememberedView } from "@earshot/hub";
import { type ReactNode, useId, useRef } from "react";
import { tellRegion } from "../../announce/regions.ts";
import { ask } from "../../hub/ask.ts";
import { type Read, useMayDecide } from "../../hub/use-hub.ts";
import { focusHeading } from "../../parts/focus-heading.ts";
import { Link } from "../../parts/link.tsx";
import { Moment } from "../../parts/moment.tsx";
import { hrefOf } from "../../route.ts";
import { shortly } from "../../words/request-words.ts";
import { scopeWords } from "./policy-words.ts";
import { TextLines } from "./text-lines.tsx";
import { useDoing } from "./use-doing.ts";

/** Rules created together with a decision. Each can be revoked. */
export function KeptRules({ control, onChange }: { readonly control: Read<ControlView>; readonly onChange: () => void }): ReactNode {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const kept = control.answer?.remembered ?? [];
  return (
    <section aria-labelledby={id} className="panel">
      <h2 id={id} ref={heading} className="focus-title">
        {kept.length === 0 ? "Rules from decisions" : `Rules from decisions: ${kept.length}`}
      </h2>
      {kept.length === 0 ? (
        <p className="soft">None. When you allow a request in the inbox, you can also allow its kind from now on.</p>
      ) : (
        <ul className="plain-list">
          {kept.map((rule) => (
            <KeptRule
              key={rule.rule}
              kept={rule}
              onChange={() => {
                focusHeading(heading.current);
                control.again();
                onChange();
              }}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function KeptRule({ kept, onChange }: { readonly kept: RememberedView; readonly onChange: () => void }): ReactNode {
  const mayDecide = useMayDecide();
  const { isBusy, problem, run } = useDoing();
  const { rule, scope, yaml, request, by, at, until } = kept;
  const name = shortly(rule, 60);
  const forget = () =>
    void run(async () => {
      await ask("POST", "/api/policy/forget", { rule });
      tellRegion("polite", `Removed: ${name}.`);
      onChange();
    });
  return (
    <li className="kept-rule">
      <h3 className="kept-title">
        <code>{name}</code>
      </h3>
      <p className="facts">
        <span>{scopeWords(scope)}</span>
        <span>
          {`by ${shortly(by, 60)}, `}
          <Moment at={at} />
        </span>
        {until === null ? null : (
          <span>
            until <Moment at={until} />
          </span>
        )}
        <Link href={hrefOf("inbox", { request })} aria-label={`Decision behind ${name} came from`}>
          The decision
        </Link>
      </p>
      <TextLines text={yaml} name={`The rule ${name}`} />
      {mayDecide ? (
        <button type="button" className="button" aria-disabled={isBusy} onClick={forget}>
          {`Take back ${name}`}
        </button>
      ) : null}
      {problem === undefined ? null : <p className="problem">{problem}</p>}
    </li>
  );
}
