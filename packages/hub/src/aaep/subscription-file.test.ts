import { appendFileSync, readFileSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { temporaryTestFolder } from "../ledger/testing/temporary-folder.ts";
import { SubscriptionFile } from "./subscription-file.ts";

const kept = (id: string) => ({ id, principal: "ana", requested: { max_events_per_second: 5 }, honored: { max_events_per_second: 2 } });
const rethrow = (error: unknown): never => {
  throw error;
};

describe("the file of subscriptions", () => {
  it("gives back what was kept, to the next process too, and forgets what is to be forgotten", () => {
    using folder = temporaryTestFolder();
    const path = folder.file("subscriptions.jsonl");
    const file = new SubscriptionFile(path, rethrow);
    for (const id of ["sub_1", "sub_2"]) file.keep(kept(id));
    file.forget("sub_1");
    const next = new SubscriptionFile(path, rethrow);
    expect([next.find("sub_1"), next.find("sub_2")]).toEqual([undefined, kept("sub_2")]);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("bears half a line, and whatever else was written there", () => {
    using folder = temporaryTestFolder();
    const path = folder.file("subscriptions.jsonl");
    new SubscriptionFile(path, rethrow).keep(kept("sub_1"));
    appendFileSync(path, 'null\n{"id":7}\n{"id":"sub_9","principal":3}\n{"id":"sub_2","principal":"an');
    const next = new SubscriptionFile(path, rethrow);
    next.keep(kept("sub_3"));
    const last = new SubscriptionFile(path, rethrow);
    expect(["sub_1", "sub_2", "sub_3", "sub_9"].map((id) => last.find(id)?.id)).toEqual(["sub_1", undefined, "sub_3", undefined]);
  });

  it("stays within bounds: the one used longest ago goes first, and the file is written anew", () => {
    using folder = temporaryTestFolder();
    const path = folder.file("subscriptions.jsonl");
    const file = new SubscriptionFile(path, rethrow);
    for (let number = 0; number < 5000; number++) {
      file.keep(kept(`sub_${number}`));
      file.find("sub_0");
    }
    expect(["sub_0", "sub_1", "sub_4999"].map((id) => file.find(id)?.id)).toEqual(["sub_0", undefined, "sub_4999"]);
    expect(readFileSync(path, "utf8").split("\n").length).toBeLessThan(3100);
    const next = new SubscriptionFile(path, rethrow);
    expect(next.find("sub_4999")).toEqual(kept("sub_4999"));
  });

  it("that cannot be written keeps them for this process, and says so", () => {
    using folder = temporaryTestFolder();
    const failures: unknown[] = [];
    const file = new SubscriptionFile(folder.file("missing/subscriptions.jsonl"), (error) => failures.push(error));
    file.keep(kept("sub_1"));
    expect([file.find("sub_1")?.id, failures.length]).toEqual(["sub_1", 1]);
  });
});
