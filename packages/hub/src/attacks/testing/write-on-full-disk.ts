import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { HubAccessControl } from "../../access/access.ts";
import { AccessStore } from "../../access/store.ts";
import { requestTo, signPin } from "../../access/testing/test-access.ts";
import { TEST_PIN_RECORD } from "../../access/testing/test-device.ts";

/** A separate process, because a file size limit applies to a whole process. */
const [path = ""] = process.argv.slice(2);
const files = { path, sealPath: `${path}.seal`, sealKey: "a key for tests" };
process.on("SIGXFSZ", () => {}); // then a write fails with EFBIG, after a short write of what fits

function limitFiles(bytes: number | "unlimited"): void {
  const { status, stderr } = spawnSync("prlimit", ["--pid", String(process.pid), `--fsize=${bytes}:`], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

const store = new AccessStore(files);
store.update({ pin: TEST_PIN_RECORD });
const before = readFileSync(path, "utf8");
const whole = before.length + 400;
let failed = 0;
for (let bytes = 0; bytes < whole; bytes += bytes < 120 ? 1 : 7) {
  limitFiles(bytes);
  try {
    store.update({ alarms: [{ id: String(bytes), at: "", message: "x".repeat(300) }] });
  } catch {
    failed++;
  }
  limitFiles("unlimited");
  const written = new AccessStore(files);
  check(written.found === "sealed", `${bytes}: ${written.found}`);
  check(written.state.pin?.key === TEST_PIN_RECORD.key, `${bytes}: no PIN`);
}
check(failed > 100, `only ${failed} writes failed`);

const options = { ...files, files: { viewer: "viewer", producer: "producer" }, now: Date.now, log: () => {} };
using access = new HubAccessControl(options);
limitFiles(0);
const { ticket } = access.unlock(requestTo(), signPin(access));
check(access.credentials.find(ticket, "in a header")?.role === "admin", "no ticket");
for (let wrong = 0; wrong < 5; wrong++) {
  try {
    access.unlock(requestTo(), { ...signPin(access), signature: "wrong" });
  } catch {}
}
let refused = "";
try {
  access.unlock(requestTo(), signPin(access));
} catch (error) {
  refused = String(error);
}
check(refused.includes("wrong 5 times"), `guesses were not counted: ${refused}`);
check(
  access.alarms.some(({ message }) => message.includes("PIN was wrong")),
  "no alarm",
);
limitFiles("unlimited");
access.raise("There is room again.");
check(new AccessStore(files).state.failures.count === 5, "the count was lost");
process.stdout.write("held\n");
