import { dirname, join } from "node:path";
import { readPublicSealKey } from "./ledger/seal-key.ts";
import { SEAL_FILE } from "./ledger/sqlite/open-ledger.ts";
import { type Verification, type VerifyProgress, verifyLedger } from "./ledger/verify.ts";

export type VerificationStep = { readonly progress: VerifyProgress } | { readonly result: Verification };

const TELL_EVERY_MS = 200;

/** Verifies the ledger at a path, running or not, and tells how far it is; the last step is the result. */
export async function* watchVerification(path: string, session?: number): AsyncGenerator<VerificationStep> {
  const folder = dirname(path);
  const stop = new AbortController();
  let progress: VerifyProgress | undefined;
  let wake = () => {};
  const verifying = verifyLedger(path, {
    publicKey: readPublicSealKey(folder),
    sealFile: join(folder, SEAL_FILE),
    signal: stop.signal,
    onProgress: (now) => {
      progress = now;
    },
    ...(session === undefined ? {} : { session }),
  }).finally(() => wake());
  verifying.catch(() => {}); // thrown below, where it is awaited
  let done = false;
  const finished = verifying.then(
    () => {
      done = true;
    },
    () => {
      done = true;
    },
  );
  try {
    while (!done) {
      const pause = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, TELL_EVERY_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      await Promise.race([finished, pause]);
      if (!done && progress !== undefined) yield { progress };
    }
    wake();
    yield { result: await verifying };
  } finally {
    stop.abort(); // whoever asked has left
  }
}
