import type { NotifyView } from "@earshot/hub";
import { findHub, tellHub } from "../../hub-client.ts";
import { EXIT, type Io } from "../../io.ts";
import { plainText } from "../../terminal/plain-text.ts";

/** `earshot doctor --notify`: shows a test notification in the way the hub would, and says how. */
export async function testNotification(json: boolean, io: Io): Promise<number> {
  const hub = await findHub(process.env);
  const byHub = hub === undefined ? undefined : await tellHub<NotifyView>(hub, "POST", "/api/notify/test", {});
  const view = byHub ?? (await tryHere());
  const isShown = view.way !== null && view.why === null;
  if (json) io.out(`${JSON.stringify({ ...view, by: byHub === undefined ? "terminal" : "hub", shown: isShown }, null, 2)}\n`);
  else for (const line of await describe(view, byHub !== undefined)) io.out(`${plainText(line)}\n`);
  return isShown ? EXIT.ok : EXIT.found;
}

/** What a hub that is started here would do. */
async function tryHere(): Promise<NotifyView> {
  const { findDesktop, TEST_NOTE } = await import("@earshot/hub");
  const found = findDesktop(process.env);
  if ("why" in found) return { way: null, withdraws: false, why: found.why };
  const { name: way, withdraws } = found.desktop;
  try {
    await found.desktop.show(TEST_NOTE);
    return { way, withdraws, why: null };
  } catch (error) {
    return { way, withdraws, why: error instanceof Error ? error.message : String(error) };
  }
}

async function describe({ way, withdraws, why }: NotifyView, isHub: boolean): Promise<readonly string[]> {
  const who = isHub ? "The hub" : "No hub is running. One that is started here";
  if (way === null) {
    const { findDesktop } = await import("@earshot/hub");
    const hint =
      isHub && "desktop" in findDesktop(process.env) ? ["From this terminal there is a way: earshot hub restart, here, may help."] : [];
    return [`${who} ${isHub ? "does" : "would"} not notify the desktop. ${why ?? ""}`, ...hint];
  }
  const how = `${who} ${isHub ? "notifies" : "would notify"} the desktop: ${way}.`;
  if (why !== null) return [how, `The test could not be shown: ${why}`];
  return [
    how,
    "A test was shown just now. If you saw nothing, look at the desktop's own settings: it may be in a mode without notifications.",
    withdraws ? "What is answered is taken away again." : "What is answered stays until you close it: this desktop takes nothing back.",
  ];
}
