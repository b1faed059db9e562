import type { ExplainBody, PolicyExplanation, RequestList } from "@earshot/hub";
import { type ReactNode, useEffect, useId, useState } from "react";
import { announceInRegion } from "../../announce/regions.ts";
import { requestAsDevice } from "../../hub/request-as-device.ts";
import { useHubRead } from "../../hub/use-hub.ts";
import { PageLink } from "../../parts/link.tsx";
import { ShortTime } from "../../parts/moment.tsx";
import { hrefOf, navigate, usePageLocation } from "../../route.ts";
import { headingIn } from "../../words/request-words.ts";
import { ExplainCommandForm, ExplainPayloadForm } from "./explain-forms.tsx";
import { ExplanationView, explanationInShort } from "./explanation-view.tsx";
import { useControl } from "./use-policy.ts";
import { problemText } from "./use-user-action.ts";

/** Shows which rule decides an input, and why: a command, a past request, or a hook payload. */
export function PolicyExplainer(): ReactNode {
  const { query } = usePageLocation();
  const [payload, setPayload] = useState<object>();
  const body = bodyOf(query, payload);
  const asked = body === undefined ? undefined : JSON.stringify(body);
  const { answer, problem } = useExplanation(asked);
  const pause = useControl().answer?.pause ?? null;
  return (
    <>
      <ExplainCommandForm
        key={asked}
        command={query.get("command") ?? ""}
        cwd={query.get("cwd") ?? ""}
        onExplain={(command, cwd) => {
          setPayload(undefined);
          navigate(hrefOf("policy", "explain", { command, cwd }), "replace");
        }}
      />
      <ExplainPayloadForm
        onExplain={(given) => {
          navigate(hrefOf("policy", "explain"), "replace");
          setPayload(given);
        }}
      />
      {problem === undefined ? null : <p className="problem">{problem}</p>}
      {answer === undefined ? null : <ExplanationView explanation={answer} pause={pause} />}
      <RecentRequests />
    </>
  );
}

function bodyOf(query: URLSearchParams, payload: object | undefined): ExplainBody | undefined {
  const [command, request, position] = ["command", "request", "position"].map((name) => query.get(name) ?? "");
  if (request !== undefined && request !== "") return { request };
  if (position !== undefined && /^[1-9]\d{0,14}$/.test(position)) return { position: Number(position) };
  if (command === undefined || command === "") return payload === undefined ? undefined : { payload };
  const cwd = query.get("cwd") ?? "";
  return { payload: { tool: "Bash", command, ...(cwd === "" ? {} : { cwd }) } };
}

function useExplanation(asked: string | undefined): {
  readonly answer: PolicyExplanation | undefined;
  readonly problem: string | undefined;
} {
  const [answer, setAnswer] = useState<PolicyExplanation>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    setAnswer(undefined);
    setProblem(undefined);
    if (asked === undefined) return;
    const stop = new AbortController();
    requestAsDevice<PolicyExplanation>("POST", "/api/policy/explain", JSON.parse(asked) as ExplainBody, stop.signal).then(
      (said) => {
        setAnswer(said);
        announceInRegion("polite", explanationInShort(said));
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setProblem(problemText(error));
      },
    );
    return () => stop.abort();
  }, [asked]);
  return { answer, problem };
}

/** Recent requests to choose from. */
function RecentRequests(): ReactNode {
  const id = useId();
  const recent = useHubRead<RequestList>(`/api/requests?before=${Number.MAX_SAFE_INTEGER}&limit=10`).answer?.requests ?? [];
  if (recent.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>Recent requests</h2>
      <ul className="plain-list">
        {recent.map((request) => (
          <li key={request.id}>
            <PageLink href={hrefOf("policy", "explain", { request: request.id })}>{headingIn(request.card.asked).heading}</PageLink>{" "}
            <span className="soft">
              <ShortTime at={request.openedAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
