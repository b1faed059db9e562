import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";
import { Settings } from "typebox/system";
import type { Finding } from "./finding.ts";
import { pointerTo } from "./problem.ts";

/** RFC 3986, absolute, with percent-encoding checked; brackets only around an IP literal. */
const PCHAR = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})";
const HOST = "(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*";
const GROUP = "[0-9A-Fa-f]{1,4}";
const IPV6 = [
  `(?:${GROUP}:){7}${GROUP}`,
  `(?:${GROUP}:){1,7}:`,
  ...[6, 5, 4, 3, 2].map((left) => `(?:${GROUP}:){1,${left}}(?::${GROUP}){1,${7 - left}}`),
  `${GROUP}:(?::${GROUP}){1,6}`,
  `:(?::${GROUP}){1,7}`,
  "::",
].join("|");
export const URI_PATTERN =
  "^[A-Za-z][A-Za-z0-9+.-]*:" +
  `(?://(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?(?:\\[(?:${IPV6})\\]|${HOST})(?::[0-9]*)?(?:/${PCHAR}*)*` +
  `|/?${PCHAR}+(?:/${PCHAR}*)*|/)` +
  `(?:\\?(?:${PCHAR}|[/?])*)?(?:#(?:${PCHAR}|[/?])*)?$`;

export interface ShapeError {
  readonly pointer: string;
  readonly keyword: string;
  /** The expectation, in words for a person. */
  readonly message: string;
  /** The first pointer segment: the top-level member concerned. */
  readonly member: string;
}

export interface Shape {
  check(value: unknown): boolean;
  /** The errors of the value; run only if `check` returned false. */
  errors(value: unknown, noun?: string): readonly ShapeError[];
}

// TypeBox stops collecting at 8 errors by default; many errors in one object would hide another object's error.
const MAX_COLLECTED = 100;

/** Compiles a schema once. If code generation is forbidden (a page with a strict policy), TypeBox interprets the schema instead. */
export function compileShape(schema: TSchema): Shape {
  const validator = Compile(schema);
  return {
    check: (value) => validator.Check(value),
    errors: (value, noun = "The event") => {
      Settings.Set({ maxErrors: MAX_COLLECTED });
      return describe(validator.Errors(value), value, noun);
    },
  };
}

/** Defers compilation until first use: a command that reads one protocol does not pay for the other two. */
export function lazyShape(schema: () => TSchema): Shape {
  let shape: Shape | undefined;
  const get = () => {
    shape ??= compileShape(schema());
    return shape;
  };
  return { check: (value) => get().check(value), errors: (value, noun) => get().errors(value, noun) };
}

/**
 * Findings for a value that does not fit, each with the rule of the member concerned. Skipped if `ruleFor` returns undefined, because
 * code reports that error better.
 */
export function shapeFindings(
  shape: Shape,
  value: unknown,
  ruleFor: (error: ShapeError) => string | undefined,
  noun = "The event",
): Finding[] {
  const findings: Finding[] = [];
  for (const error of shape.errors(value, noun)) {
    const rule = ruleFor(error);
    if (rule === undefined) continue;
    // Each branch of a union reports its own missing member; the first report suffices.
    if (findings.some((other) => other.rule === rule && other.pointer === error.pointer)) continue;
    findings.push({ rule, pointer: error.pointer, message: error.message });
  }
  return findings;
}

/** The rule that a member enforces, or else its object's rule: schemas name it in `$comment`. */
export function ruleEnforced(schema: TSchema, pointer: string): string | undefined {
  let rule: unknown;
  let current: unknown = schema;
  for (const segment of ["", ...pointer.split("/").slice(1)]) {
    if (segment !== "") current = membersOf(current)[segment];
    rule = (current as { readonly $comment?: unknown } | undefined)?.$comment ?? rule;
  }
  return typeof rule === "string" ? rule : undefined;
}

function membersOf(schema: unknown): Readonly<Record<string, unknown>> {
  return (schema as { readonly properties?: Readonly<Record<string, unknown>> } | undefined)?.properties ?? {};
}

/** Keywords that only repeat a more precise error. */
const ECHOES = new Set(["boolean", "anyOf", "oneOf", "allOf", "if", "not", "items", "properties", "contains"]);
const MAX_ERRORS = 50;

