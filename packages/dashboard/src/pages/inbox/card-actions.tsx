import type { RequestView } from "@earshot/hub";
import { questionsIn } from "@earshot/hub/questions";
import { agentName, type NoWord, type YesWord } from "@earshot/narrate";
import { type FormEvent, type ReactNode, useContext, useId, useState } from "react";
import { Countdown } from "../../parts/countdown.tsx";
import { StopDialog, useStopDialog } from "../../parts/stop-dialog.tsx";
import { describeForPage, shortenVisibly } from "../../words/request-words.ts";
import { formatClockTime } from "../../words/times.ts";
import { answerRequest, type BrowserReply, extendShownRequest, rememberShownRule } from "./decide.ts";
import { EditForm } from "./edit-form.tsx";
import { editableValuesOf } from "./edit-input.ts";
import { ObjectButton } from "./object-button.tsx";
import { Opener, type Panel, PanelBox } from "./panel-box.tsx";
import { QuestionForm } from "./question-form.tsx";
import { ScopeForm } from "./scope-form.tsx";
import { IsWhole } from "./shown-text.tsx";
import type { CardControls, DecisionResult } from "./use-card-controls.ts";

export interface CardActionsProps {
  /** The pending requests: one, or several equal ones. */
  readonly views: readonly [RequestView, ...RequestView[]];
  /** Short description of the request, for the accessible names of the buttons. */
  readonly what: string;
  readonly controls: CardControls;
  readonly panel: Panel;
  readonly onPanel: (panel: Panel) => void;
  /** Called to decide equal requests one by one. */
  readonly onApart: () => void;
}

/** All controls for answering a request. */
export function CardActions({ views, what, controls: desk, panel, onPanel, onApart }: CardActionsProps): ReactNode {
  const [view] = views;
  const { asked, terms } = view.card;
  const box = useId();
  const { isBusy } = desk;
  const { dialog, question } = useStopDialog();
  const isAlone = views.length === 1;
  const isQuestion = questionsIn(asked).length > 0;
  const { risky, no, ...described } = describeForPage(view);
  const isWhole = useContext(IsWhole);
  const yes = isWhole ? described.yes : undefined;
  const label = (word: keyof typeof LABELS) => (isAlone ? LABELS[word] : LABELS_FOR_ALL[word](views.length));
  const noLabel = no === undefined ? "" : isQuestion ? "Leave unanswered" : label(no);
  const answer = (reply: BrowserReply) => desk.decide(() => answerAll(views, reply));
  const opener = { what, box, panel, onPanel };
  const form = { view, what, isBusy };
  return (
    <div className="card-actions" data-arming={!desk.isArmed}>
      {isQuestion ? <QuestionForm {...form} onResponse={(response) => answer({ answer: "respond", response })} /> : null}
      <div className="action-row main-actions">
        {yes === undefined ? null : risky !== undefined ? (
          <Opener {...opener} opens="confirm" label={label(yes)} kind="risky" />
        ) : (
          <ObjectButton label={label(yes)} what={what} kind="primary" isBusy={isBusy} onPress={() => answer({ answer: yes })} />
        )}
        {no === undefined ? null : <ObjectButton label={noLabel} what={what} isBusy={isBusy} onPress={() => answer({ answer: no })} />}
        {view.deadlineAt === null ? null : <Countdown until={view.deadlineAt} />}
      </div>
      <div className="action-row">
        {no === undefined ? null : <Opener {...opener} opens="reason" label={`${noLabel}, with a reason`} />}
        {isAlone && isWhole && editableValuesOf(asked, terms.answers).some(({ isMasked }) => !isMasked) ? (
          <Opener {...opener} opens="edit" label="Edit first" />
        ) : null}
        {isAlone && yes === "allow" && risky === undefined ? <Opener {...opener} opens="scope" label="Allow for longer" /> : null}
        {view.extensionsLeft > 0 ? (
          <ObjectButton label="More time" what={what} kind="quiet" isBusy={isBusy} onPress={() => desk.change(() => giveTime(views))} />
        ) : null}
        {terms.answers.includes("defer") ? (
          <ObjectButton
            label="Answer in the agent instead"
            what={what}
            kind="quiet"
            isBusy={isBusy}
            onPress={() => answer({ answer: "defer" })}
          />
        ) : null}
        {isAlone ? (
          <ObjectButton label="Stop this session …" what={what} kind="quiet" isBusy={isBusy} onPress={question} />
        ) : (
          <ObjectButton label="Decide them one by one" what={what} kind="quiet" onPress={onApart} />
        )}
      </div>
      <PanelBox id={box} panel={panel} onClose={() => onPanel(undefined)}>
        {panel === "confirm" && yes !== undefined ? (
          <div className="action-row">
            <p>{risky}</p>
            <ObjectButton
              label={`${label(yes)} all the same`}
              what={what}
              kind="risky"
              isBusy={isBusy}
              onPress={() => answer({ answer: yes })}
            />
          </div>
        ) : null}
        {panel === "reason" && no !== undefined ? (
          <ReasonForm
            what={what}
            isBusy={isBusy}
            submit={`${noLabel}, with this reason`}
            agent={shortenVisibly(agentName(asked.agent), 60)}
            onReason={(reason) => answer({ answer: no, reason, message: reason })}
          />
        ) : null}
        {panel === "edit" && isWhole ? <EditForm {...form} onEdit={(edit) => answer({ answer: "allow", edit })} /> : null}
        {panel === "scope" && isWhole ? (
          <ScopeForm
            {...form}
            attempt={desk.note}
            onRule={(proposal) => desk.decide(async () => ({ views: [await rememberShownRule(proposal)] }))}
          />
        ) : null}
      </PanelBox>
      <p className="action-note">{desk.note}</p>
      <StopDialog ref={dialog} name={agentName(asked.agent)} session={view} onStopped={desk.readAgain} />
    </div>
  );
}

