import type { Session } from "./session.ts";

/** Sessions whose work has not returned. */
const atWork = new WeakSet<Session>();

export function isAopSessionRunning(session: Session): boolean {
  return atWork.has(session);
}

/** Runs the work and ends the session with its result, unless the work ended it. */
export async function runAopSession<Result>(session: Session, work: (session: Session) => Result | Promise<Result>): Promise<Result> {
  atWork.add(session);
  try {
    const result = await work(session);
    if (!session.hasEnded) session.end();
    return result;
  } catch (error) {
    if (!session.hasEnded) session.fail(error);
    throw error;
  } finally {
    atWork.delete(session);
  }
}
