import type { PathAccess, Places, PolicyInput } from "../asked.ts";
import type { PolicyRisk } from "../behaviour.ts";
import { isSecretPath } from "../catalogue/secrets.ts";
import { findFacts } from "../facts.ts";
import { printCommand } from "../shell/shell-command.ts";
import { describeEffect } from "./describe-effect.ts";
import { showHidden, type VisibleTextParts } from "./show-hidden.ts";

/** The contents of a request's card, taken from the raw input alone. Every text is still escaped by the code that prints or draws it. */
export interface AskedDescription {
  /** The command as it would run, with hidden characters written out. */
  readonly command?: VisibleTextParts;
  readonly parts: readonly DescribedPart[];
  readonly inspectable: boolean;
  /** Why the command could not be parsed. */
  readonly uninspectable?: string;
  readonly files: readonly DescribedFile[];
  readonly dangers: readonly DescribedDanger[];
  /** The higher of the agent's rating and the policy's. */
  readonly risk?: PolicyRisk;
  readonly reversible?: boolean;
  /** The agent's own description, to be shown separately and marked as such. */
  readonly said?: VisibleTextParts;
}

export interface DescribedPart {
  /** The simple command without wrappers; absent for the tool's own action. */
  readonly command?: string;
  /** Its wrappers: sudo, xargs. */
  readonly via: readonly string[];
  readonly effect: string;
  /** Ids from the catalogue. */
  readonly dangers: readonly string[];
}

export interface DescribedFile {
  readonly path: string;
  /** Absent if unknown. */
  readonly access?: PathAccess;
  /** False if the path is not exactly known. */
  readonly exact: boolean;
  readonly secret: boolean;
}

export interface DescribedDanger {
  readonly id: string;
  readonly sentence: string;
}

export function describeAsked(asked: PolicyInput, places: Places = {}): AskedDescription {
  const { parts, inspectable, dangers, judged } = findFacts(asked, places);
  const described = parts.map((part): DescribedPart => {
    const { command } = part;
    return {
      ...(command === undefined ? {} : { command: showHidden(printCommand(command)).shown }),
      via: command?.via.map(({ name }) => name) ?? [],
      effect: describeEffect(part),
      dangers: part.dangers.map(({ id }) => id),
    };
  });
  return {
    ...(asked.command === undefined ? {} : { command: showHidden(asked.command) }),
    parts: described,
    inspectable,
    ...(judged.uninspectable === undefined ? {} : { uninspectable: judged.uninspectable }),
    files: filesOf(parts.flatMap(({ touched }) => touched)),
    dangers: dangers.map(({ id, sentence }) => ({ id, sentence })),
    ...(judged.risk === undefined ? {} : { risk: judged.risk }),
    ...(judged.reversible === undefined ? {} : { reversible: judged.reversible }),
    ...(asked.said === undefined ? {} : { said: showHidden(asked.said) }),
  };
}

/** Files with a known access first, then words that look like paths. */
function filesOf(touched: ReturnType<typeof findFacts>["parts"][number]["touched"]): readonly DescribedFile[] {
  const files = new Map<string, DescribedFile>();
  const looksLikePath = (path: string) => /[/\\]/.test(path);
  for (const { path, access, shape } of touched) {
    if (access === undefined && !looksLikePath(path)) continue;
    const key = `${access ?? ""} ${path}`;
    const file = {
      path: showHidden(path).shown,
      ...(access === undefined ? {} : { access }),
      exact: shape === undefined,
      secret: isSecretPath(shape ?? path),
    };
    if (!files.has(key)) files.set(key, file);
  }
  const all = [...files.values()];
  return [...all.filter(({ access }) => access !== undefined), ...all.filter(({ access }) => access === undefined)];
}
