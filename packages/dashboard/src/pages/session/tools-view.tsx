import type { CallView, Listed, SessionView } from "@earshot/hub";
import { callTone, DescriptionWords, describeOutcome } from "@earshot/narrate";
import { type ReactNode, useState } from "react";
import { VisibleText } from "../../content/visible-text.tsx";
import { useHubRead } from "../../hub/use-hub.ts";
import { PageLink } from "../../parts/link.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { hrefOf } from "../../route.ts";
import { PAGE_VOICE } from "../../words/page-voice.ts";
import { clockTime } from "./clock-time.ts";
import { isAbout } from "./use-story.ts";

const PAGE = 200;
const WORDS = new DescriptionWords(PAGE_VOICE);

/** Every call with start and duration: a table whose last column is a chart of the same data. */
export function ToolsView({ session }: { readonly session: SessionView }): ReactNode {
  const [pages, setPages] = useState<readonly string[]>([]);
  const after = pages.at(-1);
  const read = useHubRead<Listed<CallView>>(
    `/api/sessions/${session.key}/calls?limit=${PAGE}${after === undefined ? "" : `&after=${encodeURIComponent(after)}`}`,
    {
      changes: (news) => isAbout(news, session),
      everyMs: 1000,
    },
  );
  const calls = read.answer?.items ?? [];
  const next = read.answer?.next;
  const from = calls.reduce((least, { startedAt }) => Math.min(least, startedAt), Number.POSITIVE_INFINITY);
  const to = calls.reduce((most, call) => Math.max(most, endOf(call, session)), from + 1);
  return (
    <section aria-labelledby="tools-title">
      <h2 id="tools-title" className="told">
        Tools over time
      </h2>
      <ProblemNote problem={read.problem} />
      {read.answer === undefined ? (
        <p className="soft">Loading.</p>
      ) : calls.length === 0 ? (
        <p className="soft">No tool was used.</p>
      ) : (
        <div className="table-scroll">
          <table className="waterfall">
            <caption className="told">Tool calls in order of start</caption>
            <thead>
              <tr>
                <th scope="col">Tool</th>
                <th scope="col">Began</th>
                <th scope="col">Outcome</th>
                <th scope="col" className="waterfall-scale">
                  <span className="told">Drawn over time</span>
                  <span aria-hidden="true">{clockTime(from)}</span>
                  <span aria-hidden="true">{clockTime(to)}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {calls.map((call) => (
                <CallLine key={`${call.position}${call.callId ?? ""}`} call={call} session={session} from={from} to={to} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {pages.length === 0 && next === undefined ? null : (
        <nav className="timeline-ends" aria-label="More calls">
          <button type="button" className="button" aria-disabled={pages.length === 0} onClick={() => setPages(pages.slice(0, -1))}>
            Earlier calls
          </button>
          <button
            type="button"
            className="button"
            aria-disabled={next === undefined}
            onClick={() => next !== undefined && setPages([...pages, next])}
          >
            Later calls
          </button>
        </nav>
      )}
    </section>
  );
}

interface CallLineProps {
  readonly call: CallView;
  readonly session: SessionView;
  readonly from: number;
  readonly to: number;
}

function CallLine({ call, session, from, to }: CallLineProps): ReactNode {
  const share = (at: number) => ((at - from) / (to - from)) * 100;
  const start = share(call.startedAt);
  const length = Math.max(0.4, share(endOf(call, session)) - start);
  return (
    <tr>
      <th scope="row">
        <PageLink href={hrefOf("session", session.key, { at: call.position })}>
          <VisibleText text={call.tool === "" ? WORDS.story.namelessTool : call.tool} />
        </PageLink>{" "}
        {call.subject === undefined ? null : (
          <code className="item-subject">
            <VisibleText text={call.subject} as="code" />
          </code>
        )}
      </th>
      <td className="number">{clockTime(call.startedAt)}</td>
      <td className={callTone(call.state)}>{describeOutcome(call, WORDS)}</td>
      <td className="waterfall-cell">
        <span
          className={`waterfall-bar ${callTone(call.state)}`}
          style={{
            marginInlineStart: `${Math.min(start, 99.6).toFixed(2)}%`,
            inlineSize: `${Math.min(length, 100 - Math.min(start, 99.6)).toFixed(2)}%`,
          }}
        />
      </td>
    </tr>
  );
}

function endOf({ endedAt, startedAt, durationMs }: CallView, session: SessionView): number {
  return Math.max(endedAt ?? session.endedAt ?? session.lastHeardAt, startedAt + (endedAt === startedAt ? (durationMs ?? 0) : 0));
}
