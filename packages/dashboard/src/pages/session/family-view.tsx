import type { SessionTree, SessionView } from "@earshot/hub";
import { formatCount, formatShortDuration, formatShortMoney } from "@earshot/narrate";
import type { ReactNode } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { useHubRead } from "../../hub/use-hub.ts";
import { PageLink } from "../../parts/link.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { StatusLabel } from "../../parts/status.tsx";
import { hrefOf } from "../../route.ts";
import { sessionNameOf } from "../../words/session-name.ts";

type Node = SessionTree["nodes"][number];

interface Branch {
  readonly node: Node;
  readonly branches: Branch[];
}

/** The whole tree of sessions to which this one belongs, as nested lists. */
export function FamilyView({ session }: { readonly session: SessionView }): ReactNode {
  const { answer, problem } = useHubRead<SessionTree>(`/api/sessions/${session.key}/tree`, {
    changes: (news) => news.entries.length > 0,
    everyMs: 2000,
  });
  const nodes = answer?.nodes ?? [];
  const from = Math.min(...nodes.map(({ startedAt }) => startedAt));
  const to = Math.max(...nodes.map((node) => endOf(node)), from + 1);
  return (
    <section aria-labelledby="family-title">
      <h2 id="family-title" className="told">
        Subagents
      </h2>
      <ProblemNote problem={problem} />
      {answer === undefined ? (
        <p className="soft">Loading.</p>
      ) : nodes.length === 1 ? (
        <p className="soft">It started no other agent, and no agent started it.</p>
      ) : (
        <>
          <FamilySum nodes={nodes} />
          <Branches branches={toBranches(nodes)} own={session.key} from={from} to={to} />
        </>
      )}
      {answer?.cut === true ? <p className="soft">There are more than are listed here.</p> : null}
    </section>
  );
}

/** Cost and calls of the family, as each session reported them. */
function FamilySum({ nodes }: { readonly nodes: readonly Node[] }): ReactNode {
  const costs = nodes.flatMap(({ costUsd }) => costUsd ?? []);
  const calls = nodes.reduce((sum, { counts }) => sum + counts.calls, 0);
  return (
    <p className="facts">
      <strong>{formatCount(nodes.length, "session")}</strong>
      <span>{costs.length === 0 ? "No cost was reported." : `${formatShortMoney(costs.reduce((sum, cost) => sum + cost, 0))} in all`}</span>
      {calls === 0 ? null : <span>{formatCount(calls, "call")}</span>}
    </p>
  );
}

interface BranchesProps {
  readonly branches: readonly Branch[];
  readonly own: number;
  readonly from: number;
  readonly to: number;
}

function Branches({ branches, own, from, to }: BranchesProps): ReactNode {
  return (
    <ul className="family">
      {branches.map(({ node, branches: below }) => {
        const share = (at: number) => ((at - from) / (to - from)) * 100;
        return (
          <li key={node.key}>
            <div className="family-node" aria-current={node.key === own ? "true" : undefined}>
              <p className="item-line">
                <PageLink href={hrefOf("session", node.key)}>
                  <VisibleText text={sessionNameOf(node)} />
                </PageLink>{" "}
                <StatusLabel status={node.status} />
                {node.key === own ? <span className="soft">this session</span> : null}
              </p>
              {node.goal === undefined ? null : (
                <p>
                  <VisibleText text={node.goal.slice(0, 200)} />
                </p>
              )}
              <p className="facts">
                <span>{`took ${formatShortDuration(node.durationMs)}`}</span>
                {node.counts.calls === 0 ? null : <span>{formatCount(node.counts.calls, "call")}</span>}
                {node.counts.failedCalls === 0 ? null : <span className="bad">{`${node.counts.failedCalls} failed`}</span>}
                {node.costUsd === undefined ? null : <span>{formatShortMoney(node.costUsd)}</span>}
                {node.parent?.inferred === true ? <span>{`belongs here as it seems: ${node.parent.because}`}</span> : null}
              </p>
              <div className="family-bar" aria-hidden="true">
                <span
                  className={`waterfall-bar ${node.status === "failed" ? "bad" : "busy"}`}
                  style={{
                    marginInlineStart: `${share(node.startedAt).toFixed(2)}%`,
                    inlineSize: `${Math.max(0.5, share(endOf(node)) - share(node.startedAt)).toFixed(2)}%`,
                  }}
                />
              </div>
            </div>
            {below.length === 0 ? null : <Branches branches={below} own={own} from={from} to={to} />}
          </li>
        );
      })}
    </ul>
  );
}

function endOf({ endedAt, lastHeardAt }: Node): number {
  return endedAt ?? lastHeardAt;
}

/** Returns nodes in preorder (each after its parent) with their depth. */
function toBranches(nodes: readonly Node[]): readonly Branch[] {
  const roots: Branch[] = [];
  const path: Branch[] = [];
  for (const node of nodes) {
    const branch: Branch = { node, branches: [] };
    path.length = Math.min(path.length, node.depth);
    (path.at(-1)?.branches ?? roots).push(branch);
    path.push(branch);
  }
  return roots;
}
