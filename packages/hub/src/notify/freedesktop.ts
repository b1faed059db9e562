import type { Desktop, Note } from "./desktop.ts";
import type { RunProgram } from "./run-program.ts";

const SERVICE = "org.freedesktop.Notifications";
const PATH = "/org/freedesktop/Notifications";
const APP = "Earshot";

/** The desktop's own service for notifications, called through the session bus. */
export function createGdbusDesktop(gdbus: string, run: RunProgram): Desktop {
  const call = (method: string, ...values: readonly string[]) =>
    run([gdbus, "call", "--session", "--dest", SERVICE, "--object-path", PATH, "--method", `${SERVICE}.${method}`, ...values]);
  return {
    name: `${SERVICE}, by gdbus`,
    withdraws: true,
    async show({ title, body, isUrgent }) {
      const hints = `@a{sv} {'urgency': <byte ${isUrgent ? 2 : 1}>}`;
      const values = [text(APP), "uint32 0", text(iconOf(isUrgent)), text(title), text(body), "@as []", hints, "int32 -1"];
      return /uint32 (\d+)/.exec(await call("Notify", ...values))?.[1];
    },
    async withdraw(handle) {
      await call("CloseNotification", `uint32 ${handle}`);
    },
  };
}

/** A text as gdbus reads one. */
function text(words: string): string {
  return `"${words.replaceAll(/[\\"]/g, "\\$&")}"`;
}

/** The same through the program that many systems have for it. It cannot take anything away: it puts a word in its place that goes by itself. */
export function createNotifySendDesktop(notifySend: string, run: RunProgram): Desktop {
  const send = ({ title, body, isUrgent }: Note, ...more: readonly string[]) =>
    run([
      notifySend,
      `--app-name=${APP}`,
      `--urgency=${isUrgent ? "critical" : "low"}`,
      `--icon=${iconOf(isUrgent)}`,
      ...more,
      "--",
      title,
      body,
    ]);
  let tellsIds = true;
  return {
    name: `${SERVICE}, by notify-send`,
    withdraws: true,
    async show(note) {
      if (!tellsIds) {
        await send(note);
        return undefined;
      }
      try {
        return /^\d+/.exec(await send(note, "--print-id"))?.[0];
      } catch (error) {
        if (!(error instanceof Error && /print-id/.test(error.message))) throw error;
        tellsIds = false; // an older one
        await send(note);
        return undefined;
      }
    },
    async withdraw(handle) {
      await send({ title: "Earshot", body: "Answered.", isUrgent: false }, `--replace-id=${handle}`, "--expire-time=1");
    },
  };
}

function iconOf(isUrgent: boolean): string {
  return isUrgent ? "dialog-warning" : "dialog-information";
}
