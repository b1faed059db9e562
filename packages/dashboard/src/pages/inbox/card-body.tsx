import type { AskedCard, Inspection, RequestView } from "@earshot/hub";
import { questionsIn } from "@earshot/hub/questions";
import { agentName, capitalize, formatCount, formatNumber, isChangeMember, type ShownLine } from "@earshot/narrate";
import { isObject, type JsonObject, type JsonValue } from "@earshot/protocol/json";
import { memo, type ReactNode, useContext } from "react";
import { shortenVisibly } from "../../words/request-words.ts";
import { type InputFileChange, readInputChanges } from "./change.ts";
import { CommandList } from "./command-list.tsx";
import { CardPart } from "./part.tsx";
import { ExactLines, ExactText, IsWhole } from "./shown-text.tsx";

export interface CardBodyProps {
  readonly view: RequestView;
}

/**
 * Shows what would happen, derived from the agent's real input, and separately what the agent says about it. The digest covers all of it,
 * and diffing is slow: rendered once per digest.
 */
export const CardBody = memo(Body, (before, after) => before.view.digest === after.view.digest && before.view.id === after.view.id);

function Body({ view }: CardBodyProps): ReactNode {
  const { card, inspection } = view;
  const { asked } = card;
  const changes = readInputChanges(asked);
  const rest = restOf(asked, inspection, changes.length > 0);
  const { masked = [] } = asked;
  return (
    <>
      {asked.isCut === true ? (
        <p className="note">
          <strong>This is not the complete input.</strong> The input is too large to be shown completely and cannot be allowed here.
        </p>
      ) : null}
      <CommandList inspection={inspection} />
      {inspection.files.length === 0 ? null : (
        <CardPart title={inspection.files.length === 1 ? "The file" : "Files"}>
          <ul className="card-files">
            {inspection.files.map(({ path, what, notes }) => (
              <li key={`${what} ${path}`}>
                {capitalize(what)}{" "}
                <code dir="ltr">
                  <ExactText text={path} />
                </code>
                {notes.length === 0 ? null : <strong className="warn">{`, ${notes.join(", ")}`}</strong>}
              </li>
            ))}
          </ul>
        </CardPart>
      )}
      {changes.length === 0 ? null : (
        <CardPart title="The change">
          {changes.map((change, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: changes of one input stay in their order
            <ChangeView key={index} change={change} />
          ))}
        </CardPart>
      )}
      {rest === undefined ? null : (
        <CardPart title={isTold(inspection, changes.length) ? "The rest of the input" : "The input"}>
          <ValueView value={rest} />
        </CardPart>
      )}
      {masked.length === 0 ? null : (
        <p className="note">
          Masked, since it looks like a secret:{" "}
          {masked.map(({ pointer }) => (pointer === "" ? "all of the input" : shortenVisibly(pointer.slice(1), 80))).join(", ")}.
        </p>
      )}
      <Handoff asked={asked} />
      <AgentWords asked={asked} />
      {asked.input === undefined ? null : (
        <details>
          <summary>The whole input, as it was sent</summary>
          <ExactLines text={JSON.stringify(asked.input, undefined, 2)} />
        </details>
      )}
      <details>
        <summary>Further details</summary>
        <ValueView value={knownOf(view)} />
      </details>
    </>
  );
}

const PATH_MEMBERS = new Set(["file_path", "filePath", "path", "notebook_path", "filename"]);

function isTold({ command, files }: Inspection, changes: number): boolean {
  return command !== undefined || files.length > 0 || changes > 0;
}

