RUNNER;

const harmless = new Set(HARMLESS);
const told = new Set(TOLD);

/** A map of the newest few hundred. */
const recent = () => {
  const map = new Map();
  return { get: (key) => map.get(key), set: (key, value) => map.set(key, value).size > 300 && map.delete(map.keys().next().value) };
};

export const EXPORTED = async ({ client, directory, worktree }) => {
  const where = { directory, worktree };
  const abort = (id) => client?.session?.abort?.({ path: { id } })?.catch?.(() => {});
  const texts = recent();
  const known = recent();
  const isNew = (key, value) => known.get(key) !== value && (known.set(key, value), true);

  /** An event of the bus with the text that belongs to it; undefined for one that says nothing new. */
  const completed = (event) => {
    const { info, part, status, sessionID } = event.properties ?? {};
    if (event.type === "session.status") return isNew("status " + sessionID, [status?.type, status?.attempt].join()) ? event : undefined;
    if (event.type === "message.part.updated") {
      if (part?.type === "text") texts.set(part.messageID, { ...texts.get(part.messageID), [part.id]: { type: "text", text: part.text?.slice?.(0, 100000) } });
      const isFailure = part?.type === "tool" && part.state?.status === "error" && isNew("call " + part.callID, "failed");
      return isFailure ? event : undefined;
    }
    if (event.type !== "message.updated") return told.has(event.type) ? event : undefined;
    if (info?.role === "assistant" && info.time?.completed === undefined) return undefined;
    if (!isNew("message " + info?.id, "told")) return undefined;
    const text = texts.get(info.id);
    return text === undefined ? event : { ...event, properties: { ...event.properties, parts: Object.values(text) } };
  };

  return {
    "chat.message": async (_, { message, parts }) => {
      const said = (parts ?? []).filter((part) => part.type === "text" && !part.synthetic);
      if (isNew("message " + message?.id, "told")) tell("message.updated", { type: "message.updated", properties: { info: message, parts: said }, ...where });
    },
    "tool.execute.before": async (input, output) => {
      const payload = { hook: "tool.execute.before", input, output, ...where };
      if (harmless.has(input.tool)) return void tell("tool.execute.before", payload, "observe");
      // A call that is refused here is not reported as a failure as well.
      known.set("call " + input.callID, "failed");
      let answer;
      try {
        answer = await ask("tool.execute.before", payload);
      } catch (error) {
        throw new Error("Earshot could not be asked, so that nothing is run: " + error.message);
      }
      if (answer?.abort) abort(input.sessionID);
      if (answer?.throw !== undefined) throw new Error(answer.throw);
      known.set("call " + input.callID, "running");
      if (answer?.args) {
        for (const key of Object.keys(output.args)) delete output.args[key];
        Object.assign(output.args, answer.args);
      }
    },
    "tool.execute.after": async (input, output) => {
      const answer = await ask("tool.execute.after", { hook: "tool.execute.after", input, output, ...where }, OBSERVE_S).catch(() => undefined);
      if (answer?.output !== undefined) output.output = answer.output;
      if (answer?.append !== undefined) output.output += "\n" + answer.append;
      if (answer?.abort) abort(input.sessionID);
    },
    "permission.ask": async (permission, output) => {
      const answer = await ask("permission.ask", { hook: "permission.ask", permission, ...where }).catch(() => undefined);
      if (answer?.status !== undefined) output.status = answer.status;
      if (answer?.abort) abort(permission.sessionID);
    },
    event: async ({ event }) => {
      const whole = completed(event);
      if (whole !== undefined) tell(event.type, { ...whole, ...where });
    },
  };
};
