import { formatShortDuration } from "@earshot/narrate";
import type { ReactNode } from "react";
import { clockTime } from "./clock-time.ts";
import { STATE_WORDS, type Stretch } from "./course.ts";

/** The strip in words and numbers. */
export function StateTable({ stretches }: { readonly stretches: readonly Stretch[] }): ReactNode {
  return (
    <div className="table-scroll">
      <table>
        <caption>What the agent was at</caption>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Lasted</th>
          </tr>
        </thead>
        <tbody>
          {stretches.slice(0, MOST).map(({ state, from, to }) => (
            <tr key={from}>
              <th scope="row">{STATE_WORDS[state]}</th>
              <td>{clockTime(from)}</td>
              <td>{clockTime(to)}</td>
              <td>{formatShortDuration(to - from)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {stretches.length > MOST ? <p className="soft">{`The first ${MOST} of ${stretches.length}.`}</p> : null}
    </div>
  );
}

const MOST = 500;
