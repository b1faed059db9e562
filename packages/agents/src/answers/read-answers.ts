import { BEHAVIORS, type Behavior } from "@earshot/protocol/aep";
import type { JsonObject, JsonValue } from "@earshot/protocol/json";
import { isPlain } from "../mapping/json-values.ts";
import { childPointer, Inspector } from "../text/inspector.ts";
import { type ReadResult, readYaml, type Strictness } from "../text/read-yaml.ts";
import {
  type AgentAnswers,
  type AskSupport,
  GATE_GRADES,
  HOOK_MOMENTS,
  type HookAnswers,
  type HookReply,
  type ReplyAddition,
} from "./answers.ts";

export const ANSWERS_VERSION = "earshot.answers/v1";
const MAX_CHARACTERS = 10_000;

/** Reads an answers file. Every problem has its line and column. */
export function readAgentAnswers(text: string, strictness: Strictness = "strict"): ReadResult<AgentAnswers> {
  const yaml = readYaml(text, strictness);
  if (!yaml.ok) return yaml;
  const inspector = new Inspector(yaml.value.place, strictness, yaml.warnings);
  const map = inspector.map(yaml.value.value, "");
  const answers = map === undefined ? undefined : readFile(map, inspector);
  if (answers === undefined || inspector.hasErrors) return { ok: false, troubles: inspector.troubles };
  return { ok: true, value: answers, warnings: inspector.troubles };
}

function readFile(map: JsonObject, inspector: Inspector): AgentAnswers | undefined {
  inspector.members(map, "", ["schema_version", "agent", "gate", "neutral", "asking", "limits", "hooks"]);
  const version = inspector.required(map, "schema_version", "");
  if (version !== undefined && version !== ANSWERS_VERSION) {
    inspector.error(
      "/schema_version",
      `${JSON.stringify(version.slice(0, 60))} is not read here.`,
      `This is a reader of ${ANSWERS_VERSION}.`,
    );
  }
  const agent = inspector.required(map, "agent", "");
  const gate = readWord(inspector.required(map, "gate", ""), "/gate", inspector, GATE_GRADES);
  const asking = readAsking(map["asking"], inspector);
  const limits = inspector.map(map["limits"], "/limits") ?? {};
  inspector.members(limits, "/limits", ["message", "context"]);
  const hooks = inspector
    .list(map["hooks"], "/hooks")
    .flatMap((item, index) => readHook(item, childPointer("/hooks", index), inspector) ?? []);
  const seen = new Set<string>();
  for (const name of hooks.flatMap((hook) => hook.hooks)) {
    if (seen.has(name))
      inspector.error("/hooks", `${JSON.stringify(name.slice(0, 80))} is there twice.`, "Each hook has one set of answers.");
    seen.add(name);
  }
  if (agent === undefined || gate === undefined) return undefined;
  return {
    agent,
    gate,
    neutral: readReply(map["neutral"] ?? {}, "/neutral", inspector) ?? {},
    ...(asking === undefined ? {} : { asking }),
    limits: { message: readLimit(limits, "message", inspector), context: readLimit(limits, "context", inspector) },
    hooks,
  };
}

function readAsking(value: JsonValue | undefined, inspector: Inspector): AskSupport | undefined {
  if (value === undefined) return undefined;
  const map = inspector.map(value, "/asking");
  if (map === undefined) return undefined;
  inspector.members(map, "/asking", ["modes", "unattended", "reports"]);
  const unattended = inspector.map(map["unattended"], "/asking/unattended");
  return {
    ...(map["modes"] === undefined ? {} : { modes: inspector.texts(map["modes"], "/asking/modes") }),
    ...(unattended === undefined
      ? {}
      : {
          unattended: Object.fromEntries(
            Object.entries(unattended).map(([name, texts]) => [name, inspector.texts(texts, childPointer("/asking/unattended", name))]),
          ),
        }),
    reports: inspector.flag(map["reports"], "/asking/reports"),
  };
}

function readLimit(limits: JsonObject, name: string, inspector: Inspector): number {
  const value = limits[name];
  if (value === undefined) return MAX_CHARACTERS;
  if (typeof value === "number" && Number.isInteger(value) && value >= 100) return value;
  inspector.error(childPointer("/limits", name), "A number of characters, at least 100, is asked for here.", `${name}: 10000`);
  return MAX_CHARACTERS;
}

function readWord<const Word extends string>(
  value: string | undefined,
  pointer: string,
  inspector: Inspector,
  words: readonly Word[],
): Word | undefined {
  const found = words.find((word) => word === value);
  if (value !== undefined && found === undefined) {
    inspector.error(pointer, `${JSON.stringify(value.slice(0, 60))} is not known here.`, `Choose one of ${words.join(", ")}.`);
  }
  return found;
}

