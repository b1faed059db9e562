import type { ControlView, RememberedView } from "@earshot/hub";
import { type ReactNode, useId, useRef } from "react";
import { announceInRegion } from "../../announce/regions.ts";
import { requestAsDevice } from "../../hub/request-as-device.ts";
import { type HubRead, useMayDecide } from "../../hub/use-hub.ts";
import { focusHeading } from "../../parts/focus-heading.ts";
import { PageLink } from "../../parts/link.tsx";
import { ShortTime } from "../../parts/moment.tsx";
import { hrefOf } from "../../route.ts";
import { shortenVisibly } from "../../words/request-words.ts";
import { scopeWords } from "./policy-words.ts";
import { TextLines } from "./text-lines.tsx";
import { useUserAction } from "./use-user-action.ts";

/** Rules created together with a decision. Each can be revoked. */
export function KeptRules({ control, onChange }: { readonly control: HubRead<ControlView>; readonly onChange: () => void }): ReactNode {
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
  const { isBusy, problem, run } = useUserAction();
  const { rule, scope, yaml, request, by, at, until } = kept;
  const name = shortenVisibly(rule, 60);
  const forget = () =>
    void run(async () => {
      await requestAsDevice("POST", "/api/policy/forget", { rule });
      announceInRegion("polite", `Removed: ${name}.`);
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
          {`by ${shortenVisibly(by, 60)}, `}
          <ShortTime at={at} />
        </span>
        {until === null ? null : (
          <span>
            until <ShortTime at={until} />
          </span>
        )}
        <PageLink href={hrefOf("inbox", { request })} aria-label={`The decision that ${name} came from`}>
          The decision
        </PageLink>
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
