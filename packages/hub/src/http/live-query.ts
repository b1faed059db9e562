import { EarshotError, isProtocolName } from "@earshot/protocol";
import type { LiveFilter } from "../live/frames.ts";

/** What a listener asks for in its address: from where on, and which events. */
export interface LiveQuery {
  readonly after: number | "now";
  readonly filter: LiveFilter;
  /** Whether alerts are told beside the events. */
  readonly alerts: boolean;
}

const NAMES = ["after", "session", "agent", "protocol", "type"] as const;
export const NAMES_WITH_ALERTS = [...NAMES, "alerts"] as const;
type Name = (typeof NAMES_WITH_ALERTS)[number];

/**
 * Reads the query of a request for live events. A browser that reconnects asks for the same address again and adds
 * `Last-Event-ID`, so that header wins over `after`. Throws a problem that names the parameter: a filter that was
 * misspelt must not show everything instead.
 */
export function readLiveQuery(url: string, lastEventId: string | undefined, allowed: readonly Name[] = NAMES): LiveQuery {
  const parameters = new URLSearchParams(url.split("?").slice(1).join("?"));
  for (const name of parameters.keys()) {
    if (!allowed.some((one) => one === name)) throw wrong(name, `is not known here; there are ${allowed.join(", ")}`);
  }
  const session = one(parameters, "session");
  const agent = one(parameters, "agent");
  const type = several(parameters, "type");
  const protocol = several(parameters, "protocol")?.map((name) => {
    if (!isProtocolName(name)) throw wrong("protocol", "takes aaep, aep and aop, separated by commas");
    return name;
  });
  if (type?.some((name) => name.slice(0, -1).includes("*"))) throw wrong("type", "takes a * at the end of a name only");
  const alerts = one(parameters, "alerts");
  if (alerts !== undefined && alerts !== "1") throw wrong("alerts", "takes 1, or is left out");
  return {
    alerts: alerts === "1",
    after:
      lastEventId === undefined || lastEventId === ""
        ? readAfter("after", one(parameters, "after"))
        : readAfter("Last-Event-ID", lastEventId),
    filter: {
      ...(session === undefined ? {} : { session }),
      ...(agent === undefined ? {} : { agent }),
      ...(type === undefined ? {} : { type }),
      ...(protocol === undefined ? {} : { protocol }),
    },
  };
}

function readAfter(name: string, text: string | undefined): number | "now" {
  if (text === undefined || text === "now") return "now";
  const position = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(position)) throw wrong(name, "takes a position: a whole number from 0 on, or `now`");
  return position;
}

function one(parameters: URLSearchParams, name: Name): string | undefined {
  const values = parameters.getAll(name);
  if (values.length > 1) throw wrong(name, "was given more than once");
  if (values[0] === "") throw wrong(name, "is empty");
  return values[0];
}

function several(parameters: URLSearchParams, name: Name): readonly string[] | undefined {
  if (!parameters.has(name)) return undefined;
  const values = parameters.getAll(name).flatMap((value) => value.split(","));
  if (values.includes("")) throw wrong(name, "is empty, or has nothing between two commas");
  return values;
}

function wrong(name: string, what: string): EarshotError {
  return new EarshotError({ code: "WRONG_QUERY", message: `\`${name.slice(0, 80)}\` ${what}.` });
}
