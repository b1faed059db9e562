import type { FastifyInstance } from "fastify";
import Type, { type Static } from "typebox";
import { orNull } from "../api-schema.ts";
import type { RequestNotifier } from "../notify/notifier.ts";
import { defineRoute } from "./validation.ts";

const notifyViewSchema = Type.Object({
  way: orNull(Type.String(), { description: "how the desktop is notified; null where there is no way" }),
  withdraws: Type.Boolean({ description: "whether what was shown is taken away when it is answered" }),
  why: orNull(Type.String(), { description: "why nothing is shown: switched off, nothing found, or what went wrong the last time" }),
});
export type NotifyView = Static<typeof notifyViewSchema>;

/** The state of desktop notifications, and a test. `why` says why there is no notifier. */
export function registerNotify(
  app: FastifyInstance,
  { notifier, why }: { readonly notifier: RequestNotifier | undefined; readonly why: string | undefined },
): void {
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
  const schema = { response: { 200: notifyViewSchema } };
  app.get("/api/notify", defineRoute("viewer", "how the desktop is notified", schema), async () => view());
  app.post("/api/notify/test", defineRoute("viewer", "shows a test on the desktop", schema), async () => {
    trying ??= tryIt(); // concurrent callers share one test
    return trying;
  });
}
