import { once } from "node:events";
import { EarshotError, type Problem } from "@earshot/protocol";
import type { Verification, VerifyProgress } from "./ledger/verify.ts";
import { startThread } from "./start-thread.ts";

export type VerificationStep = { readonly progress: VerifyProgress } | { readonly result: Verification };

/** The thread's input and messages. */
export interface VerificationTask {
  /** The path of the ledger's file, or the address of its database. */
  readonly location: string;
  /** The folder with the public key and the copied signatures. */
  readonly folder: string;
  readonly session: number | undefined;
  readonly isCopy: boolean;
}
export interface VerificationOptions {
  /** The folder of the ledger's home, or of the copy. */
  readonly folder: string;
  readonly session?: number | undefined;
  readonly isCopy?: boolean;
}
export type VerificationMessage = VerificationStep | { readonly problem: Problem };

/**
 * Verifies the ledger at a location, running or not, and yields its progress; the last step is the result. In its own thread with its own
 * connection, because hashing everything takes minutes.
 */
export async function* watchVerification(
  location: string,
  { folder, session, isCopy = false }: VerificationOptions,
): AsyncGenerator<VerificationStep> {
  const task: VerificationTask = { location, folder, session, isCopy };
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
    await thread.terminate(); // done, or the caller has left
  }
}
