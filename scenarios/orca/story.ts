import { setTimeout as pause } from "node:timers/promises";
import type { Asker } from "../dashboard/asker.ts";
import type { OpenDashboard } from "../dashboard/open-dashboard.ts";
import { aep, aepCall, part, tell } from "../dashboard/session-events.ts";
import type { Listener } from "./listener.ts";

const SESSION = "till";
const SOON_MS = 10_000;
/** A new page takes a while and may cause several announcements. */
const ARRIVING = { beginsMs: 10_000, silentMs: 2500 };

export interface Places {
  readonly dashboard: OpenDashboard;
  readonly asker: Asker;
}

/** Earlier sessions to read. */
export async function prepare({ hub }: OpenDashboard): Promise<void> {
  const events = [
    aep(SESSION, "session.start", 0),
    aep(SESSION, "prompt.submitted", 1, part("prompt", "Mend the rounding in the till")),
    ...aepCall(SESSION, {
      id: "read",
      tool: "Read",
      input: { file_path: "/home/ana/shop/till.ts" },
      seconds: [2, 3],
      output: "Math.floor",
    }),
    ...aepCall(SESSION, { id: "test", tool: "Bash", input: { command: "npm test" }, seconds: [4, 9], error: "1 test failed" }),
  ];
  await tell(hub, events, SESSION);
}

/** A few minutes with the dashboard by ear. Fails if an agent is told something other than the person heard. */
export async function play(listener: Listener, { dashboard, asker }: Places): Promise<void> {
  const { begin, press, pressUntil, during, expectHeard } = listener;

  begin("Now, by headings");
  await during("The page is opened.", () => dashboard.visit("now"));
  await press("ctrl+Home");
  await pressUntil("h", /Wrapping to top/);
  expectHeard(
    /Overview heading level 1/,
    /Nothing needs your approval heading level 2/,
    /Activity/,
    /Claude Code in shop/,
    /Failures and alerts/,
  );

  begin("A session, by headings and line by line");
  await pressUntil("h", /Claude Code in shop/);
  await press("Return", ARRIVING);
  await press("ctrl+Home");
  await pressUntil("h", /Turn 1/);
  await pressUntil("Down", /End of the timeline so far/);
  expectHeard(
    /Claude Code in shop.* heading level 1/,
    /Turn 1 colon: Mend the rounding in the till heading level 2/,
    /npm test/,
    /1 test failed/,
  );

  begin("A request arrives while one reads");
  const push = await arrives(listener, asker, "git push --force origin main", "Publish the fix");
  expectHeard(/Claude Code in shop asks: It wants to run git push/, /Cannot be undone\./, /High risk/);

  begin("To the inbox, and the card from top to bottom");
  await press("ctrl+Home");
  await pressUntil("Tab", /Inbox/);
  await press("Return", ARRIVING);
  await pressUntil("h", /wants to run git push/);
  await pressUntil("Down", /Stop this session/);
  expectHeard(
    /Inbox, 1 waiting link/,
    /Inbox heading level 1/,
    /Claude Code in shop wants to run git push dash dash force origin main heading level 2/,
    /Cannot be undone\./,
    /Without an answer by/,
    /The command heading level 3/,
    /Allow once colon: run git push dash dash force origin main push button/,
    /Deny colon: run git push dash dash force origin main push button/,
  );

  begin("Another request arrives while one reads the first");
  const test = await arrives(listener, asker, "npm test");
  expectHeard(/Claude Code in shop asks: It wants to run npm test/);

  begin("Allow once, and on to the next");
  await pressUntil("shift+h", /wants to run git push/);
  await pressUntil("b", /Allow once.* git push/);
  await press("Return", ARRIVING);
  await hears(asker, push, '"behavior":"allow"');
  expectHeard(/Allowed: run git push.* by First browser at/, /Claude Code in shop wants to run npm test heading level 2/);

  begin("Deny the next");
  await pressUntil("b", /Deny colon: run npm test/);
  await press("space", ARRIVING);
  await hears(asker, test, '"behavior":"deny"');
  await press("Down");
  expectHeard(/Denied: run npm test, by First browser at/);

  begin("A question is answered");
  let question = "";
  await during("An agent has a question.", async () => {
    const choices = [
      { value: "s", label: "Staging" },
      { value: "p", label: "Production" },
    ];
    question = await asker.aaep("awaiting.clarification", { question: "Where to?", accepted_response_kinds: ["multiple_choice"], choices });
  });
  await pressUntil("h", /Where to/);
  await pressUntil("Tab", /radio button/);
  await press("Down");
  await press("space");
  await pressUntil("Tab", /Send the answer/);
  await press("Return", ARRIVING);
  await hears(asker, question, '"response":"p"');
  expectHeard(/Invoice desk asks: Where to\?/, /Staging/, /Production/, /Answered: .*Where to\?.* by First browser at .*Production/);

  begin("The page's own keys, in focus mode");
  await press("Insert+a");
  await press("g", { beginsMs: 0 });
  await press("n", ARRIVING);
  await press("w", ARRIVING);
  expectHeard(/Focus mode/, /Now heading level 1/, /Claude Code in shop is running/);

  begin("A request arrives while a dialog is open");
  await press("question", ARRIVING);
  await press("Tab");
  await press("Tab");
  await press("Tab");
  await arrives(listener, asker, "npm run build");
  expectHeard(/Shortcuts of single keys/, /g n Go to Now/, /Claude Code in shop asks: It wants to run npm run build/);

  begin("The dialog is closed");
  await press("Escape", ARRIVING);
}

async function arrives({ during }: Listener, asker: Asker, command: string, description?: string): Promise<string> {
  let id = "";
  await during("An agent asks.", async () => {
    id = await asker.hook("Bash", { command, ...(description === undefined ? {} : { description }) });
  });
  return id;
}

/** Checks that the agent receives the spoken decision soon. */
async function hears(asker: Asker, id: string, wanted: string): Promise<void> {
  const heard = JSON.stringify(await Promise.race([asker.heard(id), pause(SOON_MS, "nothing", { ref: false })]));
  if (!heard.includes(wanted)) throw new Error(`The agent should have been told ${wanted}, and was told ${heard}.`);
}
