import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { CommandIo } from "@earshot/terminal/io";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { INBOX_ARMING_MS } from "../inbox/press-key.ts";
import { type OwnHub, ownHub, PIN } from "../inbox/testing/own-hub.ts";
import { HAS_PTY, type Pty } from "../inbox/testing/pty.ts";
import { inboxCommand } from "./inbox.ts";

let own: OwnHub;
beforeAll(async () => {
  own = await ownHub();
});
afterAll(() => own[Symbol.asyncDispose]());

/** Opens the inbox, unlocked, and waits until it listens. */
async function openInbox(): Promise<Pty> {
  const pty = own.terminal("inbox");
  await pty.waitFor("in a browser): ");
  pty.type(`${PIN}\r`);
  await pty.waitFor("q to quit.");
  return pty;
}

/** Longer than the delay that ignores early keys. */
const think = () => pause(INBOX_ARMING_MS + 100);

async function chooseIt(pty: Pty, id: string): Promise<void> {
  await pty.waitFor(`Id ${id.slice(4, 10)}.`);
  const [, number = ""] =
    new RegExp(String.raw`^(\d+)\. Claude(?:(?!^\d+\. Claude)[\s\S])*Id ${id.slice(4, 10)}`, "m").exec(pty.shown()) ?? [];
  pty.type(number);
  await pty.waitFor("Keys:");
  await think();
}

async function quit(pty: Pty): Promise<number> {
  pty.type("q");
  return pty.ended;
}