/** Returns the part of the input not yet shown. The agent's own description of its command is shown with its other statements. */
function restOf(asked: AskedCard, inspection: Inspection, hasChange: boolean): AskedCard["input"] {
  const { input, fields } = asked;
  if (input === undefined || fields !== undefined) return undefined;
  if (!isObject(input)) return hasChange ? undefined : input;
  const rest = Object.entries(input).filter(([name, value]) => {
    if (value === inspection.command) return false;
    if (PATH_MEMBERS.has(name)) return inspection.files.length === 0;
    if (hasChange && isChangeMember(name, asked)) return false;
    return value !== undefined && !isDescription(name, input);
  });
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

function isDescription(name: string, input: JsonObject): boolean {
  return name === "description" && typeof input["description"] === "string" && typeof input["command"] === "string";
}

const NAMES: Readonly<Record<string, string>> = {
  rationale: "Why",
  description: "Purpose",
  action: "What",
  consequence: "Consequence",
  summary_normal: "In short",
  question: "Question",
  context: "Context",
  reason: "Why",
  message: "Message",
};

function AgentWords({ asked }: { readonly asked: AskedCard }): ReactNode {
  const { input } = asked;
  const about = isObject(input) && isDescription("description", input) ? [{ name: "description", text: String(input["description"]) }] : [];
  const questions = new Set(questionsIn(asked).map(({ text }) => text)); // stand above their fields already
  const said = [...asked.said, ...about].filter(({ text }) => !questions.has(text));
  if (said.length === 0) return null;
  return (
    <CardPart title={`In the words of ${shortenVisibly(agentName(asked.agent), 60)}, unchecked`}>
      <blockquote className="agent-words">
        {said.map(({ name, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an agent may use a name twice
          <p key={index}>
            <span className="soft">{`${Object.hasOwn(NAMES, name) ? NAMES[name] : shortenVisibly(name, 40)}: `}</span>
            <ExactText text={text} />
          </p>
        ))}
      </blockquote>
    </CardPart>
  );
}

/** The context given to the person who takes over. The address is shown as text: nothing here opens it. */
function Handoff({ asked: { kind, facts } }: { readonly asked: AskedCard }): ReactNode {
  if (kind !== "handoff") return null;
  const { target_kind: target, urgency_for_handoff: urgency, target_uri: address, packaged_context: context } = facts;
  const told = Object.entries({ "For whom": target, Urgency: urgency, Address: address }).filter(([, value]) => value !== undefined);
  return (
    <CardPart title="Handoff">
      {told.length === 0 ? null : <ValueView value={Object.fromEntries(told)} />}
      {context === undefined ? (
        <p>The agent handed over no further information.</p>
      ) : (
        <>
          <h4>Context from the agent</h4>
          <ValueView value={context} />
        </>
      )}
    </CardPart>
  );
}

function knownOf({ card, source, session, protocol, id, position }: RequestView): JsonObject {
  const { packaged_context: _shown, ...facts } = card.asked.facts;
  return { ...facts, "asked because": card.terms.because, session, source, protocol, position, request: id };
}

const DEEPEST = 12;
const MAX_CUT_MEMBERS = 200;
const MAX_CUT_CHANGE_LINES = 2000;

/** A value as names and contents without brackets: easier to read, visually and aloud, than JSON. Bounded in depth. */
function ValueView({ value, depth = 0 }: { readonly value: JsonValue; readonly depth?: number }): ReactNode {
  const isWhole = useContext(IsWhole);
  if (typeof value === "string") {
    if (value === "") return <span className="soft">empty</span>;
    return value.includes("\n") || value.length > 200 ? <ExactLines text={value} /> : <ExactText text={value} />;
  }
  if (typeof value !== "object" || value === null) return <code>{JSON.stringify(value)}</code>;
  const members = Array.isArray(value) ? value.map((one, index) => [String(index + 1), one] as const) : Object.entries(value);
  if (members.length === 0) return <span className="soft">empty</span>;
  const left = isWhole ? 0 : members.length - MAX_CUT_MEMBERS;
  if (depth >= DEEPEST || !(Array.isArray(value) || isObject(value))) return <ExactLines text={JSON.stringify(value)} />;
  return (
    <dl className="value-list">
      {(left > 0 ? members.slice(0, MAX_CUT_MEMBERS) : members).map(([member, one]) => (
        <div key={member}>
          <dt>
            <ExactText text={member} />
          </dt>
          <dd>
            <ValueView value={one ?? null} depth={depth + 1} />
          </dd>
        </div>
      ))}
      {left > 0 ? (
        <div>
          <dt>{`${formatNumber(left)} more`}</dt>
        </div>
      ) : null}
    </dl>
  );
}

/** A change line by line. Sign, color and word convey the same for each line. */
function ChangeView({ change }: { readonly change: InputFileChange }): ReactNode {
  const { title, lines, gone, added } = change;
  const left = useContext(IsWhole) ? 0 : lines.length - MAX_CUT_CHANGE_LINES;
  return (
    <figure className="card-change">
      <figcaption>
        {title === undefined ? "" : `${title}: `}
        {`${formatCount(gone, "line")} removed, ${formatCount(added, "line")} added`}
      </figcaption>
      <ol className="change-lines" dir="ltr">
        {(left > 0 ? lines.slice(0, MAX_CUT_CHANGE_LINES) : lines).map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name, and they do not change
          <Line key={index} line={line} />
        ))}
        {left > 0 ? <Line line={{ kind: "skip", text: `${formatNumber(left)} more lines of the change` }} /> : null}
      </ol>
    </figure>
  );
}

const SIGNS: Readonly<Record<ShownLine["kind"], readonly [string, string]>> = {
  same: [" ", ""],
  gone: ["−", "removed: "],
  new: ["+", "added: "],
  skip: ["⋯", ""],
};

function Line({ line: { kind, text } }: { readonly line: ShownLine }): ReactNode {
  const [sign, word] = SIGNS[kind];
  return (
    <li className={`line-${kind}`}>
      <span aria-hidden="true" className="sign">
        {sign}
      </span>
      {word === "" ? null : <span className="told">{word}</span>}
      <span className="line-text">
        <ExactText text={text} />
      </span>
    </li>
  );
}
