import type { PolicyRules, PolicyView } from "@earshot/hub";
import { formatCount, projectName } from "@earshot/narrate";
import { type ReactNode, useId } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { FilePath } from "../../parts/file-path.tsx";
import { PageLink } from "../../parts/link.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { hrefOf } from "../../route.ts";
import { homePath } from "../../words/home-path.ts";
import { KeptRules } from "./kept-rules.tsx";
import { PendingRules } from "./pending-rules.tsx";
import { RightNow } from "./right-now.tsx";
import { RuleList } from "./rule-list.tsx";
import { TextLines } from "./text-lines.tsx";
import { useControl, usePolicy } from "./use-policy.ts";

/** The active rules, their sources, and the pending ones. */
export function PolicyOverview(): ReactNode {
  const { policy, rules } = usePolicy();
  const control = useControl();
  const again = () => {
    policy.again();
    rules.again();
    control.again();
  };
  const view = policy.answer;
  return (
    <>
      <ProblemNote problem={policy.problem ?? rules.problem} />
      {view === undefined ? null : <Waiting view={view} onChange={again} />}
      <div className="policy-columns">
        <RightNow control={control} />
        <div className="policy-main">
          {view === undefined || rules.answer === undefined ? (
            <p className="soft">Loading.</p>
          ) : (
            <>
              <Counting view={view} rules={rules.answer} />
              <Repositories view={view} rules={rules.answer} />
            </>
          )}
        </div>
        <KeptRules control={control} onChange={again} />
      </div>
    </>
  );
}

function Waiting({ view, onChange }: { readonly view: PolicyView; readonly onChange: () => void }): ReactNode {
  const { path, home, text, troubles, pending, repositories, pendingRepositories, pendingAgents } = view;
  const id = useId();
  return (
    <>
      {troubles.length === 0 ? null : (
        <section aria-labelledby={id} className="panel urgent">
          <h2 id={id}>The file is not used</h2>
          <p>The last accepted rules stay active. The file has errors:</p>
          <ul>
            {troubles.map((trouble) => (
              <li key={trouble}>
                <VisibleText text={trouble} as="code" />
              </li>
            ))}
          </ul>
          <p>
            <PageLink href={hrefOf("policy", "edit")}>Fix the file</PageLink>
          </p>
        </section>
      )}
      {pending === null ? null : (
        <PendingRules
          name="Your rules"
          object="your changed rules"
          path={homePath(path, home)}
          before={text}
          after={pending.text}
          hash={pending.hash}
          loosens={pending.loosens}
          onAccepted={onChange}
        />
      )}
      {pendingRepositories.map((one) => (
        <PendingRules
          key={one.path}
          name={`Rules of the repository ${repositoryName(one.path)}`}
          object={`the changed rules of ${repositoryName(one.path)}`}
          path={homePath(one.path, home)}
          before={repositories.find(({ path: known }) => known === one.path)?.text ?? null}
          after={one.text}
          hash={one.hash}
          loosens={one.loosens}
          onAccepted={onChange}
        />
      ))}
      {pendingAgents.map((one) => (
        <PendingRules
          key={one.path}
          name={`Files about ${one.agent}`}
          object={`the files about ${one.agent}`}
          what={`They would take the place of what Earshot knows about ${one.agent}: how it is heard, and what its answers mean. Until you accept them, they do not count. What they change:`}
          path={homePath(one.path, home)}
          before={null}
          after={one.text}
          hash={one.hash}
          loosens={one.changes}
          onAccepted={onChange}
        />
      ))}
    </>
  );
}

function Counting({ view, rules }: { readonly view: PolicyView; readonly rules: PolicyRules }): ReactNode {
  const id = useId();
  const { path, home, text } = view;
  const own = fileName(path);
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="first-title">
        {rules.rules.length === 0 ? "No active rules" : `Active rules: ${rules.rules.length}`}
      </h2>
      {text === null ? (
        <>
          <p>No rule applies to tool calls. Only actions that an agent itself asks about become requests.</p>
          <p>
            <PageLink href={hrefOf("policy", "edit", { preset: "guard" })} className="button primary">
              Start with Guard (recommended)
            </PageLink>{" "}
            <PageLink href={hrefOf("policy", "edit")}>Other presets, or rules of your own</PageLink>
          </p>
          <p className="soft">
            Guard asks for approval before an agent deletes data, publishes, or acts outside its project. You see the rules, and what they
            would have asked about so far, before you save them.
          </p>
        </>
      ) : (
        <>
          <p>
            From <FilePath path={path} home={home} />, as last accepted. The first matching rule decides; if none matches, the agent decides
            itself.
          </p>
          <RuleList rules={rules.rules} own={own} />
          <details className="policy-text">
            <summary>{`The text of ${own}, as it counts`}</summary>
            <p className="soft">
              The whole path: <code className="policy-path">{path}</code>
            </p>
            <TextLines text={text} name={`The text of ${own}`} />
          </details>
        </>
      )}
    </section>
  );
}

function Repositories({ view, rules }: { readonly view: PolicyView; readonly rules: PolicyRules }): ReactNode {
  const id = useId();
  if (view.repositories.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{`Repositories: ${view.repositories.length}`}</h2>
      <p>Rules from repositories. They can only restrict, and only actions inside the repository.</p>
      {view.repositories.map(({ path, text }) => {
        const described = rules.repositories.find((one) => one.path === path)?.rules ?? [];
        return (
          <details key={path} className="policy-text">
            <summary>
              {`${repositoryName(path)}, ${formatCount(described.length, "rule")}`}{" "}
              <FilePath path={path} home={view.home} className="soft policy-path" />
            </summary>
            <RuleList rules={described} own={path} />
            <TextLines text={text} name={`The text of ${path}`} />
          </details>
        );
      })}
    </section>
  );
}

function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** `/home/ana/shop/.earshot/policy.yaml` → "shop". */
function repositoryName(path: string): string {
  return projectName(path.split(/[\\/]/).slice(0, -2).join("/")) ?? path;
}
