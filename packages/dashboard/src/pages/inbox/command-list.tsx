import type { Inspection } from "@earshot/hub";
import type { ReactNode } from "react";
import { CardPart } from "./part.tsx";
import { ExactLines, ExactText } from "./shown-text.tsx";

/** The command as sent, and every simple command in it as it would run, with its wrappers and effects. */
export function CommandList({ inspection }: { readonly inspection: Inspection }): ReactNode {
  const { command, commands } = inspection;
  const dangers = new Map(inspection.dangers.map(({ id, sentence }) => [id, sentence]));
  if (command === undefined) return null;
  const [only] = commands;
  const isPlain = commands.length === 1 && only?.text === command.trim() && only.via.length === 0;
  return (
    <>
      {isPlain ? null : (
        <CardPart title="The command, as it was sent">
          <ExactLines text={command} />
        </CardPart>
      )}
      {commands.length === 0 ? null : (
        <CardPart
          title={
            isPlain ? "The command" : commands.length === 1 ? "Command that would run" : `The ${commands.length} commands that would run`
          }
        >
          {commands.length === 1 && only !== undefined ? (
            <div className="card-commands single">
              <SimpleCommand command={only} dangers={dangers} />
            </div>
          ) : (
            <ol className="card-commands">
              {commands.map((one, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the same command may stand there twice
                <li key={index}>
                  <SimpleCommand command={one} dangers={dangers} />
                </li>
              ))}
            </ol>
          )}
        </CardPart>
      )}
    </>
  );
}

interface SimpleCommandProps {
  readonly command: Inspection["commands"][number];
  /** Sentences by id. */
  readonly dangers: ReadonlyMap<string, string>;
}

function SimpleCommand({ command: { text, via, effect, dangers: ids }, dangers }: SimpleCommandProps): ReactNode {
  return (
    <>
      <code className="simple-command" dir="ltr">
        <ExactText text={text} />
      </code>
      <p>
        {via.length === 0 ? null : (
          <>
            {"By "}
            <ExactText text={via.join(", ")} />
            {". "}
          </>
        )}
        <ExactText text={effect} />
        {ids.map((id) => (
          <strong key={id} className="bad">
            {` ${dangers.get(id) ?? id}`}
          </strong>
        ))}
      </p>
    </>
  );
}