/** Answers all requests, even if one fails. */
async function answerAll(views: readonly RequestView[], reply: BrowserReply): Promise<DecisionResult> {
  const results = await Promise.allSettled(views.map((view) => answerRequest(view, reply)));
  const failed = results.find((result) => result.status === "rejected");
  const settled = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  return { views: settled, ...(failed === undefined ? {} : { failure: failed.reason }) };
}

async function giveTime(views: readonly RequestView[]): Promise<string> {
  const [first] = await Promise.all(views.map(extendShownRequest));
  return first?.deadlineAt == null ? "There is more time." : `There is time until ${formatClockTime(first.deadlineAt)} now.`;
}

/** Labels of the allow and deny buttons. */
const LABELS = {
  allow: "Allow once",
  accept: "Allow once",
  continue: "Continue",
  "take-over": "Take over",
  deny: "Deny",
  reject: "Deny",
  block: "Block",
  decline: "Decline",
} as const satisfies Readonly<Record<YesWord | NoWord, string>>;

/** Labels for several equal requests. */
const LABELS_FOR_ALL = {
  allow: (count) => `Allow all ${count} once`,
  accept: (count) => `Allow all ${count} once`,
  continue: (count) => `Continue all ${count}`,
  "take-over": (count) => `Take over all ${count}`,
  deny: (count) => `Deny all ${count}`,
  reject: (count) => `Deny all ${count}`,
  block: (count) => `Block all ${count}`,
  decline: (count) => `Decline all ${count}`,
} as const satisfies Readonly<Record<keyof typeof LABELS, (count: number) => string>>;

interface ReasonFormProps {
  /** "Deny with this reason". */
  readonly submit: string;
  /** Short description of the request, for the accessible name of the button. */
  readonly what: string;
  readonly agent: string;
  readonly isBusy: boolean;
  readonly onReason: (reason: string) => void;
}

/** Asks for a reason, which is sent to the agent. */
function ReasonForm({ submit, what, agent, isBusy, onReason }: ReasonFormProps): ReactNode {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get("reason") ?? "").trim();
    if (reason !== "") onReason(reason);
    else setProblem("Enter a reason.");
  };
  return (
    <form onSubmit={send}>
      <p className="field wide">
        <label htmlFor={id}>{`Reason, sent to ${agent}`}</label>
        <textarea
          id={id}
          name="reason"
          rows={2}
          maxLength={2000}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        />
        {problem === undefined ? null : (
          <small id={`${id}-problem`} className="problem">
            {problem}
          </small>
        )}
      </p>
      <ObjectButton label={submit} what={what} isBusy={isBusy} />
    </form>
  );
}