function readHook(value: JsonValue, pointer: string, inspector: Inspector): HookAnswers | undefined {
  const map = inspector.map(value, pointer);
  if (map === undefined) return undefined;
  inspector.members(map, pointer, [
    "on",
    "moment",
    "silence",
    "dialog",
    "grants",
    ...BEHAVIORS,
    "updated_input",
    "additional_context",
    "note",
    "avoid",
  ]);
  const hooks = inspector.texts(map["on"], childPointer(pointer, "on"));
  if (hooks.length === 0) inspector.error(pointer, "`on` is missing.", "It names the hook, or several.");
  const moment = readWord(inspector.required(map, "moment", pointer), childPointer(pointer, "moment"), inspector, HOOK_MOMENTS);
  const silence = readWord(inspector.text(map["silence"], childPointer(pointer, "silence")), childPointer(pointer, "silence"), inspector, [
    "asks",
    "runs",
  ]);
  const dialog = readWord(inspector.text(map["dialog"], childPointer(pointer, "dialog")), childPointer(pointer, "dialog"), inspector, [
    "beside",
  ]);
  const grants = readWord(inspector.text(map["grants"], childPointer(pointer, "grants")), childPointer(pointer, "grants"), inspector, [
    "nothing",
  ]);
  const replies = BEHAVIORS.flatMap((behavior): [Behavior, HookReply][] => {
    const reply = map[behavior] === undefined ? undefined : readReply(map[behavior], childPointer(pointer, behavior), inspector);
    return reply === undefined ? [] : [[behavior, reply]];
  });
  const input = readAddition(map["updated_input"], childPointer(pointer, "updated_input"), inspector);
  const context = readAddition(map["additional_context"], childPointer(pointer, "additional_context"), inspector);
  const note = readAddition(map["note"], childPointer(pointer, "note"), inspector);
  const avoid = inspector.text(map["avoid"], childPointer(pointer, "avoid"));
  return moment === undefined
    ? undefined
    : {
        hooks,
        moment,
        silence: silence ?? "runs",
        ...(dialog === undefined ? {} : { dialog }),
        ...(grants === undefined ? {} : { grants }),
        replies: Object.fromEntries(replies),
        ...(input === undefined ? {} : { updatedInput: input }),
        ...(context === undefined ? {} : { additionalContext: context }),
        ...(note === undefined ? {} : { note }),
        ...(avoid === undefined ? {} : { avoid }),
      };
}

function readReply(value: JsonValue, pointer: string, inspector: Inspector): HookReply | undefined {
  const map = inspector.map(value, pointer);
  if (map === undefined) return undefined;
  inspector.members(map, pointer, ["exit", "stdout", "stderr", "as", "why", "headless", "needs_updated_input"]);
  const { exit, stdout } = map;
  if (exit !== undefined && !(typeof exit === "number" && Number.isInteger(exit) && exit >= 0 && exit <= 255)) {
    inspector.error(childPointer(pointer, "exit"), "An exit code is asked for here.", "A whole number from 0 to 255.");
  }
  if (!isPlain(stdout)) inspector.error(childPointer(pointer, "stdout"), "This cannot be written as JSON.", "Use plain values.");
  const stderr = inspector.text(map["stderr"], childPointer(pointer, "stderr"));
  const as = readWord(inspector.text(map["as"], childPointer(pointer, "as")), childPointer(pointer, "as"), inspector, BEHAVIORS);
  const why = inspector.text(map["why"], childPointer(pointer, "why"));
  if ((as === undefined) !== (why === undefined)) inspector.error(pointer, "`as` and `why` belong together.", "What it comes to, and why.");
  return {
    ...(typeof exit === "number" ? { exit } : {}),
    ...(stdout === undefined ? {} : { stdout }),
    ...(stderr === undefined ? {} : { stderr }),
    ...(as === undefined ? {} : { as }),
    ...(why === undefined ? {} : { why }),
    ...(inspector.flag(map["headless"], childPointer(pointer, "headless")) ? { headless: true } : {}),
    ...(inspector.flag(map["needs_updated_input"], childPointer(pointer, "needs_updated_input")) ? { needsUpdatedInput: true } : {}),
  };
}

function readAddition(
  value: JsonValue | undefined,
  pointer: string,
  inspector: Inspector,
): (ReplyAddition & { readonly merges: boolean }) | undefined {
  const map = inspector.map(value, pointer);
  if (map === undefined) return undefined;
  inspector.members(map, pointer, ["with", "stdout", "merges"]);
  const place = childPointer(pointer, "with");
  const behaviors = inspector.texts(map["with"], place).flatMap((word) => readWord(word, place, inspector, BEHAVIORS) ?? []);
  const { stdout } = map;
  if (stdout === undefined) {
    inspector.error(pointer, "`stdout` is missing.", "It says what is added.");
    return undefined;
  }
  return { with: behaviors, stdout, merges: inspector.flag(map["merges"], childPointer(pointer, "merges")) };
}