function describe(errors: readonly TLocalizedValidationError[], value: unknown, noun: string): ShapeError[] {
  const precise = errors.filter((error) => !ECHOES.has(error.keyword) && !isEcho(error, errors));
  const chosen = precise.length > 0 ? precise : errors;
  const described: ShapeError[] = [];
  const seen = new Set<string>();
  for (const error of chosen) {
    for (const one of expand(error, value, noun)) {
      const key = `${one.pointer} ${one.message}`;
      if (seen.has(key) || described.length >= MAX_ERRORS) continue;
      seen.add(key);
      described.push(one);
    }
  }
  return described;
}

/** "May not have a member x" next to "x must be a number" is the same mistake, described better by the second. */
function isEcho(error: TLocalizedValidationError, all: readonly TLocalizedValidationError[]): boolean {
  if (error.keyword !== "additionalProperties" && error.keyword !== "unevaluatedProperties") return false;
  return all.some((other) => other !== error && other.keyword !== "boolean" && other.instancePath.startsWith(`${error.instancePath}/`));
}

function expand(error: TLocalizedValidationError, value: unknown, noun: string): ShapeError[] {
  const pointer = error.instancePath;
  const build = (at: string, message: string): ShapeError => ({
    pointer: at,
    keyword: error.keyword,
    message,
    member: (at.split("/")[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~"),
  });
  const name = pointer === "" ? noun : `\`${pointer.slice(1).replaceAll("/", ".")}\``;
  switch (error.keyword) {
    case "required":
      return error.params.requiredProperties.map((property) => build(pointer + pointerTo(property), `\`${property}\` is missing.`));
    case "additionalProperties":
    case "unevaluatedProperties": {
      const unknown = "additionalProperties" in error.params ? error.params.additionalProperties : error.params.unevaluatedProperties;
      return (unknown as readonly string[]).map((property) =>
        build(pointer + pointerTo(property), `${name} may not have a member \`${clipText(String(property))}\`.`),
      );
    }
    case "type":
      return [build(pointer, `${name} must be ${article(String(error.params.type))}; found ${jsonKindOf(at(value, pointer))}.`)];
    case "const":
      return [build(pointer, `${name} must be ${JSON.stringify(error.params.allowedValue)}; found ${quoteJsonValue(at(value, pointer))}.`)];
    case "enum":
      return [build(pointer, `${name} must be one of ${list(error.params.allowedValues)}; found ${quoteJsonValue(at(value, pointer))}.`)];
    case "pattern":
      return [build(pointer, `${name} does not have the required form; found ${quoteJsonValue(at(value, pointer))}.`)];
    case "minLength":
      return [
        build(
          pointer,
          error.params.limit === 1 ? `${name} must not be empty.` : `${name} must have at least ${error.params.limit} characters.`,
        ),
      ];
    case "maxLength":
      return [build(pointer, `${name} must have at most ${error.params.limit} characters.`)];
    case "minimum":
    case "maximum":
      return [
        build(
          pointer,
          `${name} must be ${error.params.comparison === ">=" ? "at least" : "at most"} ${error.params.limit}; found ${quoteJsonValue(at(value, pointer))}.`,
        ),
      ];
    case "minItems":
      return [build(pointer, `${name} must have at least ${error.params.limit} item${error.params.limit === 1 ? "" : "s"}.`)];
    case "maxItems":
      return [build(pointer, `${name} must have at most ${error.params.limit} items.`)];
    case "uniqueItems":
      return [build(pointer, `${name} must not have the same item twice.`)];
    case "minProperties":
      return [build(pointer, `${name} must have at least ${error.params.limit} member${error.params.limit === 1 ? "" : "s"}.`)];
    default:
      return [build(pointer, `${name} ${error.message}.`)];
  }
}

function at(value: unknown, pointer: string): unknown {
  let current: unknown = value;
  for (const segment of pointer.split("/").slice(1)) {
    if (typeof current !== "object" || current === null) return undefined;
    current = (current as Record<string, unknown>)[segment.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return current;
}

export function jsonKindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a number";
  return article(typeof value);
}

/** A value as part of a sentence: short, on one line, without control characters. */
export function quoteJsonValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "object" && value !== null) return jsonKindOf(value);
  return clipText(JSON.stringify(value));
}

export function clipText(text: string, limit = 80): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: taking control characters out is the purpose
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
  const points = Array.from(plain.slice(0, limit * 2));
  return points.length > limit || plain.length > limit * 2 ? `${points.slice(0, limit - 1).join("")}…` : plain;
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

function list(values: readonly unknown[]): string {
  const shown = values.map((value) => JSON.stringify(value));
  return shown.length > 12 ? `${shown.slice(0, 12).join(", ")} …` : shown.join(", ");
}