describe.skipIf(!HAS_PTY)("the inbox at a terminal", () => {
  it("tells a request as it comes, and allows it by two keys; the agent hears it from this terminal", async () => {
    await using pty = await openInbox();
    const id = await own.ask();
    await chooseIt(pty, id);
    pty.type("a");
    await pty.waitFor(/Allowed by (?:a terminal|terminal of \S+) at \d\d:\d\d\./);
    expect(await own.heard(id)).toMatchObject({ control: { behavior: "allow" } });
    await pty.waitFor("The agent took the answer.");
    expect(await quit(pty)).toBe(0);
    expect(pty.shown()).toContain("Claude Code in shop wants to run npm test\n   Without an answer by ");
    expect(pty.shown().match(/Allowed by/g)).toHaveLength(1);
  });

  it("never moves the cursor, clears or rewrites anything, and never shows the PIN", async () => {
    await using pty = await openInbox();
    const id = await own.ask({ command: "echo \u001b[2J\u001b[1;1H\rdone" });
    await chooseIt(pty, id);
    pty.type("v");
    await pty.waitFor("digest");
    await own.decide(`/api/requests/${id}/answer`, { digest: (await own.read(`/api/requests/${id}`))["digest"], answer: "deny" });
    await pty.waitFor("Denied by the PIN");
    await quit(pty);
    expect(pty.shown()).not.toContain("\u001b");
    expect(pty.shown().replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    expect(pty.shown()).not.toContain(PIN);
  });

  it("is an approver only for as long as it runs", async () => {
    await using pty = await openInbox();
    const live = async () => {
      const { devices } = (await own.asApprover("/api/devices")) as unknown as Devices;
      return devices.filter(({ revokedAt }) => revokedAt === null).length;
    };
    expect(await live()).toBe(1);
    await quit(pty);
    expect(await live()).toBe(0);
  });

  it("decides nothing by keys that were typed ahead of what is shown", async () => {
    const id = await own.ask();
    await using pty = own.terminal("inbox");
    await pty.waitFor("in a browser): ");
    pty.type(`${PIN}\r1a`);
    await pty.waitFor("q to quit.");
    const [, number = "1"] = /^(\d+)\. Claude/m.exec(pty.shown()) ?? [];
    pty.type(`${number}aaady`);
    await pty.waitFor("too fast");
    expect(await own.read(`/api/requests/${id}`)).toMatchObject({ state: "open" });
    await think();
    pty.type("d");
    await pty.waitFor("Reason, sent to the agent");
    pty.type("Not on a Friday\r");
    await pty.waitFor("Denied by");
    expect(await own.heard(id)).toMatchObject({
      control: { behavior: "deny", message: "Not on a Friday" },
      decision: { reason: "Not on a Friday" },
    });
    await quit(pty);
  });

  it("asks twice before what cannot be undone", async () => {
    await using pty = await openInbox();
    const id = await own.ask({ command: "git push --force" });
    await chooseIt(pty, id);
    pty.type("a");
    await pty.waitFor("This cannot be undone. Press y to allow it");
    await think();
    pty.type("n");
    await pty.waitFor("nothing was decided");
    await think();
    pty.type("a");
    await pty.waitFor("Press y to allow it");
    await think();
    pty.type("y");
    await pty.waitFor("Allowed by");
    await quit(pty);
    expect(await own.heard(id)).toMatchObject({ control: { behavior: "allow" } });
  });

  it("gives more time, and tells what somebody else decided, with who", async () => {
    await using pty = await openInbox();
    const id = await own.ask();
    await chooseIt(pty, id);
    pty.type("m");
    await pty.waitFor(/in (?:20 minutes|19 minutes \d+ seconds)/);
    await own.decide(`/api/requests/${id}/answer`, { digest: (await own.read(`/api/requests/${id}`))["digest"], answer: "allow" });
    await pty.waitFor(/\d+\. Allowed by the PIN at \d\d:\d\d\. It was: Claude Code in shop wants to run npm test/);
    await think();
    pty.type("a");
    await pty.waitFor("Nothing is chosen");
    await quit(pty);
  });

  it("lets one look without the PIN, and asks for it when something is decided", async () => {
    const id = await own.ask();
    await using pty = own.terminal("inbox");
    await pty.waitFor("in a browser): ");
    pty.type("\r");
    await pty.waitFor("Read-only.");
    await chooseIt(pty, id);
    pty.type("a");
    await pty.waitFor("PIN (not shown;");
    pty.type("wrong one\r");
    await pty.waitFor("not the PIN");
    pty.type(`${PIN}\r`);
    await pty.waitFor("Allowed by");
    await quit(pty);
  });

  it("decides nothing for who has a terminal and not the PIN", async () => {
    const id = await own.ask();
    await using pty = own.terminal("inbox");
    for (const guess of ["123456", "password", PIN.toUpperCase()]) {
      await pty.waitFor(/PIN.*: $/);
      pty.type(`${guess}\r`);
    }
    expect(await pty.ended).toBe(2);
    expect(await own.read(`/api/requests/${id}`)).toMatchObject({ state: "open" });
    await own.decide("/api/presence", {}); // the right PIN ends the count of wrong ones
  });

  it("stops a session after asking, and everything it asks is answered with stop", async () => {
    await using pty = await openInbox();
    const id = await own.ask({ command: "npm test" }, { session: { id: "to-be-stopped" } });
    await chooseIt(pty, id);
    pty.type("s");
    await pty.waitFor("Press y to do that");
    await think();
    pty.type("y");
    await pty.waitFor("earshot session resume to-be-stopped");
    await quit(pty);
    expect(await own.heard(id)).toMatchObject({ control: { behavior: "stop" } });
  });
});

describe("the inbox without a terminal", () => {
  it("follows in lines, until it is told to stop", async () => {
    const io = listening();
    const stop = new AbortController();
    const running = inboxCommand([], io, portsOf(io, stop.signal));
    await vi.waitFor(() => expect(io.text()).toMatch(/wait|Nothing/), POLL_OPTIONS);
    const id = await own.ask({ command: "make docs" });
    await vi.waitFor(() => expect(io.text()).toContain("wants to run make docs"), POLL_OPTIONS);
    await own.decide(`/api/requests/${id}/answer`, {
      digest: (await own.read(`/api/requests/${id}`))["digest"],
      answer: "deny",
      reason: "no docs",
    });
    await vi.waitFor(
      () =>
        expect(io.text()).toMatch(/^\d+\. Denied by the PIN at .* Reason: “no docs” It was: Claude Code in shop wants to run make docs$/m),
      POLL_OPTIONS,
    );
    stop.abort();
    expect(await running).toBe(0);
  });

  it("follows as JSON, one object per line", async () => {
    const io = listening();
    const stop = new AbortController();
    const running = inboxCommand(["--json"], io, portsOf(io, stop.signal));
    const id = await own.ask({ command: "make json" });
    await vi.waitFor(() => expect(io.text()).toContain(id), POLL_OPTIONS);
    stop.abort();
    await running;
    const lines = io
      .text()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly what: string; readonly requestId: string });
    expect(lines.some(({ what, requestId }) => (what === "asked" || what === "open") && requestId === id)).toBe(true);
  });

  it("prints what waits in lines and ends, or as JSON", async () => {
    const id = await own.ask();
    const { status, stdout } = await own.plain(["inbox", "--once"]);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^Everything that a rule asks about waits.*\n\d+ requests? waits? for an answer\.\n1\. Claude Code in shop wants to run/,
      ),
    ]);
    const { requests } = JSON.parse((await own.plain(["inbox", "--once", "--json"])).stdout) as {
      readonly requests: readonly { readonly id: string }[];
    };
    expect(requests.map((request) => request.id)).toContain(id);
    const shown = await own.plain(["inbox", "show", id.slice(4, 12)]);
    expect(shown.stdout).toContain(`Request ${id}, digest `);
    expect((await own.plain(["inbox", "show", "req_ffffff"])).stderr).toContain("no request");
  });
});

const POLL_OPTIONS = { timeout: 20_000, interval: 10 };

function listening() {
  let written = "";
  const io: CommandIo = {
    stdin: Readable.from([]),
    out: (text) => {
      written += text;
    },
    err: () => {},
    terminal: { out: false, err: false, colour: false, width: 0 },
  };
  return { ...io, text: () => written };
}

function portsOf(io: CommandIo, signal: AbortSignal) {
  return { io, signal, open: async () => ({ url: own.hub.url, headers: own.viewer }), wait: () => Promise.resolve(), now: Date.now };
}

interface Devices {
  readonly devices: readonly { readonly revokedAt: string | null }[];
}
