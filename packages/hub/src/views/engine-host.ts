import type { Problem } from "@earshot/protocol";
import type { AlertThresholds } from "./alerts/thresholds.ts";
import type { EngineState, Question, ViewEngine } from "./view-engine.ts";
import type { News } from "./view-follower.ts";
import type { ViewQuestions } from "./view-questions.ts";

/** What may be asked of an engine from outside its thread: plain data in, plain data out. */
export type EngineMethods = Pick<ViewEngine, "announce" | "refold" | "checkTime"> & { readonly [Name in Question]: ViewQuestions[Name] };
export type EngineMethod = keyof EngineMethods;
export type Given<Method extends EngineMethod> = Parameters<EngineMethods[Method]>;
export type Answer<Method extends EngineMethod> = Promise<Awaited<ReturnType<EngineMethods[Method]>>>;

/** Where an engine runs, seen from those who ask it. */
export interface EngineHost {
  ask<Method extends EngineMethod>(method: Method, ...given: Given<Method>): Answer<Method>;
  follow(head: number, wanted: number): void;
  /** Fulfils when everything is written and nothing of it is left. */
  close(): Promise<void>;
  /** Fulfils when it is gone, by itself or because it was closed. Whoever still waits for an answer is told `EngineLost`. */
  readonly gone: Promise<void>;
}

/** Hands on what is asked. Whatever comes from a port is of these types: only our own side writes to it. */
export function askEngine(engine: ViewEngine, method: EngineMethod, given: readonly unknown[]): Promise<unknown> {
  switch (method) {
    case "announce":
    case "refold":
    case "checkTime":
      return (engine[method] as (...given: readonly unknown[]) => Promise<unknown>).apply(engine, [...given]);
    default:
      return (engine.ask as (name: Question, ...given: readonly unknown[]) => Promise<unknown>).call(engine, method, ...given);
  }
}

/** The engine ended before it answered; another one may. */
export class EngineLost extends Error {
  override readonly name = "EngineLost";
}

export interface EngineEvents {
  readonly onState: (state: EngineState, news: News) => void;
  readonly log: (line: string) => void;
}

/** What an engine needs to know. */
export interface EngineTask {
  readonly path: string;
  readonly ledgerPath: string;
  readonly thresholds: AlertThresholds;
}

export type StartEngine = (task: EngineTask, events: EngineEvents) => EngineHost;

export type ToEngine =
  | { readonly id: number; readonly method: EngineMethod; readonly given: readonly unknown[] }
  | { readonly follow: readonly [head: number, wanted: number] }
  | { readonly close: true };

export type FromEngine =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly problem: Problem }
  | { readonly state: EngineState; readonly news: News }
  | { readonly log: string };
