import { once } from "node:events";
import { EarshotError, type Problem } from "@earshot/protocol";
import type { Verification, VerifyProgress } from "./ledger/verify.ts";
import { startThread } from "./start-thread.ts";

export type VerificationStep = { readonly progress: VerifyProgress } | { readonly result: Verification };

/** What the thread is given, and what it says. */
export interface VerificationTask {
  readonly path: string;
  readonly session: number | undefined;
  readonly isCopy: boolean;
}
export type VerificationMessage = VerificationStep | { readonly problem: Problem };

/**
 * Verifies the ledger at a path, running or not, and tells how far it is; the last step is the result. In a thread of its
 * own with a connection of its own: hashing everything takes minutes, and nobody else should notice.
 */
export async function* watchVerification(path: string, session?: number, isCopy = false): AsyncGenerator<VerificationStep> {
  const task: VerificationTask = { path, session, isCopy };
  const thread = startThread("verification-thread", { task });
  const said: VerificationMessage[] = [];
  thread.on("message", (message: VerificationMessage) => said.push(message));
  const ended = once(thread, "exit");
  try {
    for (;;) {
      const message = said.shift();
      if (message === undefined) {
        const more = await Promise.race([once(thread, "message").then(() => true), ended.then(() => said.length > 0)]);
        if (more) continue;
        throw new Error("The verifying thread ended without a result.");
      }
      if ("problem" in message) throw new EarshotError(message.problem);
      yield message;
      if ("result" in message) return;
    }
  } finally {
    await thread.terminate(); // done, or whoever asked has left
  }
}
