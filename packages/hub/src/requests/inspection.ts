import { describeAsked, type Places, type PolicyInput as PutToRules, readToolInput, showHidden } from "@earshot/policy";
import { isObject, type JsonValue } from "@earshot/protocol/json";
import type { Inspection } from "./api.ts";
import type { AskedCard } from "./card.ts";

/** Inspects the shown input with masked secrets, ignoring the agent's own words. */
export function inspectAsked(asked: AskedCard, places: Places = {}): Inspection {
  const { kind, risk, irreversible } = asked;
  const hidden = hiddenIn(asked.input);
  if (kind !== "permission") return { commands: [], files: [], dangers: [], hidden, irreversible, risk };
  const put = toPutToRules(asked);
  const found = describeAsked(put, places);
  return {
    ...(put.command === undefined ? {} : { command: put.command }),
    commands: found.parts.flatMap(({ command, via, effect, dangers }) =>
      command === undefined ? [] : [{ text: command, via, effect, dangers }],
    ),
    files: found.files.flatMap(({ path, access, secret, exact }) => {
      // A word that may be a path in the project adds nothing to the command.
      if (access === undefined && !secret && put.cwd !== undefined && path.startsWith(`${put.cwd}/`)) return [];
      const notes = [...(secret ? ["looks like a secret"] : []), ...(exact ? [] : ["not exactly known before it runs"])];
      return [{ path, what: access === undefined ? "names" : VERBS[access], notes }];
    }),
    dangers: found.dangers,
    hidden,
    ...(found.uninspectable === undefined ? {} : { uninspectable: found.uninspectable }),
    irreversible: irreversible || found.reversible === false,
    risk: found.risk ?? risk,
  };
}

/** The question for the rules from an action's card. */
function toPutToRules({ title, input, facts, risk, session, agent }: AskedCard): PutToRules {
  const workspace = isObject(facts["workspace"]) ? facts["workspace"] : {};
  const { cwd, roots } = workspace;
  const server = isObject(facts["server"]) ? facts["server"]["name"] : undefined;
  return {
    moment: "action",
    agent,
    session,
    tool: title,
    ...readToolInput(title, input, typeof cwd === "string" ? cwd : undefined),
    ...(typeof server === "string" ? { server } : {}),
    ...(typeof cwd === "string" ? { cwd } : {}),
    ...(Array.isArray(roots) ? { roots: roots.filter((root) => typeof root === "string") } : {}),
    ...(risk === "unknown" ? {} : { risk }),
  };
}

const VERBS = { read: "reads", write: "writes", delete: "deletes" } as const;

const MAX_TEXTS = 200;
const MAX_TOLD = 20;

function hiddenIn(input: JsonValue | undefined): readonly string[] {
  const told = new Set<string>();
  for (const text of textsIn(input)) for (const one of showHidden(text).hidden) told.add(one.told);
  return [...told].slice(0, MAX_TOLD);
}

function textsIn(value: JsonValue | undefined, found: string[] = []): readonly string[] {
  if (found.length >= MAX_TEXTS) return found;
  if (typeof value === "string") found.push(value);
  else if (Array.isArray(value)) for (const one of value) textsIn(one, found);
  else if (isObject(value)) for (const one of Object.values(value)) textsIn(one, found);
  return found;
}
