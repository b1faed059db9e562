import { homedir } from "node:os";
import type { Asked } from "@earshot/hub";
import { homeOf } from "@earshot/hub/home";
import { describeAsked, type Places, type Asked as PutToRules, readToolInput } from "@earshot/policy";
import { isObject } from "@earshot/protocol";

/** What the reading of shell commands and the catalogue of dangers say about what is asked. */
export interface Inspection {
  /** Every simple command in it, as it would run; none where it is no command. */
  readonly commands: readonly InspectedCommand[];
  readonly files: readonly InspectedFile[];
  /** What it is known to do, in whole sentences. */
  readonly dangers: readonly string[];
  /** What a screen would hide in the command, in whole sentences. */
  readonly hidden: readonly string[];
  /** Why it could not be taken apart. */
  readonly uninspectable?: string;
  /** Something in it is known to have no way back. */
  readonly irreversible: boolean;
  readonly risk: Asked["risk"];
}

export interface InspectedFile {
  readonly path: string;
  /** `reads`, `writes`, `deletes`, or `names` where it cannot be told. */
  readonly what: string;
  /** What else is to be known about it. */
  readonly notes: readonly string[];
}

export interface InspectedCommand {
  readonly text: string;
  /** What it is wrapped in, outermost first: sudo, bash -c. */
  readonly via: readonly string[];
  /** What it does, in a sentence. */
  readonly effect: string;
  readonly dangers: readonly string[];
}

/** Looks into the input as it is shown, where secrets are masked. The agent's own words about it play no part. */
export function inspectRequest(asked: Asked, places: Places = ownPlaces()): Inspection {
  const { kind, risk, irreversible } = asked;
  if (kind !== "permission") return { commands: [], files: [], dangers: [], hidden: [], irreversible, risk };
  const found = describeAsked(toPutToRules(asked), places);
  const sentences = new Map(found.dangers.map(({ id, sentence }) => [id, sentence]));
  return {
    commands: found.parts.flatMap(({ command, via, effect, dangers }) =>
      command === undefined ? [] : [{ text: command, via, effect, dangers: dangers.flatMap((id) => sentences.get(id) ?? []) }],
    ),
    files: found.files.map(({ path, access, secret, exact }) => ({
      path,
      what: access === undefined ? "names" : VERBS[access],
      notes: [...(secret ? ["looks like a secret"] : []), ...(exact ? [] : ["not exactly known before it runs"])],
    })),
    dangers: [...sentences.values()],
    hidden: found.command?.hidden.map(({ told }) => told) ?? [],
    ...(found.uninspectable === undefined ? {} : { uninspectable: found.uninspectable }),
    irreversible: irreversible || found.reversible === false,
    risk: found.risk ?? risk,
  };
}

/** What is put to the rules by a card of an action. */
function toPutToRules({ title, input, facts, risk, session, agent }: Asked): PutToRules {
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

/** The folders of whoever runs this command. */
export function ownPlaces(): Places {
  return { home: homedir(), earshot: homeOf(process.env).folder };
}
