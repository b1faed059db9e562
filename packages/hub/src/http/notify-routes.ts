import type { FastifyInstance } from "fastify";
import type { Notifier } from "../notify/notifier.ts";

/** How the person's desktop is notified. */
export interface NotifyView {
  /** Null where there is no way. */
  readonly way: string | null;
  /** Whether what was shown is taken away when it is answered. */
  readonly withdraws: boolean;
  /** Why nothing is shown: switched off, nothing found, or what went wrong the last time. */
  readonly why: string | null;
}

export interface NotifyPorts {
  readonly notifier: Notifier | undefined;
  /** Why there is none. */
  readonly why: string | undefined;
}

/** Whether requests are told on the desktop, and a try. */
export function registerNotify(app: FastifyInstance, { notifier, why }: NotifyPorts): void {
  const view = (): NotifyView => ({
    way: notifier?.desktop.name ?? null,
    withdraws: notifier?.desktop.withdraws ?? false,
    why: notifier?.trouble ?? why ?? null,
  });
  let trying: Promise<NotifyView> | undefined;
  const tryIt = async (): Promise<NotifyView> => {
    try {
      await notifier?.test();
      return view();
    } catch (error) {
      return { ...view(), why: error instanceof Error ? error.message : String(error) };
    } finally {
      trying = undefined;
    }
  };

  app.get("/api/notify", { config: { access: "viewer", summary: "how the desktop is notified" } }, async () => view());

  app.post("/api/notify/test", { config: { access: "viewer", summary: "shows a test on the desktop" } }, async () => {
    trying ??= tryIt(); // whoever asks meanwhile means the same one
    return trying;
  });
}
