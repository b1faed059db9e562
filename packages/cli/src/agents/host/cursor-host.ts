import { asked, blocked, failed, ran, type SimulatedHost } from "./host.ts";
import { objectAt, readObject, textAt } from "./read-output.ts";

/** The hook before a shell command. Output that is no answer blocks; no output is a hook that failed. */
export const cursorHost: SimulatedHost = {
  agent: "cursor",
  name: "Cursor",
  hook: "beforeShellExecution",
  payload: ({ session, id, command, cwd }) => ({
    conversation_id: session,
    generation_id: `gen-${id}`,
    model: "auto",
    hook_event_name: "beforeShellExecution",
    cursor_version: "2.0.0",
    workspace_roots: [cwd],
    user_email: null,
    transcript_path: null,
    command,
    cwd,
    sandbox: false,
  }),
  judge(run, settings) {
    if (run.kind !== "ended") return failed(run.kind === "late" ? "the hook took too long" : "the hook crashed", settings);
    if (run.code === 2) return blocked("exit 2 refuses", run.stderr.trim());
    if (run.code !== 0) return failed(`the hook ended with ${run.code}`, settings);
    if (run.stdout.trim() === "") return failed("the hook said nothing", settings);
    const answer = readObject(run.stdout);
    if (answer === undefined) return blocked("what the hook said is no answer");
    const messages = [answer["user_message"], answer["agent_message"]];
    if (messages.some((one) => one !== undefined && typeof one !== "string")) return blocked("a message of the hook is no text");
    const message = textAt(answer, "agent_message") ?? textAt(answer, "user_message");
    const permission = answer["permission"];
    if (permission === undefined) return ran("the hook has no opinion");
    if (permission === "allow") {
      const input = objectAt(answer, "updated_input");
      return ran("the hook allows it", input === undefined ? {} : { input });
    }
    if (permission === "ask") return asked("the hook wants the person to be asked", message);
    return blocked(permission === "deny" ? "the hook refuses" : "the hook gives no permission that there is", message);
  },
};
