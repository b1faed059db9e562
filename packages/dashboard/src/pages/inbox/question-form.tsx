import type { RequestView } from "@earshot/hub";
import { type FormQuestion, questionsIn } from "@earshot/hub/questions";
import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import type { BrowserReply } from "./decide.ts";
import { ObjectButton } from "./object-button.tsx";
import {
  type AnswerOption,
  acceptsSeveral,
  NO_QUESTION_INPUT,
  OWN_WORDS,
  optionsOf,
  type QuestionInput,
  readResponse,
} from "./questions.ts";
import { ExactText } from "./shown-text.tsx";

export interface QuestionFormProps {
  readonly view: RequestView;
  readonly what: string;
  readonly isBusy: boolean;
  readonly onResponse: (response: NonNullable<BrowserReply["response"]>) => void;
}

/** The agent's questions, with a field for each answer: choices, yes or no, a number, or text. */
export function QuestionForm({ view, what, isBusy, onResponse }: QuestionFormProps): ReactNode {
  const questions = questionsIn(view.card.asked);
  const [given, setGiven] = useState<readonly QuestionInput[]>([]);
  const [problem, setProblem] = useState<{ readonly at: number; readonly why: string }>();
  const form = useRef<HTMLFormElement>(null);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const read = readResponse(questions, given);
    if (read.ok) onResponse(read.response);
    else {
      setProblem(read);
      form.current?.querySelectorAll<HTMLElement>("[data-question]")[read.at]?.querySelector<HTMLElement>("input, textarea")?.focus();
    }
  };
  return (
    <form ref={form} onSubmit={send}>
      {questions.map((question, index) => (
        <QuestionFields
          // biome-ignore lint/suspicious/noArrayIndexKey: questions of one card stay in their order
          key={index}
          question={question}
          given={given[index] ?? NO_QUESTION_INPUT}
          problem={problem?.at === index ? problem.why : undefined}
          onGiven={(one) => {
            setProblem(undefined);
            setGiven((before) => questions.map((_question, at) => (at === index ? one : (before[at] ?? NO_QUESTION_INPUT))));
          }}
        />
      ))}
      <ObjectButton label={questions.length === 1 ? "Send the answer" : "Send the answers"} what={what} kind="primary" isBusy={isBusy} />
    </form>
  );
}

interface QuestionFieldsProps {
  readonly question: FormQuestion;
  readonly given: QuestionInput;
  readonly problem: string | undefined;
  readonly onGiven: (given: QuestionInput) => void;
}

function QuestionFields({ question, given, problem, onGiven }: QuestionFieldsProps): ReactNode {
  const id = useId();
  const options = optionsOf(question);
  const several = acceptsSeveral(question);
  const pick = (option: AnswerOption, isPicked: boolean) => {
    const others = several ? given.picked.filter((one) => one !== option.id) : [];
    onGiven({ ...given, picked: isPicked ? [...others, option.id] : others });
  };
  const asked = (
    <>
      <ExactText text={question.text} />
      {question.isOptional ? <span className="soft"> (optional)</span> : null}
    </>
  );
  const told =
    problem === undefined ? null : (
      <small id={`${id}-problem`} className="problem">
        {problem}
      </small>
    );
  const described = problem === undefined ? undefined : `${id}-problem`;
  const words = (label: ReactNode) => (
    <p className="field wide">
      <label htmlFor={id}>{label}</label>
      {question.kinds.includes("text") ? (
        <textarea
          id={id}
          rows={2}
          maxLength={16_000}
          value={given.text}
          aria-invalid={problem !== undefined}
          aria-describedby={described}
          onChange={({ currentTarget }) => onGiven({ ...given, text: currentTarget.value })}
        />
      ) : (
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          value={given.text}
          aria-invalid={problem !== undefined}
          aria-describedby={described}
          onChange={({ currentTarget }) => onGiven({ ...given, text: currentTarget.value })}
        />
      )}
      {options.length === 0 ? told : null}
    </p>
  );
  if (options.length === 0) return <div data-question="">{words(asked)}</div>;
  return (
    <fieldset className="card-picks" data-question="" aria-describedby={described}>
      <legend>{asked}</legend>
      {options.map((option) => (
        <label key={option.id} className="card-pick">
          <input
            type={several ? "checkbox" : "radio"}
            name={id}
            checked={given.picked.includes(option.id)}
            onChange={({ currentTarget }) => pick(option, currentTarget.checked)}
          />
          <span>
            <ExactText text={option.label} />
            {option.about === undefined ? null : (
              <span className="soft">
                {" – "}
                <ExactText text={option.about} />
              </span>
            )}
          </span>
        </label>
      ))}
      {given.picked.includes(OWN_WORDS) ? words(question.kinds.includes("text") ? "In your own words" : "The number") : null}
      {told}
    </fieldset>
  );
}
