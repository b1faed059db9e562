import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EARSHOT } from "../tools/built-command.ts";

/** `earshot hub autostart` with a real systemd, if this user can reach one and has no Earshot service. */
const unit = join(process.env["XDG_CONFIG_HOME"] ?? join(homedir(), ".config"), "systemd", "user", "earshot.service");

function whyNot(): string | undefined {
  if (process.platform !== "linux") return "this is not Linux";
  const { status, stderr } = spawnSync("systemctl", ["--user", "show-environment"], { encoding: "utf8" });
  if (status !== 0) return `there is no systemd user session here (${(stderr ?? "no systemctl").trim()})`;
  return existsSync(unit) ? `${unit} exists and is left alone` : undefined;
}

const reason = whyNot();
if (reason !== undefined) process.stderr.write(`SKIPPED: the service with a real systemd, since ${reason}.\n`);

describe.skipIf(reason !== undefined)("earshot hub autostart, with systemd", () => {
  it("starts the hub, says so, and leaves nothing when it is removed", () => {
    const home = mkdtempSync(join(tmpdir(), "earshot-service-"));
    const earshot = (...words: readonly string[]) =>
      spawnSync(process.execPath, [EARSHOT, ...words], { env: { ...process.env, EARSHOT_HOME: home, EARSHOT_URL: "" }, encoding: "utf8" });
    try {
      expect(earshot("hub", "autostart", "on")).toMatchObject({ status: 0 });
      expect(earshot("hub", "autostart", "on")).toMatchObject({ status: 0 });
      let running: { readonly byService: boolean } | null = null;
      for (let attempt = 0; attempt < 50 && running === null; attempt++) {
        ({ running } = JSON.parse(earshot("hub", "autostart", "--json").stdout) as { running: { readonly byService: boolean } | null });
      }
      expect(running).toMatchObject({ byService: true });
      expect(earshot("hub", "restart")).toMatchObject({ status: 0 });
    } finally {
      expect(earshot("hub", "autostart", "off")).toMatchObject({ status: 0 });
      rmSync(home, { recursive: true, force: true });
    }
    expect(existsSync(unit)).toBe(false);
    expect(spawnSync("systemctl", ["--user", "is-active", "earshot.service"], { encoding: "utf8" }).stdout.trim()).toBe("inactive");
  });
});
