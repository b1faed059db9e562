import type { Item } from "../peer/stream.ts";
import { HeardSession, type Line } from "./line.ts";
import { sessionOf, typeOf } from "./question.ts";
import { didNotStart, NO_LINE, type Scenario } from "./scenario.ts";
import { notShown, type Shown, type Stage } from "./stage.ts";

/** Level 1: what an agent tells about itself. The rules of a recording do most of the judging; here they are given something to judge. */
export const LEVEL_1: readonly Scenario[] = [
  {
    name: "chat",
    level: 1,
    title: "A short conversation begins, says something and ends.",
    async run(stage) {
      const line = await stage.open();
      if (line === undefined) return notShown(NO_LINE);
      const session = await stage.start(line, "chat");
      if (session === undefined) return didNotStart("chat");
      await stage.end(session);
      return undefined;
    },
  },
  { name: "tool", level: 1, title: "A tool is announced before it is used, and its end is told.", run: useTool },
  {
    name: "failing-tool",
    level: 1,
    title: "A tool that fails is told of as one that failed.",
    async run(stage) {
      const line = await stage.open();
      if (line === undefined) return notShown(NO_LINE);
      const session = await stage.start(line, "failing-tool");
      if (session === undefined) return didNotStart("failing-tool");
      await stage.end(session);
      const failed = session
        .events()
        .some(
          (item) =>
            typeOf(item) === "agent.session.errored" || (typeOf(item) === "agent.tool.completed" && item.value["status"] !== "success"),
        );
      return failed ? undefined : notShown("Nothing failed.");
    },
  },
  {
    name: "error",
    level: 1,
    title: "A session that fails says so, critically.",
    async run(stage) {
      const line = await stage.open();
      if (line === undefined) return notShown(NO_LINE);
      const session = await stage.start(line, "error");
      if (session === undefined) return didNotStart("error");
      const end = await stage.end(session);
      return end === undefined || typeOf(end) === "agent.session.errored" ? undefined : notShown("The session did not fail.");
    },
  },
  {
    name: "secret",
    level: 1,
    title: "A secret in what was asked for appears nowhere in what is told.",
    async run(stage) {
      const line = await stage.open();
      if (line === undefined) return notShown(NO_LINE);
      const session = await stage.start(line, "secret");
      if (session === undefined) return didNotStart("secret");
      await stage.end(session);
      stage.shows("aaep/no-secrets");
      const told = session.events().find((item) => item.text.includes(stage.secret));
      if (told !== undefined) stage.breaks("aaep/no-secrets", "The key that was given with the request is told to everybody.", told);
      return undefined;
    },
  },
  {
    name: "two-requests",
    level: 1,
    title: "A second request gets a session of its own.",
    async run(stage) {
      const line = await stage.open();
      if (line === undefined) return notShown(NO_LINE);
      const first = await request(stage, line, undefined);
      if (first === undefined) return didNotStart("chat");
      if ((await stage.end(first)) === undefined) return notShown("The first request did not come to its end.");
      const second = await request(stage, line, first.id);
      if (second === undefined) return didNotStart("chat");
      stage.shows("aaep/one-request-per-session");
      await stage.end(second);
      return undefined;
    },
  },
];

async function useTool(stage: Stage): Promise<Shown> {
  const line = await stage.open();
  if (line === undefined) return notShown(NO_LINE);
  const before = await stage.world();
  const session = await stage.start(line, "tool");
  if (session === undefined) return didNotStart("tool");
  await stage.end(session);
  const invoked = session.events().find((item) => typeOf(item) === "agent.tool.invoked");
  if (before !== undefined && (await stage.world()) !== before) {
    stage.shows("aaep/tool-before-effect");
    if (invoked === undefined) stage.breaks("aaep/tool-before-effect", "The world changed, and no tool was announced.");
  }
  return invoked === undefined ? notShown("No tool was used.") : undefined;
}

/** One request, and the session it is dealt with in: it must be a new one. */
async function request(stage: Stage, line: Line, before: string | undefined): Promise<HeardSession | undefined> {
  const from = line.stream.items.length;
  if (!(await stage.trigger(line, "chat"))) return undefined;
  const begins = (item: Item) => typeOf(item) === "agent.session.started" || (before !== undefined && sessionOf(item) === before);
  const item = await line.stream.until(begins, stage.patience.answerMs, from);
  const id = item === undefined ? undefined : sessionOf(item);
  if (id === undefined) return undefined;
  if (id === before || stage.isKnown(id))
    stage.breaks("aaep/one-request-per-session", "The request goes on in the session of an earlier one.", item);
  return new HeardSession(id, line, from);
}
