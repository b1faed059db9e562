import type { Protocol } from "../protocol.ts";
import { AOP_LIVE, AOP_RECORDED } from "./live.ts";
import { readAop, recogniseAop } from "./read.ts";
import { AOP_REVISION } from "./revision.ts";
import { AOP_RULES } from "./rules.ts";

/** AOP, the Agent Observability Protocol. It has no conformance levels: an agent conforms or it does not. */
export const AOP: Protocol = {
  name: "aop",
  title: "Agent Observability Protocol",
  version: AOP_REVISION.spec,
  rules: AOP_RULES,
  levels: [],
  recognise: recogniseAop,
  read: readAop,
  live: AOP_LIVE,
  recorded: AOP_RECORDED,
};
