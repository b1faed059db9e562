import { Readable } from "node:stream";
import type { CommandIo } from "@earshot/terminal/io";
import { describe, expect, it, vi } from "vitest";
import { AUTHORISED, type LiveTestHub, openLiveTestHub } from "../../../hub/src/http/testing/live-hub.ts";
import { tailCommand } from "./tail.ts";

const POLL_OPTIONS = { timeout: 20_000, interval: 5 };

class Terminal implements CommandIo {
  readonly stdin = Readable.from([]);
  readonly terminal = { out: false, err: false, colour: false, width: 0 };
  written = "";
  complained = "";
  out = (text: string) => {
    this.written += text;
  };
  err = (text: string) => {
    this.complained += text;
  };

  get positions(): readonly number[] {
    return this.written
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => (JSON.parse(line) as { position: number }).position);
  }
}

function ports(hub: LiveTestHub, signal = new AbortController().signal) {
  return { open: async () => ({ url: hub.url, headers: AUTHORISED }), signal };
}

describe("earshot tail", () => {
  it("prints what is recorded and stops, when told not to follow", async () => {
    await using hub = await openLiveTestHub();
    await hub.say({ text: '{"payload":{"content":"first\\u001b[2J"}}' }, { type: "other" }, { session: "s2" });
    const io = new Terminal();
    expect(await tailCommand(["--no-follow"], io, ports(hub))).toBe(0);
    expect(io.written.trimEnd().split("\n")).toHaveLength(3);
    expect(io.written).toContain("Agent 1  cognition.thought  first\\u{1b}[2J\n");
    const filtered = new Terminal();
    await tailCommand(
      ["--no-follow", "--json", "--session", "session-1", "--type", "cog*", "--protocol", "aop", "--agent", "agent-1"],
      filtered,
      ports(hub),
    );
    expect(filtered.positions).toEqual([1]);
    const none = new Terminal();
    await tailCommand(["--no-follow", "--json", "--after", "1", "--session", "nobody"], none, ports(hub));
    expect(none.written).toBe("");
  });

  it("follows, goes on where it was after the hub has started anew, and ends with 0 when interrupted", async () => {
    await using hub = await openLiveTestHub();
    await hub.say({});
    const io = new Terminal();
    const stop = new AbortController();
    const running = tailCommand(["--json", "--from-start"], io, ports(hub, stop.signal));
    await vi.waitFor(() => expect(io.positions).toEqual([1]), POLL_OPTIONS);
    await hub.say({});
    await vi.waitFor(() => expect(io.positions).toEqual([1, 2]), POLL_OPTIONS);
    await hub.restart();
    await hub.say({}, {});
    await vi.waitFor(() => expect(io.positions).toEqual([1, 2, 3, 4]), POLL_OPTIONS);
    expect(io.complained).toContain("the hub is gone");
    await vi.waitFor(() => expect(io.complained).toContain("the hub is back"), POLL_OPTIONS);
    stop.abort();
    expect(await running).toBe(0);
  });

  it("tells the hub's problem when it is refused", async () => {
    await using hub = await openLiveTestHub();
    await expect(tailCommand(["--after", "9"], new Terminal(), ports(hub))).rejects.toThrow("newest position is 0");
    await expect(tailCommand(["--protocol", "otlp"], new Terminal(), ports(hub))).rejects.toThrow("`protocol` is a list of");
    await expect(tailCommand([], new Terminal(), { ...ports(hub), open: async () => ({ url: hub.url, headers: {} }) })).rejects.toThrow(
      "credential",
    );
  });

  it("explains itself, and refuses what makes no sense", async () => {
    await using hub = await openLiveTestHub();
    const io = new Terminal();
    expect(await tailCommand(["--help"], io, ports(hub))).toBe(0);
    await expect(tailCommand(["--after", "-3"], io, ports(hub))).rejects.toThrow();
    await expect(tailCommand(["--after", "x"], io, ports(hub))).rejects.toThrow("--after cannot be");
    await expect(tailCommand(["--after", "3", "--from-start"], io, ports(hub))).rejects.toThrow("contradict");
  });
});
