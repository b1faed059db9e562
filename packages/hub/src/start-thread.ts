import { setPriority } from "node:os";
import { basename } from "node:path";
import { type ResourceLimits, Worker } from "node:worker_threads";

export interface ThreadOptions {
  /** The thread's `workerData`. */
  readonly task: unknown;
  readonly limits?: ResourceLimits;
}

/** Starts a module of the hub, named by its path in this folder, in its own thread. In the built command all of them are side by side. */
export function startThread(module: string, { task, limits = {} }: ThreadOptions): Worker {
  const isSource = import.meta.url.endsWith(".ts");
  const name = isSource ? `./${module}.ts` : `./${basename(module)}.js`;
  return new Worker(new URL(name, import.meta.url), { workerData: task, execArgv: [], resourceLimits: limits });
}

/** Lowers the calling thread's priority, because intake comes first. Only on Linux; elsewhere a priority applies to the whole process. */
export function lowerThreadPriority(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(0, 10);
  } catch {
    // Some sandboxes forbid it: all threads are then equal.
  }
}
